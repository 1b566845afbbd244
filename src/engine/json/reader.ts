import { type ParseErrorCode, printParseErrorCode, visit } from 'jsonc-parser';
import { isFatal, problem, type Problem, type Range } from '../problems';
import { JsonNodes, type JsonPath, NodeCollector } from './nodes';
import { MAX_DEPTH, isWellFormed } from './limits';

/** A text read as strict JSON. `value` is undefined when the text is no JSON at all; `problems` says what is wrong. */
export interface JsonText {
  readonly value: unknown;
  readonly nodes: JsonNodes;
  readonly problems: readonly Problem[];
}

/** Ends a visit early; jsonc-parser has no other way to stop. */
class Stop extends Error {}

/**
 * Reads strict JSON with positions (semantics 1, reading rules). Duplicate keys, nesting deeper than 127 levels,
 * numbers beyond the double range and lone surrogates are problems that make the text invalid; an integer that a
 * double cannot hold exactly is a caution. Never throws.
 */
export function readJson(text: string): JsonText {
  const problems: Problem[] = [];
  const rows = new NodeCollector();
  try {
    visitStrict(text, rows, problems);
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
  }
  const nodes = JsonNodes.pack(text, rows);
  const unparsed = problems.some((p) => p.code === 'json_syntax' || p.code === 'nesting_too_deep');
  if (unparsed) return { value: undefined, nodes, problems };
  try {
    return { value: JSON.parse(text) as unknown, nodes, problems };
  } catch {
    // The two parsers disagree: the stricter one is right.
    return {
      value: undefined,
      nodes,
      problems: [problem('json_syntax', { start: 0, end: 0 }, { expected: 'InvalidSymbol' })],
    };
  }
}

function visitStrict(text: string, rows: NodeCollector, problems: Problem[]): void {
  const openKeys: (Set<string> | null)[] = [];
  const report = (code: Problem['code'], at: Range, path: JsonPath, more: Problem['detail'] = {}) =>
    problems.push(problem(code, at, { path: printPath(path), ...more }));
  const begin = (offset: number, keys: Set<string> | null, path: () => JsonPath) => {
    rows.begin(offset);
    openKeys.push(keys);
    if (rows.depth > MAX_DEPTH) {
      report('nesting_too_deep', { start: offset, end: offset + 1 }, path(), { limit: MAX_DEPTH });
      throw new Stop();
    }
  };
  const end = (offset: number, length: number) => {
    rows.end(offset + length);
    openKeys.pop();
  };
  visit(
    text,
    {
      onObjectBegin: (offset, _length, _line, _column, path) => {
        begin(offset, new Set(), path);
      },
      onArrayBegin: (offset, _length, _line, _column, path) => {
        begin(offset, null, path);
      },
      onObjectEnd: end,
      onArrayEnd: end,
      onObjectProperty: (name, offset, length, _line, _column, path) => {
        rows.key(offset);
        const at = { start: offset, end: offset + length };
        const keys = openKeys.at(-1);
        if (keys?.has(name)) report('duplicate_key', at, [...path(), name], { key: name });
        keys?.add(name);
        if (!isWellFormed(name)) report('lone_surrogate', at, [...path(), name]);
      },
      onLiteralValue: (value: unknown, offset, length, _line, _column, path) => {
        rows.literal(offset, length);
        const at = { start: offset, end: offset + length };
        if (typeof value === 'number') {
          if (!Number.isFinite(value)) report('number_out_of_range', at, path());
          else if (Number.isInteger(value) && !Number.isSafeInteger(value))
            report('integer_not_exact', at, path());
        } else if (typeof value === 'string' && !isWellFormed(value)) report('lone_surrogate', at, path());
      },
      onError: (error: ParseErrorCode, offset, length) => {
        // What follows the first error is guesswork, so it is the only one reported.
        problems.push(
          problem(
            'json_syntax',
            { start: offset, end: offset + length },
            { expected: printParseErrorCode(error) },
          ),
        );
        throw new Stop();
      },
    },
    { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false },
  );
}

/** A path as `$.observed.tool_digests[3].name`, for people. */
export function printPath(path: JsonPath): string {
  return path.reduce<string>((printed, step) => {
    if (typeof step === 'number') return `${printed}[${step}]`;
    return /^[A-Za-z_][A-Za-z0-9_]*$/.test(step)
      ? `${printed}.${step}`
      : `${printed}[${JSON.stringify(step)}]`;
  }, '$');
}

/** Whether a text was read as JSON without anything that makes it invalid. */
export function isSound(json: JsonText): boolean {
  return json.value !== undefined && !isFatal(json.problems);
}
