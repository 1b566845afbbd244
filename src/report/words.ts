import type { Field } from '../engine/canon/digests';
import type { FindingCode, ReasonCode, Severity } from '../engine/reasons';
import type { Finding, Verdict } from '../engine/verdict/result';

/** What a reason code says to people. `{tool}` stands for the tool's name. */
export interface ReasonWords {
  /** A few words, for lists. */
  readonly title: string;
  /** One sentence, for a diagnostic. */
  readonly message: string;
  /** What it means, for the explanation page. */
  readonly means: string;
  /** What it does not mean. */
  readonly limits: string;
  /** What a person can do. */
  readonly remedy: string;
}

const CHANGE_LIMITS =
  'It says that bytes differ, not how, and nothing about intent. A legitimate update looks the same.';
const ACCEPT =
  'Compare the tool definitions. If the change is wanted, copy the observed block into the baseline.';
const FIELD_MEANS =
  'The tool is in the baseline and in the observation, and the digest of this one field differs.';

/** The words of every reason code. A code without words fails to compile. */
export const REASON_WORDS: Readonly<Record<ReasonCode, ReasonWords>> = {
  mcp_tool_manifest_drift: {
    title: 'Manifest changed',
    message: 'The manifest digest differs from the one the policy approves. The change needs review.',
    means: 'The digest over all observed tools is not the one the policy map pins for this server.',
    limits: `${CHANGE_LIMITS} A policy map pins one digest for all tools, so it cannot say which tool changed.`,
    remedy: `${ACCEPT} A per-tool baseline would name the tools that changed.`,
  },
  mcp_tool_added: {
    title: 'Tool added',
    message: 'Tool “{tool}” was observed but is not in the baseline. It needs review.',
    means: 'The observation lists a tool that the baseline does not approve.',
    limits: 'A renamed tool shows as one removed and one added. Nothing is said about intent.',
    remedy: ACCEPT,
  },
  mcp_tool_changed: {
    title: 'Tool changed',
    message: 'Tool “{tool}” differs from the baseline. It needs review.',
    means: 'The digest over the whole tool differs from the one in the baseline.',
    limits: CHANGE_LIMITS,
    remedy: ACCEPT,
  },
  mcp_tool_removed: {
    title: 'Tool removed',
    message: 'Tool “{tool}” is in the baseline but was not observed. Its removal needs review.',
    means: 'The complete observation does not list a tool that the baseline approves.',
    limits:
      'A renamed tool shows as one removed and one added. A server may list other tools to another client.',
    remedy: ACCEPT,
  },
  mcp_new_privileged_tool: {
    title: 'Privileged tool added',
    message: 'Privileged tool “{tool}” was observed but is not in the baseline. It needs review.',
    means:
      'The observation lists a tool that the baseline does not approve, and its name is classified as privileged.',
    limits: 'Privileged is derived from the name alone, not from what the server says of the tool.',
    remedy: ACCEPT,
  },
  mcp_privileged_tool_changed: {
    title: 'Privileged tool changed',
    message: 'Privileged tool “{tool}” differs from the baseline. It needs review.',
    means:
      'The digest over the whole tool differs, and the observation or the baseline classifies it as privileged.',
    limits: CHANGE_LIMITS,
    remedy: ACCEPT,
  },
  mcp_privileged_tool_removed: {
    title: 'Privileged tool removed',
    message: 'Privileged tool “{tool}” is in the baseline but was not observed. Its removal needs review.',
    means: 'The complete observation does not list a privileged tool that the baseline approves.',
    limits:
      'A renamed tool shows as one removed and one added. A server may list other tools to another client.',
    remedy: ACCEPT,
  },
  mcp_tool_description_changed: {
    title: 'Description changed',
    message: 'The description of “{tool}” differs from the baseline. It needs review.',
    means: `${FIELD_MEANS} Agents read the description to decide whether and how to call a tool.`,
    limits: CHANGE_LIMITS,
    remedy: ACCEPT,
  },
  mcp_tool_input_schema_changed: {
    title: 'Input schema changed',
    message: 'The input schema of “{tool}” differs from the baseline. It needs review.',
    means: `${FIELD_MEANS} The input schema says which arguments a call may carry.`,
    limits: CHANGE_LIMITS,
    remedy: ACCEPT,
  },
  mcp_tool_output_schema_changed: {
    title: 'Output schema changed',
    message: 'The output schema of “{tool}” differs from the baseline. It needs review.',
    means: `${FIELD_MEANS} The output schema describes what a call returns.`,
    limits: CHANGE_LIMITS,
    remedy: ACCEPT,
  },
  mcp_tool_annotations_changed: {
    title: 'Annotations changed',
    message: 'The annotations of “{tool}” differ from the baseline. They need review.',
    means: `${FIELD_MEANS} Annotations are what the server says of its own tool, such as read-only.`,
    limits: `${CHANGE_LIMITS} A library update that writes out default values changes them too.`,
    remedy: ACCEPT,
  },
  inconclusive_manifest_not_observed: {
    title: 'Not observed',
    message: 'No tools/list was observed, so there is nothing to compare. This is not “no drift”.',
    means: 'The record says that the server’s tool list was never seen.',
    limits: 'It does not say that the server has no tools, or that they are unchanged.',
    remedy: 'Observe the server again.',
  },
  inconclusive_manifest_partial_observation: {
    title: 'Partly observed',
    message:
      'The tool list was not observed to its end. Removed tools cannot be told from tools that were not seen.',
    means:
      'Not every page of tools/list is known to have been seen, so a tool that is missing here may still exist.',
    limits: 'Added and changed tools are still reported; only removals and a clean result are out of reach.',
    remedy: 'Observe the server again and follow every page.',
  },
  manifest_observation_ambiguous: {
    title: 'Duplicate tool names',
    message: 'Two observed tools share one name, so the manifest has no digest to compare with the policy.',
    means: 'A manifest with duplicate names, or one that calls itself ambiguous, has no overall digest.',
    limits: 'It does not say which of the two an agent would call.',
    remedy: 'Observe the server again; if it really lists a name twice, report it to the server’s authors.',
  },
  mcp_manifest_observation_ambiguous: {
    title: 'Duplicate tool names',
    message: 'Two observed tools share one name, so tools cannot be matched with the baseline.',
    means:
      'A manifest with duplicate names, or one that calls itself ambiguous, cannot be compared tool by tool.',
    limits: 'It does not say which of the two an agent would call.',
    remedy: 'Observe the server again; if it really lists a name twice, report it to the server’s authors.',
  },
  mcp_manifest_server_mismatch: {
    title: 'Different servers',
    message: 'The observation and the baseline name different servers, so they are not compared.',
    means: 'The two documents were paired by hand, and their server ids differ.',
    limits: 'It says nothing about the tools of either.',
    remedy: 'Correct the pairing, or the server id of one of the documents.',
  },
  mcp_manifest_canonicalization_mismatch: {
    title: 'Different canonicalization',
    message: 'The digests were made by a canonicalization that cannot be compared here.',
    means: 'Digests are comparable only when both were made by the same projection.',
    limits: 'It says nothing about the tools.',
    remedy: 'Produce the record and the baseline again with the same canonicalization.',
  },
  declared_manifest_digest_mismatch: {
    title: 'Baseline digest does not match',
    message: 'The baseline’s manifest_digest is not the digest of its tools, so nothing is compared with it.',
    means:
      'The digest recomputed from the baseline’s tools differs from the one it states. One of the two was edited.',
    limits: 'It does not say which of the two is right.',
    remedy: 'Check how the baseline was edited. If its tools are right, recompute the digest.',
  },
  declared_mcp_manifest_ambiguous: {
    title: 'Duplicate names in baseline',
    message: 'The baseline lists tool “{tool}” twice, so tools cannot be matched.',
    means: 'Each tool may stand in a baseline once.',
    limits: 'It says nothing about the observation.',
    remedy: 'Remove one of the two entries and recompute the digest.',
  },
  declared_manifest_baseline_conflict: {
    title: 'Baselines disagree',
    message: 'Two baselines for this server pin different digests, so neither is used.',
    means: 'A policy and a per-tool baseline, or two baselines equally near, approve different manifests.',
    limits: 'It does not say which of them is right, or whether the observation drifted.',
    remedy: 'Bring the baselines together, or pair the one that applies by a setting.',
  },
  observed_record_inconsistent: {
    title: 'Record contradicts itself',
    message: 'This value contradicts the rest of the observed record, so the record cannot be relied on.',
    means: 'A digest, a count, a status or a privilege does not agree with the entries of the same record.',
    limits: 'It does not say how the record came to be so. An edit by hand is enough.',
    remedy: 'Produce the record again from the observation. Do not edit it by hand.',
  },
  no_declared_baseline: {
    title: 'No baseline',
    message: 'No baseline approves server “{server}”, so there is nothing to compare with.',
    means: 'Neither a per-tool baseline nor a policy in this folder names the observed server.',
    limits: 'It does not say that anything changed.',
    remedy: 'Review the tools once, then copy the observed block into a baseline.',
  },
  observed_manifest_missing: {
    title: 'No observation',
    message: 'Server “{server}” has a baseline, but no observed manifest was found.',
    means: 'No document in this folder observes a server that a baseline or a policy names.',
    limits: 'It does not say that the server is unchanged, or that it was never observed elsewhere.',
    remedy: 'Observe the server, or remove the baseline if the server is no longer used.',
  },
  document_invalid: {
    title: 'Document cannot be used',
    message: 'A document of this review cannot be used as it is.',
    means:
      'The document says that it is a manifest, a baseline or a policy, but it breaks a rule of the format.',
    limits: 'It says nothing about the tools.',
    remedy: 'Mend the place that the problem points at.',
  },
  paired_baseline_missing: {
    title: 'Paired baseline not found',
    message:
      'A pairing names a baseline for this manifest that was not found, so nothing is compared with it.',
    means:
      'The setting “Pairings” names a file that does not exist, is excluded, or is no baseline of that kind.',
    limits: 'It does not say that anything changed.',
    remedy: 'Correct the path in the setting, or add the file.',
  },
  manifest_coverage_unknown: {
    title: 'Coverage unknown',
    message: 'No drift was found, but the tool list is not known to be complete.',
    means: 'The digests are equal, but the observer could not prove that it saw the whole list.',
    limits: 'It is not a clean result: tools that were not seen may exist.',
    remedy: 'Observe the server again and follow every page.',
  },
  other_baseline_differs: {
    title: 'Another baseline differs',
    message:
      'This baseline is for server “{server}” too, but another one is nearer to the observation and applies.',
    means: 'The folder holds two baselines for one server with different digests. The nearer one was used.',
    limits: 'It does not say which of them is right.',
    remedy: 'Remove the baseline that is out of date.',
  },
  observed_names_sanitised: {
    title: 'Names were altered when written',
    message: 'Tool “{tool}” had a control character in its name, so the digest cannot be recomputed here.',
    means: 'The producer replaced a control character by U+FFFD after the digest was made.',
    limits: 'It does not say that the digest is wrong, only that it cannot be checked.',
    remedy: 'Look at the tool’s name where it was observed.',
  },
  field_attribution_unavailable: {
    title: 'Fields cannot be told',
    message: 'Which field of “{tool}” changed cannot be told: one side lacks field digests.',
    means: 'All four field digests are needed on both sides to say which field changed.',
    limits: 'The change itself is certain.',
    remedy: 'Copy a new observed block into the baseline; it carries field digests.',
  },
  field_attribution_inconsistent: {
    title: 'Field digests disagree',
    message: 'The field digests of “{tool}” do not agree with its tool digest, so they explain nothing.',
    means: 'The tool digest decides whether a tool changed. Here the field digests tell another story.',
    limits: 'It does not say which of them is wrong.',
    remedy: 'Produce the record again from the observation.',
  },
};

