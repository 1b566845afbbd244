import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  parseAllDocuments,
  type Node,
  type Pair,
  visit,
} from 'yaml';
import { isWellFormed, MAX_DEPTH } from '../json/limits';
import { printPath } from '../json/reader';
import { isFatal, problem, type Problem, type Range } from '../problems';
import type { PolicyDocument, PolicyEntry } from './documents';
import type { Source } from './place';
import { digestSchema, PARTIAL_KEY, partialObservationSchema, POLICY_KEY } from './schema';

/**
 * Reads a policy written as YAML 1.2 (semantics 1 and 5). Output: the policy with its problems, or null when the text
 * is no policy. Never throws; aliases are followed one step at a time and never expanded.
 */
export function readYamlPolicy(source: Source): PolicyDocument | null {
  const documents = parse(source.text);
  if (documents === 'too deep') {
    const at = { start: 0, end: 0 };
    return invalid(source, [problem('nesting_too_deep', at, { path: '$', limit: MAX_DEPTH })]);
  }
  const [document] = documents;
  const syntax = documents.flatMap((d) => d.errors).map(syntaxProblem);
  if (syntax.length > 0) return source.text.includes(POLICY_KEY) ? invalid(source, syntax) : null;
  if (document === undefined || !documents.some(isPolicy)) return null;
  const second = documents[1];
  if (second !== undefined) {
    const start = second.range[0];
    return invalid(source, [
      problem('yaml_several_documents', { start, end: start }, { count: documents.length }),
    ]);
  }
  const problems: Problem[] = [...limitProblems(document)];
  const entries = readEntries(document, problems);
  const partialIsWarning = readPartial(document, problems);
  return { kind: 'policy', source, problems, valid: !isFatal(problems), entries, partialIsWarning };
}

type YamlDocument = Document.Parsed;

function parse(text: string): YamlDocument[] | 'too deep' {
  try {
    const parsed = parseAllDocuments(text, { version: '1.2', prettyErrors: false });
    return Array.isArray(parsed) ? parsed : [];
  } catch (error) {
    // The parser recurses over nested collections; nothing else it throws is known.
    if (error instanceof RangeError) return 'too deep';
    throw error;
  }
}

function invalid(source: Source, problems: Problem[]): PolicyDocument {
  return { kind: 'policy', source, problems, valid: false, entries: new Map(), partialIsWarning: false };
}

function syntaxProblem(error: YamlDocument['errors'][number]): Problem {
  const at = { start: error.pos[0], end: error.pos[1] };
  if (error.code === 'DUPLICATE_KEY') return problem('duplicate_key', at, { key: '' });
  return problem('yaml_syntax', at, { expected: error.code });
}

function isPolicy(document: YamlDocument): boolean {
  return isMap(document.contents) && document.contents.items.some((pair) => keyOf(pair) === POLICY_KEY);
}

/** The reading rules of semantics 1 that YAML's own parser does not enforce. */
function limitProblems(document: YamlDocument): Problem[] {
  const problems: Problem[] = [];
  visit(document, {
    Node: (_key, node, ancestors) => {
      // Ancestors hold the document and a pair for each map entry beside the collections themselves.
      const depth = ancestors.filter((ancestor) => 'items' in ancestor).length + 1;
      if (depth > MAX_DEPTH && 'items' in node) {
        problems.push(problem('nesting_too_deep', rangeOf(node), { path: '$', limit: MAX_DEPTH }));
        return visit.BREAK;
      }
      if (isScalar(node)) {
        if (typeof node.value === 'string' && !isWellFormed(node.value))
          problems.push(problem('lone_surrogate', rangeOf(node), { path: '$' }));
        const beyondRange =
          typeof node.value === 'number' && !Number.isFinite(node.value) && /\d/.test(node.source ?? '');
        if (beyondRange) problems.push(problem('number_out_of_range', rangeOf(node), { path: '$' }));
        if (Number.isInteger(node.value) && !Number.isSafeInteger(node.value))
          problems.push(problem('integer_not_exact', rangeOf(node), { path: '$' }));
      }
      return undefined;
    },
  });
  return problems;
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
  return typeof pair.key.value === 'string' ? pair.key.value : (pair.key.source ?? null);
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
