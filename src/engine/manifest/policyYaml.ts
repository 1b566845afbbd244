import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  Lexer,
  parseAllDocuments,
  type Node,
  type Pair,
  type Scalar,
  visit,
} from 'yaml';
import { isWellFormed, MAX_DEPTH } from '../json/limits';
import type { JsonPath } from '../json/nodes';
import { printPath } from '../json/reader';
import { isFatal, problem, type Problem, type ProblemCode, type Range } from '../problems';
import type { PolicyDocument, PolicyEntry } from './documents';
import type { Source } from './place';
import { digestSchema, PARTIAL_KEY, partialObservationSchema, POLICY_KEY } from './schema';

/**
 * Reads a policy written as YAML 1.2 (semantics 1 and 5). Output: the policy with its problems, or null when the text
 * is no policy. Never throws; aliases are followed one step at a time and never expanded.
 */
export function readYamlPolicy(source: Source): PolicyDocument | null {
  const parsed = parseAllDocuments(source.text, { version: '1.2', prettyErrors: false });
  const documents = Array.isArray(parsed) ? parsed : [];
  const [document, second] = documents;
  const errors = documents.flatMap((d) => d.errors);
  if (errors.some(({ code }) => code !== 'DUPLICATE_KEY')) {
    return source.text.includes(POLICY_KEY) ? invalid(source, syntaxProblems(source.text, errors)) : null;
  }
  if (document === undefined || !documents.some(isPolicy)) return null;
  if (second !== undefined) {
    const start = second.range[0];
    const several = problem('yaml_several_documents', { start, end: start }, { count: documents.length });
    return invalid(source, [several]);
  }
  // A doubled key makes the document invalid, but the servers it names are known.
  const problems: Problem[] = [...syntaxProblems(source.text, errors), ...limitProblems(document)];
  const entries = readEntries(document, problems);
  const partialIsWarning = readPartial(document, problems);
  return { kind: 'policy', source, problems, valid: !isFatal(problems), entries, partialIsWarning };
}

type YamlDocument = Document.Parsed;
type YamlError = YamlDocument['errors'][number];

function invalid(source: Source, problems: Problem[]): PolicyDocument {
  return { kind: 'policy', source, problems, valid: false, entries: new Map(), partialIsWarning: false };
}

function syntaxProblems(text: string, errors: readonly YamlError[]): Problem[] {
  // The parser gives up when its stack is full, wherever that is; the limit itself is passed long before.
  if (errors.some(({ code }) => code === 'RESOURCE_EXHAUSTION')) return [tooDeep(depthExceededAt(text), '$')];
  return errors.map(({ code, pos: [start, end] }) => {
    const at = { start, end: Math.min(end, text.length) };
    return code === 'DUPLICATE_KEY'
      ? problem('duplicate_key', at, { key: '' })
      : problem('yaml_syntax', at, { expected: code });
  });
}

function tooDeep(at: Range, path: string): Problem {
  return problem('nesting_too_deep', at, { path, limit: MAX_DEPTH });
}

/** Where flow collections inside the root map pass the limit; the start of the text when it is passed otherwise. */
function depthExceededAt(text: string): Range {
  let depth = 1;
  let offset = 0;
  for (const token of new Lexer().lex(text)) {
    if (token === '[' || token === '{') depth++;
    else if (token === ']' || token === '}') depth--;
    if (depth > MAX_DEPTH) return { start: offset, end: offset + 1 };
    if (!LEXER_MARKS.has(token)) offset += token.length;
  }
  return { start: 0, end: 0 };
}

/** Tokens of the lexer that stand for no text: start of a document, end of a flow, next is a scalar. */
const LEXER_MARKS: ReadonlySet<string> = new Set(['\x02', '\x18', '\x1f']);

function isPolicy(document: YamlDocument): boolean {
  return isMap(document.contents) && document.contents.items.some((pair) => keyOf(pair) === POLICY_KEY);
}

/** The reading rules of semantics 1 that YAML's own parser does not enforce. */
function limitProblems(document: YamlDocument): Problem[] {
  const problems: Problem[] = [];
  visit(document, {
    Node: (key, node, ancestors) => {
      const depth = ancestors.filter(isCollection).length + 1;
      if (depth > MAX_DEPTH && isCollection(node)) {
        problems.push(tooDeep(rangeOf(node), printPath(pathOf(key, ancestors))));
        return visit.BREAK;
      }
      if (isAlias(node) && node.resolve(document) === undefined) {
        problems.push(problem('yaml_syntax', rangeOf(node), { expected: 'UNKNOWN_ANCHOR' }));
      }
      const code = isScalar(node) ? limitPassed(node) : null;
      if (code !== null)
        problems.push(problem(code, rangeOf(node), { path: printPath(pathOf(key, ancestors)) }));
      return undefined;
    },
  });
  return problems;
}

