// Documents for tests, with digests of their own making: node's crypto and the npm canonicalizer, none of the engine.
import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { Json, JsonObject } from './layout';

export const OBSERVED = 'assay.mcp_manifest_observed.v0';
export const DECLARED = 'assay.declared_mcp_manifest.v0';
export const PROJECTION = 'assay.mcp_manifest_projection.v0';

/** The four fields beside a tool's name. */
export interface Definition {
  readonly description?: Json;
  readonly input_schema?: Json;
  readonly output_schema?: Json;
  readonly annotations?: Json;
}

/** A tool's entry in an observed manifest or a baseline. */
export interface Entry extends JsonObject {
  readonly name: string;
  readonly tool_digest: string;
  readonly privileged: boolean;
}

/** `sha256:` and the digest of a value's canonical text. */
export function digest(value: Json): string {
  return `sha256:${createHash('sha256')
    .update(canonicalize(value) ?? '', 'utf8')
    .digest('hex')}`;
}

function complete(definition: Definition) {
  return {
    description: 'Does a thing.',
    input_schema: { type: 'object' },
    output_schema: null,
    annotations: null,
    ...definition,
  };
}

export function toolDigest(name: string, definition: Definition = {}): string {
  return digest({ name, ...complete(definition) });
}

export function fieldDigests(definition: Definition = {}) {
  const { description, input_schema, output_schema, annotations } = complete(definition);
  const one = (field: string, value: Json) => digest({ projection: 'assay.mcp_tool_field.v0', field, value });
  return {
    description: one('description', description),
    input_schema: one('input_schema', input_schema),
    output_schema: one('output_schema', output_schema),
    annotations: one('annotations', annotations),
  };
}

/** `manifest_digest` of entries, sorted by the bytes of name and digest. */
export function manifestDigest(entries: readonly Entry[]): string {
  const tools = entries
    .map(({ name, tool_digest }) => ({ name, tool_digest }))
    .sort(
      (a, b) =>
        Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)) ||
        Buffer.compare(Buffer.from(a.tool_digest), Buffer.from(b.tool_digest)),
    );
  return digest({ projection: PROJECTION, tools });
}

/** An ordinary tool's entry with the required keys alone. */
export function ordinary(name: string, definition: Definition = {}): Entry {
  return { name, tool_digest: toolDigest(name, definition), privileged: false };
}

/** A privileged tool's entry with the required keys alone. */
export function privileged(name: string, definition: Definition = {}): Entry {
  return { name, tool_digest: toolDigest(name, definition), privileged: true };
}

/** An entry with its classification; `actionClass` null for an ordinary tool. */
export function classified(name: string, actionClass: string | null, definition: Definition = {}): Entry {
  return {
    name,
    tool_digest: toolDigest(name, definition),
    privileged: actionClass !== null,
    privilege_classification: actionClass === null ? 'unclassified' : 'classified',
    action_class: actionClass,
  };
}

/** An entry with its field digests, or with those named. */
export function withFields(entry: Entry, definition: Definition = {}, only?: readonly string[]): Entry {
  const all = Object.entries(fieldDigests(definition));
  const kept = only === undefined ? all : all.filter(([field]) => only.includes(field));
  return { ...entry, field_digests: Object.fromEntries(kept) };
}

/** What differs from an ordinary record; a value of undefined leaves the key out. */
export interface RecordChanges {
  readonly id?: string;
  readonly status?: Json | undefined;
  readonly block?: JsonObject;
  readonly more?: JsonObject;
}

/** An observed manifest of a complete observation, consistent unless the changes say otherwise. */
export function observed(tools: readonly Entry[], changes: RecordChanges = {}) {
  return {
    schema: OBSERVED,
    status: 'status' in changes ? changes.status : 'observed',
    server: { id: changes.id ?? 'github' },
    observed: {
      manifest_digest: manifestDigest(tools),
      canonicalization: PROJECTION,
      tool_count: tools.length,
      privileged_tool_count: tools.filter((tool) => tool.privileged).length,
      tools_list_observed: true,
      tools_list_complete: 'complete',
      tool_digests: tools,
      ...changes.block,
    },
    ...changes.more,
  };
}

/** The record of a server whose tools/list was never seen. */
export function notObserved(changes: RecordChanges = {}) {
  const block = { manifest_digest: null, tools_list_observed: false, tools_list_complete: 'unknown' };
  return observed([], { status: 'not_observed', ...changes, block: { ...block, ...changes.block } });
}

/** A per-tool baseline whose digest recomputes unless `more` says otherwise. */
export function declared(tools: readonly Entry[], changes: { id?: string; more?: JsonObject } = {}) {
  return {
    schema: DECLARED,
    server: { id: changes.id ?? 'github' },
    canonicalization: PROJECTION,
    manifest_digest: manifestDigest(tools),
    tools,
    ...changes.more,
  };
}

/** A policy as a person writes it; `head` holds lines before the map. */
export function policy(digests: Readonly<Record<string, string>>, head = ''): string {
  const entries = Object.entries(digests).map(([id, value]) => `  ${id}:\n    manifest_digest: "${value}"\n`);
  return `${head}declared_mcp_manifests:\n${entries.join('')}`;
}
