import { existsSync } from 'node:fs';
import { sha256 } from '../desktop/sha256';
import { planAcceptance, planPromotion, type PromotionTarget } from '../engine/promote/plan';
import { REFUSAL_WORDS } from '../report/refusalWords';
import { onlyPath, type Outcome, readArguments } from './arguments';
import { readKind, toUri, writeResult } from './input';
import { UsageError } from './usage';

/** Exit code of a promotion that was refused (cli.md). */
const REFUSED = 2;

/** `promote OBSERVED` (cli.md; semantics 10): the baseline that approves an observation, whole or tool by tool. */
export async function runPromote(args: readonly string[], note: (message: string) => void): Promise<Outcome> {
  const { values, positionals } = readArguments({
    args: [...args],
    allowPositionals: true,
    options: {
      out: { type: 'string' },
      tool: { type: 'string', multiple: true },
      'expect-digest': { type: 'string' },
    },
  });
  const path = onlyPath('promote', positionals);
  const observed = await readKind(path, 'observed');
  const { out } = values;
  // An existing baseline is continued: what this version does not know stays in it.
  const declared = out !== undefined && existsSync(out) ? await readKind(out, 'declared') : null;
  if (values.tool !== undefined && declared === null) {
    throw new UsageError('--tool accepts tools into an existing baseline; name it with --out.');
  }
  const target: PromotionTarget = { declared, policy: null, newBaseline: toUri(out ?? '-') };
  const reviewed = values['expect-digest'] ?? null;
  const plan =
    values.tool === undefined
      ? planPromotion(observed, target, reviewed, sha256)
      : planAcceptance(observed, target, values.tool, reviewed, sha256);
  if (typeof plan === 'string') {
    note(`${path}: ${REFUSAL_WORDS[plan]}`);
    return { output: '', exitCode: REFUSED };
  }
  const text = plan.files[0]?.after ?? declared?.source.text ?? '';
  if (out === undefined) return { output: text, exitCode: 0 };
  await writeResult(out, text, { replace: true, keepMark: true });
  return { output: '', exitCode: 0 };
}