function limitPassed({ value, source }: Scalar): ProblemCode | null {
  if (typeof value === 'string') return isWellFormed(value) ? null : 'lone_surrogate';
  if (typeof value !== 'number') return null;
  // `.inf` is a value of its own in YAML; digits that amount to it are a number that was lost.
  if (!Number.isFinite(value)) return /\d/.test(source ?? '') ? 'number_out_of_range' : null;
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? 'integer_not_exact' : null;
}

/** The path of a visited node: the keys of the pairs and the places in the lists it is in. */
function pathOf(key: unknown, ancestors: readonly unknown[]): JsonPath {
  const path: (string | number)[] = [];
  for (const [index, ancestor] of ancestors.entries()) {
    const inside = ancestors[index + 1];
    if (isPair(ancestor)) path.push(keyOf(ancestor) ?? '');
    else if (isSeq(ancestor)) path.push(inside === undefined ? Number(key) : ancestor.items.indexOf(inside));
  }
  return path;
}

function readEntries(document: YamlDocument, problems: Problem[]): Map<string, PolicyEntry> {
  const pair = topLevel(document, POLICY_KEY);
  const { node: map } = follow(document, pair?.value);
  const entries = new Map<string, PolicyEntry>();
  if (!isMap(map)) {
    const at = valueRange(pair, map);
    problems.push(problem('value_malformed', at, { path: printPath([POLICY_KEY]), expected: 'object' }));
    return entries;
  }
  for (const item of map.items) {
    const id = keyOf(item);
    const entry = readEntry(document, item);
    if (id === null) problems.push(problem('policy_entry_malformed', entry.keyAt, { server: '' }));
    else {
      if (entry.digest === null) problems.push(problem('policy_entry_malformed', entry.at, { server: id }));
      entries.set(id, entry);
    }
  }
  return entries;
}

function readEntry(document: YamlDocument, item: Pair): PolicyEntry {
  const keyAt = rangeOf(item.key);
  const { node: map, shared: mapShared } = follow(document, item.value);
  const digestPair = isMap(map)
    ? map.items.find((candidate) => keyOf(candidate) === 'manifest_digest')
    : undefined;
  const { node: value, shared: valueShared } = follow(document, digestPair?.value);
  const checked = digestSchema.safeParse(isScalar(value) ? value.value : undefined);
  const at = valueRange(digestPair ?? item, digestPair && value);
  return { digest: checked.data ?? null, at, keyAt, editable: !mapShared && !valueShared };
}

function readPartial(document: YamlDocument, problems: Problem[]): boolean {
  const pair = topLevel(document, PARTIAL_KEY);
  if (pair === undefined) return false;
  const { node } = follow(document, pair.value);
  const checked = partialObservationSchema.safeParse(isScalar(node) ? node.value : undefined);
  if (!checked.success) {
    const expected = partialObservationSchema.options.map((option) => JSON.stringify(option)).join(' | ');
    problems.push(
      problem('optional_value_ignored', valueRange(pair, node), {
        path: printPath([PARTIAL_KEY]),
        expected,
      }),
    );
  }
  return checked.data === 'warning';
}

function topLevel(document: YamlDocument, key: string): Pair | undefined {
  return isMap(document.contents) ? document.contents.items.find((pair) => keyOf(pair) === key) : undefined;
}

/** A key as text; a key that reads as a number or a boolean keeps the spelling of the file. */
function keyOf(pair: Pair): string | null {
  if (!isScalar(pair.key)) return null;
  const { value, source } = pair.key;
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? (source ?? null) : null;
}

/** The node an alias stands for; `shared` when the node has an anchor or was reached through an alias. */
function follow(document: YamlDocument, value: unknown): { node: Node | null; shared: boolean } {
  const node = asNode(value);
  if (node !== null && isAlias(node)) return { node: asNode(node.resolve(document)), shared: true };
  return { node, shared: node?.anchor !== undefined };
}

function asNode(value: unknown): Node | null {
  return isNode(value) ? value : null;
}

function rangeOf(node: unknown): Range {
  const range = isNode(node) ? node.range : null;
  return range ? { start: range[0], end: range[1] } : { start: 0, end: 0 };
}

/** Where a value stands, or its key when there is none: an empty value has no place of its own. */
function valueRange(pair: Pair | undefined, value: Node | null | undefined): Range {
  const range = rangeOf(value);
  return range.end > range.start ? range : rangeOf(pair?.key);
}
