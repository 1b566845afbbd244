import { type Field, FIELDS } from '../canon/digests';
import type { ToolEntry } from '../manifest/schema';
import type { NoteCode } from '../reasons';

/** Which fields explain a changed tool, or why none can (specification, "Field-level attribution"). */
export type Attribution = { readonly fields: readonly Field[] } | { readonly note: NoteCode };

/** Attributes a change of `tool_digest`. Only all four digests on both sides allow it. */
export function attribute(observed: ToolEntry, declared: ToolEntry): Attribution {
  if (!isComplete(observed) || !isComplete(declared)) return { note: 'field_attribution_unavailable' };
  const fields = differingFields(observed, declared);
  return fields.length > 0 ? { fields } : { note: 'field_attribution_inconsistent' };
}

/** The fields present on both sides whose digests differ (semantics 7, reverse guard). */
export function differingFields(observed: ToolEntry, declared: ToolEntry): Field[] {
  return FIELDS.filter((field) => {
    const left = observed.field_digests?.[field];
    const right = declared.field_digests?.[field];
    return left !== undefined && right !== undefined && left !== right;
  });
}

function isComplete(entry: ToolEntry): boolean {
  return FIELDS.every((field) => entry.field_digests?.[field] !== undefined);
}
