import * as z from 'zod';
import { FIELDS } from '../canon/digests';

/** The schema ids documents say they are (semantics 1). */
export const OBSERVED_SCHEMA = 'assay.mcp_manifest_observed.v0';
export const DECLARED_SCHEMA = 'assay.declared_mcp_manifest.v0';
export const HEALTH_SCHEMA = 'assay.proxy_observation_health.v0';
/** The top-level key that makes a document a policy (specification, "Baseline"). */
export const POLICY_KEY = 'declared_mcp_manifests';
/** The top-level key by which a policy turns a partial observation into a warning (semantics 5). */
export const PARTIAL_KEY = 'mcp_manifest_partial_observation';

export const COMPLETENESS = ['complete', 'partial', 'unknown'] as const;
export type Completeness = (typeof COMPLETENESS)[number];

export const digestSchema = z.string().regex(/^sha256:[0-9a-f]{64}$/, 'digest');

const fieldDigests = z.object({
  description: digestSchema.optional(),
  input_schema: digestSchema.optional(),
  output_schema: digestSchema.optional(),
  annotations: digestSchema.optional(),
});

const toolEntry = z.object({
  name: z.string(),
  tool_digest: digestSchema,
  privileged: z.boolean(),
  privilege_classification: z.enum(['classified', 'unclassified']).optional(),
  action_class: z.string().nullable().optional(),
  field_digests: fieldDigests.optional(),
});

const server = z.object({ id: z.string() });
const count = z.int().min(0).optional();

/** An observed manifest record (specification, "Observed manifest record"; required keys: semantics 1). */
export const observedSchema = z.object({
  schema: z.literal(OBSERVED_SCHEMA),
  status: z.enum(['observed', 'not_observed', 'ambiguous']),
  server,
  observed: z.object({
    manifest_digest: digestSchema.nullable().optional(),
    canonicalization: z.string(),
    tool_count: count,
    privileged_tool_count: count,
    tools_list_observed: z.boolean(),
    tools_list_complete: z.enum(COMPLETENESS),
    tool_digests: z.array(toolEntry),
  }),
});

/** A per-tool baseline (specification, "Baseline: assay.declared_mcp_manifest.v0"). */
export const declaredSchema = z.object({
  schema: z.literal(DECLARED_SCHEMA),
  server,
  canonicalization: z.string(),
  manifest_digest: digestSchema,
  tools: z.array(toolEntry),
});

/** One server's entry in a policy's map (specification, "Baseline (v0: policy-map/config)"). */
export const policyEntrySchema = z.object({ manifest_digest: digestSchema });

/** What a policy may say of partial observations; `inconclusive` is the default written out. */
export const partialObservationSchema = z.enum(['warning', 'inconclusive']);

export type ToolEntry = z.infer<typeof toolEntry>;
export type ObservedManifest = z.infer<typeof observedSchema>;
export type DeclaredManifest = z.infer<typeof declaredSchema>;

/** Keys whose value may be left out; a malformed value under one of them counts as absent (semantics 1). */
export const OPTIONAL_KEYS: ReadonlySet<string | number> = new Set<string>([
  'manifest_digest',
  'tool_count',
  'privileged_tool_count',
  'privilege_classification',
  'action_class',
  'field_digests',
  ...FIELDS,
]);
