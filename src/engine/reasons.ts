import type { Field } from './canon/digests';

export type Severity = 'high' | 'medium' | 'low';

/**
 * Every reason code, once (specification, "Reason codes", "Validity checks" and "Coverage rules"; semantics 8 and 9).
 * A finding needs review; an inconclusive says that no answer can be given; a warning limits an answer that was given;
 * a note stands on a finding. `severity` is that of the code itself; field findings take theirs from the table below.
 */
export const REASONS = {
  mcp_tool_manifest_drift: { kind: 'finding', severity: 'medium' },
  mcp_tool_added: { kind: 'finding', severity: 'medium' },
  mcp_tool_changed: { kind: 'finding', severity: 'medium' },
  mcp_tool_removed: { kind: 'finding', severity: 'medium' },
  mcp_new_privileged_tool: { kind: 'finding', severity: 'high' },
  mcp_privileged_tool_changed: { kind: 'finding', severity: 'high' },
  mcp_privileged_tool_removed: { kind: 'finding', severity: 'high' },
  mcp_tool_description_changed: { kind: 'finding', severity: 'by field' },
  mcp_tool_input_schema_changed: { kind: 'finding', severity: 'by field' },
  mcp_tool_output_schema_changed: { kind: 'finding', severity: 'by field' },
  mcp_tool_annotations_changed: { kind: 'finding', severity: 'by field' },

  inconclusive_manifest_not_observed: { kind: 'inconclusive' },
  inconclusive_manifest_partial_observation: { kind: 'inconclusive or warning' },
  manifest_observation_ambiguous: { kind: 'inconclusive' },
  mcp_manifest_observation_ambiguous: { kind: 'inconclusive' },
  mcp_manifest_server_mismatch: { kind: 'inconclusive' },
  mcp_manifest_canonicalization_mismatch: { kind: 'inconclusive' },
  declared_manifest_digest_mismatch: { kind: 'inconclusive' },
  declared_mcp_manifest_ambiguous: { kind: 'inconclusive' },
  declared_manifest_baseline_conflict: { kind: 'inconclusive' },
  observed_record_inconsistent: { kind: 'inconclusive' },
  no_declared_baseline: { kind: 'inconclusive' },
  observed_manifest_missing: { kind: 'inconclusive' },
  document_invalid: { kind: 'inconclusive' },
  paired_baseline_missing: { kind: 'inconclusive' },

  manifest_coverage_unknown: { kind: 'warning' },
  other_baseline_differs: { kind: 'warning' },
  observed_names_sanitised: { kind: 'warning' },

  field_attribution_unavailable: { kind: 'note' },
  field_attribution_inconsistent: { kind: 'note or warning' },
} as const satisfies Record<string, Reason>;

type Reason =
  | { readonly kind: 'finding'; readonly severity: Severity | 'by field' }
  | { readonly kind: 'inconclusive' | 'warning' | 'note' | 'inconclusive or warning' | 'note or warning' };

export type ReasonCode = keyof typeof REASONS;

type CodesOf<Kind extends Reason['kind']> = {
  [Code in ReasonCode]: (typeof REASONS)[Code]['kind'] extends Kind ? Code : never;
}[ReasonCode];

export type FindingCode = CodesOf<'finding'>;
export type InconclusiveCode = CodesOf<'inconclusive' | 'inconclusive or warning'>;
export type WarningCode = CodesOf<'warning' | 'inconclusive or warning' | 'note or warning'>;
export type NoteCode = CodesOf<'note' | 'note or warning'>;

/** The reason code of a changed field, with its severity for ordinary and for privileged tools (specification, "Severity"). */
export const FIELD_REASONS = {
  description: { code: 'mcp_tool_description_changed', ordinary: 'medium', privileged: 'high' },
  input_schema: { code: 'mcp_tool_input_schema_changed', ordinary: 'medium', privileged: 'high' },
  output_schema: { code: 'mcp_tool_output_schema_changed', ordinary: 'low', privileged: 'medium' },
  annotations: { code: 'mcp_tool_annotations_changed', ordinary: 'low', privileged: 'medium' },
} as const satisfies Record<Field, { code: FindingCode; ordinary: Severity; privileged: Severity }>;