export const SEVERITY_WORDS: Readonly<Record<Severity, string>> = {
  high: 'high',
  medium: 'medium',
  low: 'low',
};

export const VERDICT_WORDS: Readonly<Record<Verdict, string>> = {
  pending_tool_manifest_review: 'needs review',
  inconclusive: 'inconclusive',
  no_finding_with_coverage_warning: 'no finding, coverage warning',
  no_finding: 'no finding',
};

export const FIELD_WORDS: Readonly<Record<Field, string>> = {
  description: 'description',
  input_schema: 'input schema',
  output_schema: 'output schema',
  annotations: 'annotations',
};

/** What happened to a whole tool, in one word. */
const CHANGE_WORDS: Readonly<Record<FindingCode, string>> = {
  mcp_tool_manifest_drift: 'manifest changed',
  mcp_tool_added: 'added',
  mcp_new_privileged_tool: 'added',
  mcp_tool_changed: 'changed',
  mcp_privileged_tool_changed: 'changed',
  mcp_tool_removed: 'removed',
  mcp_privileged_tool_removed: 'removed',
  mcp_tool_description_changed: FIELD_WORDS.description,
  mcp_tool_input_schema_changed: FIELD_WORDS.input_schema,
  mcp_tool_output_schema_changed: FIELD_WORDS.output_schema,
  mcp_tool_annotations_changed: FIELD_WORDS.annotations,
};

/** What a finding is about, in a few words: the field that changed, or what happened to the tool, and the notes on it. */
export function changeWord({ code, notes }: Pick<Finding, 'code' | 'notes'>): string {
  const remarks = notes.map((note) => REASON_WORDS[note].title.toLowerCase());
  return remarks.length === 0 ? CHANGE_WORDS[code] : `${CHANGE_WORDS[code]} (${remarks.join(', ')})`;
}

/** What a clean result leaves open (semantics 11). */
export const NOT_COVERED =
  'Not covered by the digest: title, icons, _meta, execution, and what the tools do.';
