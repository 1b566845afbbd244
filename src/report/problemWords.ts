import type { Problem, ProblemCode } from '../engine/problems';
import { showName } from './escape';
import type { Show } from './messages';

type Detail = Readonly<Record<string, string>>;

/** One sentence for each problem: what is wrong and what to do. Values from files arrive with hidden characters shown. */
const WORDS: Readonly<Record<ProblemCode, (detail: Detail) => string>> = {
  encoding_not_utf8: ({ encoding }) =>
    encoding === 'unknown'
      ? 'The file is not valid UTF-8. Save it as UTF-8.'
      : `The file is ${encoding ?? ''}, not UTF-8. Save it as UTF-8.`,
  file_too_large: ({ size, limit }) =>
    `The file has ${megabytes(size)} MB, more than the limit of ${megabytes(limit)} MB, and was not read. Raise “Files: Max Size” to review it.`,
  file_unreadable: ({ reason }) => `The file could not be read: ${reason ?? ''}.`,
  json_syntax: ({ expected }) =>
    `This is not valid JSON: ${SYNTAX.get(expected ?? '') ?? 'the text cannot be read here'}.`,
  duplicate_key: ({ key }) =>
    key
      ? `The key “${key}” stands here a second time. Keep one of the two.`
      : 'This key stands here a second time. Keep one of the two.',
  nesting_too_deep: ({ limit, path }) =>
    `${path ?? ''}: values are nested deeper than ${limit ?? ''} levels. Other tools refuse this, so no digest could be reproduced.`,
  number_out_of_range: ({ path }) =>
    `${path ?? ''}: this number is beyond the range of a double, so no digest could be reproduced.`,
  lone_surrogate: ({ path }) =>
    `${path ?? ''}: this text holds half of a surrogate pair, so it has no UTF-8 bytes and no digest.`,
  yaml_syntax: ({ expected }) =>
    `This is not valid YAML 1.2 (${(expected ?? '').toLowerCase().replaceAll('_', ' ')}).`,
  yaml_several_documents: () => 'A policy must be one YAML document. A second one begins here.',
  value_missing: ({ key, path, expected }) =>
    key
      ? `The required “${key}” is missing here; expected ${want(expected)}.`
      : `${path ?? ''} is missing; expected ${want(expected)}.`,
  value_malformed: ({ path, expected }) => `${path ?? ''} must be ${want(expected)}.`,
  policy_entry_malformed: ({ server }) =>
    `The entry for server “${server ?? ''}” needs a manifest_digest of the form "sha256:" and 64 hex digits. It is not used.`,
  optional_value_ignored: ({ path, expected }) =>
    `${path ?? ''} must be ${want(expected)}. It counts as absent.`,
  integer_not_exact: ({ path }) =>
    `${path ?? ''}: this integer is too large to be exact; another number would have the same digest.`,
};

/** The parser's error names in words. */
const SYNTAX: ReadonlyMap<string, string> = new Map([
  ['InvalidSymbol', 'an unknown word or sign'],
  ['InvalidNumberFormat', 'a malformed number'],
  ['PropertyNameExpected', 'a property name in double quotes is expected'],
  ['ValueExpected', 'a value is expected'],
  ['ColonExpected', 'a colon is expected'],
  ['CommaExpected', 'a comma is expected'],
  ['CloseBraceExpected', 'a closing brace is expected'],
  ['CloseBracketExpected', 'a closing bracket is expected'],
  ['EndOfFileExpected', 'nothing may follow the first value'],
  ['InvalidCommentToken', 'comments are not allowed'],
  ['UnexpectedEndOfComment', 'a comment has no end'],
  ['UnexpectedEndOfString', 'a string has no end'],
  ['UnexpectedEndOfNumber', 'a number has no end'],
  ['InvalidUnicode', 'a malformed \\u escape'],
  ['InvalidEscapeCharacter', 'an unknown escape'],
  ['InvalidCharacter', 'a control character must be escaped'],
]);

const WANTED: ReadonlyMap<string, string> = new Map([
  ['digest', '"sha256:" and 64 lower-case hex digits'],
  ['object', 'an object'],
  ['array', 'an array'],
  ['string', 'a string'],
  ['boolean', 'true or false'],
  ['int', 'a whole number'],
  ['number', 'a whole number'],
  ['count', 'a whole number from 0'],
  ['too_big', 'a whole number'],
]);

