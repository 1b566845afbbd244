/** Half-open range of UTF-16 offsets in a document's text. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/**
 * Everything that can be wrong with one document by itself (semantics 1).
 * - `invalid`: the document counts as invalid.
 * - `entry`: only one entry of a policy is disabled.
 * - `ignored`: an optional value counts as absent.
 * - `caution`: nothing is lost, but the reader should know.
 */
export const PROBLEMS = {
  encoding_not_utf8: 'invalid',
  file_too_large: 'invalid',
  file_unreadable: 'invalid',
  json_syntax: 'invalid',
  duplicate_key: 'invalid',
  nesting_too_deep: 'invalid',
  number_out_of_range: 'invalid',
  lone_surrogate: 'invalid',
  yaml_syntax: 'invalid',
  yaml_several_documents: 'invalid',
  value_missing: 'invalid',
  value_malformed: 'invalid',
  policy_entry_malformed: 'entry',
  optional_value_ignored: 'ignored',
  integer_not_exact: 'caution',
} as const satisfies Record<string, 'invalid' | 'entry' | 'ignored' | 'caution'>;

export type ProblemCode = keyof typeof PROBLEMS;

/** One thing wrong with one document: a code, where, and the values its sentence needs. Never the sentence itself. */
export interface Problem extends Range {
  readonly code: ProblemCode;
  /** Raw values for the words: a key, a path, a limit, what was expected. */
  readonly detail: Readonly<Record<string, string | number>>;
}

export function problem(code: ProblemCode, at: Range, detail: Problem['detail'] = {}): Problem {
  return { code, start: at.start, end: at.end, detail };
}

/** Whether any of the problems makes the whole document invalid. */
export function isFatal(problems: readonly Problem[]): boolean {
  return problems.some((p) => PROBLEMS[p.code] === 'invalid');
}
