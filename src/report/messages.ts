import type { ReasonCode } from '../engine/reasons';
import type { Finding, Inconclusive, Warning } from '../engine/verdict/result';
import { showName } from './escape';
import { REASON_WORDS } from './words';

/** How foreign text is shown inside a sentence. */
export type Show = (text: string) => string;

/** Fills the `{tool}` and `{server}` of a sentence with foreign text. */
export function fill(
  sentence: string,
  values: { readonly tool?: string | null; readonly server?: string | null },
  show: Show = showName,
): string {
  return sentence.replace(/\{(tool|server)\}/g, (_match, name: string) =>
    show((name === 'tool' ? values.tool : values.server) ?? ''),
  );
}

/** One sentence for a finding, an inconclusive or a warning, with the notes that stand on it. */
export function message(
  item: Finding | Inconclusive | Warning,
  server: string | null,
  show: Show = showName,
): string {
  const notes: readonly ReasonCode[] = 'notes' in item ? item.notes : [];
  const values = { tool: item.tool, server };
  return [item.code, ...notes].map((code) => fill(REASON_WORDS[code].message, values, show)).join(' ');
}
