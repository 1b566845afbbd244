import type * as z from 'zod';
import type { JsonText } from '../json/reader';
import { printPath } from '../json/reader';
import type { JsonPath } from '../json/nodes';
import { problem, type Problem } from '../problems';

/** A value that fits its schema, or null; and what was wrong with it, at exact places. */
export interface Checked<T> {
  readonly content: T | null;
  readonly problems: readonly Problem[];
}

type Issue = z.core.$ZodIssue;

/**
 * Checks a parsed text against a schema. What is required and missing or of the wrong type makes the content null;
 * an optional value that is malformed is reported and counts as absent (semantics 1, reading rules).
 *
 * @param isOptional tells for the path of a value whether it may be left out.
 */
export function check<T>(
  json: JsonText,
  schema: z.ZodType<T>,
  isOptional: (path: JsonPath) => boolean,
): Checked<T> {
  const first = schema.safeParse(json.value);
  if (first.success) return { content: first.data, problems: [] };
  const problems = first.error.issues.map((issue) => toProblem(json, issue, isOptional));
  if (problems.some((p) => p.code !== 'optional_value_ignored')) return { content: null, problems };
  for (const issue of first.error.issues) dropValue(json.value, jsonPath(issue));
  const second = schema.safeParse(json.value);
  return { content: second.success ? second.data : null, problems };
}

function toProblem(json: JsonText, issue: Issue, isOptional: (path: JsonPath) => boolean): Problem {
  const path = jsonPath(issue);
  const { node, found } = json.nodes.resolve(path);
  const detail = { path: printPath(path), expected: expectation(issue) };
  if (isOptional(path)) return problem('optional_value_ignored', json.nodes.range(node), detail);
  return found
    ? problem('value_malformed', json.nodes.range(node), detail)
    : problem('value_missing', json.nodes.keyRange(node), { ...detail, key: String(path.at(-1) ?? '') });
}

/** What the schema wanted, as data for the words: a type, a list of values, or `digest`. */
function expectation(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.expected;
    case 'invalid_value':
      return issue.values.map((value) => JSON.stringify(value)).join(' | ');
    case 'invalid_format':
      return 'digest';
    case 'too_small':
      return 'count';
    default:
      return issue.code;
  }
}

function jsonPath(issue: Issue): JsonPath {
  return issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step));
}

/** Removes a value from a freshly parsed text, which nobody else holds. */
function dropValue(root: unknown, path: JsonPath): void {
  const parent = path.slice(0, -1).reduce<unknown>((value, step) => own(value, step), root);
  const last = path.at(-1);
  if (typeof parent === 'object' && parent !== null && last !== undefined)
    Reflect.deleteProperty(parent, last);
}

/** An object's own value under a key read from a file; undefined when there is none. */
export function own(value: unknown, key: string | number): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return Reflect.get(value, key) as unknown;
}
