import type { Definition } from '../caseWriter';
import { COARSE } from './coarse';
import { DOCUMENTS } from './documents';
import { FIELD_CASES, PRIVILEGE } from './fields';
import { PAIRING } from './pairing';
import { MATRIX, VALIDITY } from './perTool';
import { RECORD } from './record';
import { REVIEW } from './review';

/** Every case. Throws when two have one name. */
export function definitions(): readonly Definition[] {
  const all = [
    ...DOCUMENTS,
    ...COARSE,
    ...VALIDITY,
    ...MATRIX,
    ...FIELD_CASES,
    ...PRIVILEGE,
    ...RECORD,
    ...REVIEW,
    ...PAIRING,
  ];
  const names = new Set<string>();
  for (const [name] of all) {
    if (names.has(name)) throw new Error(`Two cases have the name ${name}.`);
    names.add(name);
  }
  return all;
}
