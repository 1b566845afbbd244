import type * as z from 'zod';
import { decodeUtf8 } from '../json/decode';
import { Lines } from '../json/lines';
import type { JsonPath } from '../json/nodes';
import { isSound, type JsonText, readJson } from '../json/reader';
import { problem, type Problem } from '../problems';
import { check, own } from './check';
import type {
  DeclaredDocument,
  DocumentKind,
  ManifestDocument,
  ObservedDocument,
  PolicyDocument,
} from './documents';
import type { Source } from './place';
import { readJsonPolicy } from './policyJson';
import { readYamlPolicy } from './policyYaml';
import {
  DECLARED_SCHEMA,
  declaredSchema,
  OBSERVED_SCHEMA,
  observedSchema,
  OPTIONAL_KEYS,
  POLICY_KEY,
} from './schema';

/**
 * Reads one document from a file's bytes (semantics 1). Output: the document with its problems, or null when it is
 * none of the kinds. Never throws.
 */
export function readBytes(uri: string, bytes: Uint8Array): ManifestDocument | null {
  const { text, lossy } = decodeUtf8(bytes);
  if (lossy === undefined) return readText(uri, text);
  const kind = kindInText(text);
  return kind === null ? null : unreadable[kind](uri, lossy);
}

/** As {@link readBytes}, from a text that was already decoded: an editor's buffer. */
export function readText(uri: string, text: string): ManifestDocument | null {
  if (kindInText(text) === null && !text.includes('\\')) return null;
  const source: Source = { uri, text, lines: new Lines(text) };
  const yaml = isYaml(uri, text);
  // JSON is YAML too: a manifest under a YAML name is what it says it is.
  if (yaml && !/^\s*\{/.test(text)) return readYamlPolicy(source);
  const json = readJson(text);
  if (yaml && !isManifest(json.value)) return readYamlPolicy(source);
  const kind =
    json.value === undefined ? kindInText(text) : (kindOf(json.value) ?? kindOfDoubledSchema(text, json));
  switch (kind) {
    case 'observed':
      return readObserved(source, json);
    case 'declared':
      return readDeclared(source, json);
    case 'policy':
      return readJsonPolicy(source, json);
    case null:
      return null;
  }
}

/** Makes the document of a file that could not be read at all, with the one problem that says why. */
export const unreadable = {
  observed: (uri: string, why: Problem): ObservedDocument => ({
    ...textless(uri, why),
    kind: 'observed',
    serverId: null,
    content: null,
  }),
  declared: (uri: string, why: Problem): DeclaredDocument => ({
    ...textless(uri, why),
    kind: 'declared',
    serverId: null,
    content: null,
  }),
  policy: (uri: string, why: Problem): PolicyDocument => ({
    ...textless(uri, why),
    kind: 'policy',
    valid: false,
    entries: new Map(),
    partialIsWarning: false,
  }),
} satisfies Record<DocumentKind, (uri: string, why: Problem) => ManifestDocument>;

function textless(uri: string, why: Problem) {
  return { source: { uri, text: '', lines: new Lines('') }, problems: [why] };
}

/** The problem of a file over the size limit, both in bytes. */
export function tooLarge(size: number, limit: number): Problem {
  return problem('file_too_large', { start: 0, end: 0 }, { size, limit });
}

function readObserved(source: Source, json: JsonText): ObservedDocument {
  const { problems, content } = readManifest(json, observedSchema, ['observed', 'tool_digests']);
  return { kind: 'observed', source, problems, serverId: statedServerId(json), content };
}

function readDeclared(source: Source, json: JsonText): DeclaredDocument {
  const { problems, content } = readManifest(json, declaredSchema, ['tools']);
  return { kind: 'declared', source, problems, serverId: statedServerId(json), content };
}

function readManifest<T>(json: JsonText, schema: z.ZodType<T>, entriesPath: JsonPath) {
  if (json.value === undefined) return { problems: json.problems, content: null };
  const checked = check(json, schema, isOptional);
  // The kind was told by `schema`: when the value kept is another one, the doubled key is what is wrong.
  const problems = [
    ...json.problems,
    ...checked.problems.filter(({ detail }) => detail['path'] !== '$.schema'),
  ];
  if (checked.content === null || !isSound(json)) return { problems, content: null };
  const entryNodes = json.nodes.children(json.nodes.resolve(entriesPath).node);
  return { problems, content: { manifest: checked.content, nodes: json.nodes, entryNodes } };
}

/** Nothing at the root may be left out: a baseline's own `manifest_digest` is required, an observed record's is not. */
function isOptional(path: JsonPath): boolean {
  return path.length > 1 && OPTIONAL_KEYS.has(path.at(-1) ?? '');
}

/** The server a document names, also when it is invalid elsewhere, so that it can still be paired. */
function statedServerId(json: JsonText): string | null {
  const id = own(own(json.value, 'server'), 'id');
  return typeof id === 'string' ? id : null;
}

function isManifest(value: unknown): boolean {
  const kind = kindOf(value);
  return kind === 'observed' || kind === 'declared';
}

function kindOf(value: unknown): DocumentKind | null {
  const schema = own(value, 'schema');
  if (schema === OBSERVED_SCHEMA) return 'observed';
  if (schema === DECLARED_SCHEMA) return 'declared';
  return typeof value === 'object' && value !== null && Object.hasOwn(value, POLICY_KEY) ? 'policy' : null;
}

/** The kind that the first of two `schema` keys tells: a parser keeps the last, a person reads the first. */
function kindOfDoubledSchema(text: string, { nodes }: JsonText): DocumentKind | null {
  const kinds = nodes
    .children(0)
    .filter((node) => nodes.key(node) === 'schema')
    .map((node) =>
      kindOf({ schema: JSON.parse(text.slice(nodes.range(node).start, nodes.range(node).end)) as unknown }),
    );
  return kinds.find((kind) => kind !== null) ?? null;
}

/** The kind a text speaks of first, for texts that cannot be parsed (semantics 1). */
function kindInText(text: string): DocumentKind | null {
  const marks: readonly (readonly [DocumentKind, string])[] = [
    ['observed', OBSERVED_SCHEMA],
    ['declared', DECLARED_SCHEMA],
    ['policy', POLICY_KEY],
  ];
  const found = marks
    .map(([kind, mark]) => ({ kind, at: text.indexOf(mark) }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at);
  return found[0]?.kind ?? null;
}

/** A document is YAML by its name; without a telling name it is JSON when it begins like an object. */
function isYaml(uri: string, text: string): boolean {
  if (/\.ya?ml$/i.test(uri)) return true;
  return !/\.jsonc?$/i.test(uri) && !/^\s*[{[]/.test(text);
}
