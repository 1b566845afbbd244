import type { ReasonCode } from '../engine/reasons';
import type { Finding, Inconclusive, Warning } from '../engine/verdict/result';
import { showName } from './escape';
import { REASON_WORDS } from './words';

/** Fills the `{tool}` and `{server}` of a sentence with foreign text, hidden characters shown. */
export function fill(sentence: string, values: { tool?: string | null; server?: string | null }): string {
  return sentence.replace(/\{(tool|server)\}/g, (_match, name: string) =>
    showName((name === 'tool' ? values.tool : values.server) ?? ''),
  );
}

/** One sentence for a finding, an inconclusive or a warning, with the notes that stand on it. */
export function message(item: Finding | Inconclusive | Warning, server: string | null): string {
  const values = { tool: item.tool, server };
  const notes: readonly ReasonCode[] = 'notes' in item ? item.notes : [];
  return [item.code, ...notes].map((code) => fill(REASON_WORDS[code].message, values)).join(' ');
}
