import {
  digestManifest,
  digestTool,
  type FieldDigests,
  MANIFEST_PROJECTION,
  type Sha256,
  type ToolProjection,
} from '../canon/digests';
import { compareEntries } from '../canon/digests';
import { own } from './check';
import { classify, type Privilege } from './privilege';
import { NON_CLAIMS } from './record';
import { type Completeness, OBSERVED_SCHEMA } from './schema';

type ProducedEntry = { name: string; tool_digest: string } & Privilege & { field_digests: FieldDigests };

/** An observed manifest record in the key order of the specification's example. */
export interface ProducedRecord {
  schema: typeof OBSERVED_SCHEMA;
  status: 'observed' | 'ambiguous';
  server: { id: string };
  observed: {
    manifest_digest: string | null;
    canonicalization: typeof MANIFEST_PROJECTION;
    tool_count: number;
    privileged_tool_count: number;
    tools_list_observed: true;
    tools_list_complete: Completeness;
    tool_digests: ProducedEntry[];
  };
  non_claims: readonly string[];
}

/**
 * Makes the observed record of tool definitions exactly as they were on the wire (semantics 4; specification,
 * "Producer"). Definitions must come from `JSON.parse`, untouched: whatever they hold reaches the hash.
 * Throws when a definition holds a value that has no canonical form.
 */
export function produce(
  definitions: readonly unknown[],
  serverId: string,
  completeness: Completeness,
  sha256: Sha256,
): ProducedRecord {
  const raw = definitions.map((definition) => {
    const projection = project(definition);
    const { toolDigest, fieldDigests } = digestTool(projection, sha256);
    return { name: projection.name, tool_digest: toolDigest, field_digests: fieldDigests };
  });
  raw.sort(compareEntries);
  const entries = raw.map(({ name, tool_digest, field_digests }) => ({
    name: sanitise(name),
    tool_digest,
    ...classify(name),
    field_digests,
  }));
  const ambiguous = new Set(raw.map(({ name }) => name)).size < raw.length;
  return {
    schema: OBSERVED_SCHEMA,
    status: ambiguous ? 'ambiguous' : 'observed',
    server: { id: sanitise(serverId) },
    observed: {
      manifest_digest: ambiguous ? null : digestManifest(raw, sha256),
      canonicalization: MANIFEST_PROJECTION,
      tool_count: entries.length,
      privileged_tool_count: entries.filter(({ privileged }) => privileged).length,
      tools_list_observed: true,
      tools_list_complete: completeness,
      tool_digests: entries,
    },
    non_claims: NON_CLAIMS,
  };
}

/** A definition's fields as they are hashed: absent and null alike are null, the wire's camelCase spelling wins. */
function project(definition: unknown): ToolProjection {
  const name = own(definition, 'name');
  return {
    name: typeof name === 'string' ? name : '',
    description: own(definition, 'description') ?? null,
    input_schema: eitherSpelling(definition, 'inputSchema', 'input_schema'),
    output_schema: eitherSpelling(definition, 'outputSchema', 'output_schema'),
    annotations: own(definition, 'annotations') ?? null,
  };
}

function eitherSpelling(definition: unknown, camel: string, snake: string): unknown {
  const wire = own(definition, camel);
  return (wire === undefined ? own(definition, snake) : wire) ?? null;
}

/** Every control character except tab, newline and carriage return becomes U+FFFD (semantics 4). */
function sanitise(text: string): string {
  return text.replace(/(?![\t\n\r])\p{Cc}/gu, '\u{FFFD}');
}
