import canonicalize from 'canonicalize';
import { compareUtf8 } from './order';

/** SHA-256 of a text's UTF-8 bytes, as 64 lower-case hex digits. Each host hands in its own. */
export type Sha256 = (text: string) => string;

/** The canonicalization this version knows; it stands inside the hashed preimage. */
export const MANIFEST_PROJECTION = 'assay.mcp_manifest_projection.v0';
const FIELD_PROJECTION = 'assay.mcp_tool_field.v0';

/** The four fields of a tool the digest covers besides its name, in the specification's order. */
export const FIELDS = ['description', 'input_schema', 'output_schema', 'annotations'] as const;
export type Field = (typeof FIELDS)[number];
export type FieldDigests = Record<Field, string>;

/** A tool projected onto what is hashed (specification, "Canonicalization"). */
export type ToolProjection = { readonly name: string } & Readonly<Record<Field, unknown>>;

/**
 * A JSON value as RFC 8785 text.
 * Throws when the value has no canonical form: a lone surrogate, a number that is not finite, or no JSON at all.
 */
export function canonicalText(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError('The value has no canonical form.');
  return text;
}

/**
 * `tool_digest` and the four `field_digests` of one tool (specification, "Canonicalization" and "Per-field
 * canonicalization"). Throws as {@link canonicalText}.
 */
export function digestTool(
  tool: ToolProjection,
  sha256: Sha256,
): { toolDigest: string; fieldDigests: FieldDigests } {
  // JCS composes: each field is canonicalised once and spliced into both preimages, keys in code-unit order.
  const field = (name: Field) => canonicalText(tool[name]);
  const texts = {
    description: field('description'),
    input_schema: field('input_schema'),
    output_schema: field('output_schema'),
    annotations: field('annotations'),
  };
  const tagged = (name: Field) =>
    digest(`{"field":"${name}","projection":"${FIELD_PROJECTION}","value":${texts[name]}}`, sha256);
  const projection =
    `{"annotations":${texts.annotations},"description":${texts.description},"input_schema":${texts.input_schema},` +
    `"name":${canonicalText(tool.name)},"output_schema":${texts.output_schema}}`;
  return {
    toolDigest: digest(projection, sha256),
    fieldDigests: {
      description: tagged('description'),
      input_schema: tagged('input_schema'),
      output_schema: tagged('output_schema'),
      annotations: tagged('annotations'),
    },
  };
}

/**
 * `manifest_digest` over entries in any order (specification, "Canonicalization"; order of entries: semantics 2).
 * Throws as {@link canonicalText}.
 */
export function digestManifest(
  entries: readonly { readonly name: string; readonly tool_digest: string }[],
  sha256: Sha256,
): string {
  // Spliced as above. A digest is hex: quoted, it is canonical already.
  const tools = [...entries]
    .sort(compareEntries)
    .map(({ name, tool_digest }) => `{"name":${canonicalText(name)},"tool_digest":"${tool_digest}"}`);
  return digest(`{"projection":"${MANIFEST_PROJECTION}","tools":[${tools.join(',')}]}`, sha256);
}

/** The order of a manifest's entries: name, then digest, by UTF-8 bytes. */
export function compareEntries(
  a: { readonly name: string; readonly tool_digest: string },
  b: { readonly name: string; readonly tool_digest: string },
): number {
  return compareUtf8(a.name, b.name) || compareUtf8(a.tool_digest, b.tool_digest);
}

function digest(preimage: string, sha256: Sha256): string {
  return `sha256:${sha256(preimage)}`;
}
