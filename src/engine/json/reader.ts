import { type ParseErrorCode, printParseErrorCode, visit } from 'jsonc-parser';
import { isFatal, problem, type Problem } from '../problems';
import { OpenKeys } from './keys';
import { type JsonNodes, type JsonPath, NodeCollector } from './nodes';
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
  const nodes = rows.nodes(text);
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
  const keys = new OpenKeys();
  // A text without escapes and lone surrogates holds only strings without them: no need to look at each.
  const suspect = text.includes('\\u') || !isWellFormed(text);
  const report = (
    code: Problem['code'],
    start: number,
    length: number,
    path: JsonPath,
    more: Problem['detail'] = {},
  ) => problems.push(problem(code, { start, end: start + length }, { path: printPath(path), ...more }));
  const open = (offset: number, path: () => JsonPath) => {
    rows.begin(offset);
    keys.open();
    if (rows.depth <= MAX_DEPTH) return;
    report('nesting_too_deep', offset, 1, path(), { limit: MAX_DEPTH });
    throw new Stop();
  };
  const close = (offset: number, length: number) => {
    rows.end(offset + length);
    keys.close();
  };
  visit(
    text,
    {
      onObjectBegin: (offset, _length, _line, _column, path) => {
        open(offset, path);
      },
      onArrayBegin: (offset, _length, _line, _column, path) => {
        open(offset, path);
      },
      onObjectEnd: close,
      onArrayEnd: close,
      onObjectProperty: (name, offset, length, _line, _column, path) => {
        rows.key(offset);
        if (!keys.add(name)) report('duplicate_key', offset, length, [...path(), name], { key: name });
        if (suspect && !isWellFormed(name)) report('lone_surrogate', offset, length, [...path(), name]);
      },
      onLiteralValue: (value: unknown, offset, length, _line, _column, path) => {
        rows.literal(offset, length);
        if (typeof value === 'number') {
          if (!Number.isFinite(value)) report('number_out_of_range', offset, length, path());
          else if (Number.isInteger(value) && !Number.isSafeInteger(value))
            report('integer_not_exact', offset, length, path());
        } else if (suspect && typeof value === 'string' && !isWellFormed(value)) {
          report('lone_surrogate', offset, length, path());
        }
      },
      onError: (error: ParseErrorCode, offset, length) => {
        // What follows the first error is guesswork, so it is the only one reported.
        const at = { start: offset, end: offset + length };
        problems.push(problem('json_syntax', at, { expected: printParseErrorCode(error) }));
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
