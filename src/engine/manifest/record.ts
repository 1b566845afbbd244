/** The four non-claims every observed record carries (specification, "Claim and non-claims"). */
export const NON_CLAIMS = [
  'does not judge whether a manifest change is malicious',
  'does not infer tools outside the observed tools/list',
  'does not detect behavior drift under identical metadata',
  "privileged is classifier-derived, not the server's own annotations",
] as const;

/** The one more that a report of reviews carries (cli.md). */
export const COVERAGE_NON_CLAIM =
  'does not cover title, icons, _meta, execution or other fields outside the v0 projection';

/** A record's text: two blanks of indentation and a final newline, the same bytes on every surface (semantics 4). */
export function printRecord(record: unknown): string {
  return `${JSON.stringify(record, null, 2)}\n`;
}