function want(expected: string | undefined): string {
  return WANTED.get(expected ?? '') ?? (expected ?? '').replaceAll(' | ', ' or ');
}

function megabytes(bytes: string | undefined): string {
  return (Number(bytes) / 1_000_000).toFixed(1);
}

/** One sentence that says what is wrong with a document and what to do. */
export function problemMessage(problem: Problem, show: Show = showName): string {
  const shown = Object.entries(problem.detail).map(([key, value]): [string, string] => [
    key,
    FOREIGN.has(key) ? show(String(value)) : String(value),
  ]);
  return WORDS[problem.code](Object.fromEntries<string>(shown));
}

/** Details that hold text from a file, or from outside; the others are numbers and names of ours. */
const FOREIGN: ReadonlySet<string> = new Set(['key', 'path', 'server', 'reason']);

/** What the explanation page of a problem says. */
export const PROBLEM_PAGES: Readonly<Record<ProblemCode, { title: string; why: string; remedy: string }>> = {
  encoding_not_utf8: {
    title: 'Not UTF-8',
    why: 'Digests are taken over UTF-8. A file in another encoding is not read, rather than read wrongly.',
    remedy: 'Save the file with encoding UTF-8.',
  },
  file_too_large: {
    title: 'File too large',
    why: 'A file over the size limit is not read, so nothing is known about what it says.',
    remedy: 'Raise the setting “Files: Max Size”, or exclude the file.',
  },
  file_unreadable: {
    title: 'File cannot be read',
    why: 'Nothing is known about what the file says.',
    remedy: 'Check that the file exists and may be read, and that pairings name the right paths.',
  },
  json_syntax: {
    title: 'Not valid JSON',
    why: 'Manifests and baselines are strict JSON: no comments, no trailing commas.',
    remedy: 'Mend the place that the problem points at.',
  },
  duplicate_key: {
    title: 'Duplicate key',
    why: 'A parser keeps the last of two equal keys, a person reads the first.',
    remedy: 'Keep one of the two.',
  },
  nesting_too_deep: {
    title: 'Nested too deeply',
    why: 'Other tools refuse values nested deeper than 127 levels, so a digest over them could not be reproduced.',
    remedy: 'Reduce the nesting.',
  },
  number_out_of_range: {
    title: 'Number out of range',
    why: 'Digests use double-precision numbers. This one has no such value.',
    remedy: 'Write a number that a double can hold, or a string.',
  },
  lone_surrogate: {
    title: 'Half a character',
    why: 'A lone surrogate has no UTF-8 bytes, so there is nothing to take a digest of.',
    remedy: 'Remove the escape, or complete the pair.',
  },
  yaml_syntax: {
    title: 'Not valid YAML',
    why: 'A policy is YAML 1.2 or JSON.',
    remedy: 'Mend the place that the problem points at.',
  },
  yaml_several_documents: {
    title: 'Several YAML documents',
    why: 'A policy is one document. With several it is not clear which one counts.',
    remedy: 'Keep one document in the file.',
  },
  value_missing: {
    title: 'Required value missing',
    why: 'Without this value the document cannot be compared.',
    remedy: 'Add the value.',
  },
  value_malformed: {
    title: 'Wrong value',
    why: 'A value of the wrong type or form cannot be compared.',
    remedy: 'Correct the value.',
  },
  policy_entry_malformed: {
    title: 'Policy entry cannot be used',
    why: 'The entry pins no digest, so it approves nothing. Other entries of the policy still count.',
    remedy: 'Give the entry a manifest_digest.',
  },
  optional_value_ignored: {
    title: 'Optional value ignored',
    why: 'The value may be left out, but as it is written it cannot be used. It counts as absent.',
    remedy: 'Correct the value, or remove it.',
  },
  integer_not_exact: {
    title: 'Integer not exact',
    why: 'Integers beyond ±(2^53−1) are rounded, as RFC 8785 says. Two different texts can share one digest.',
    remedy: 'Be aware that the digest does not tell such numbers apart.',
  },
};
