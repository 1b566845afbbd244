// The rules of a review once more, written from the specification and semantics 5 to 8 alone, as plainly as they read
// there. It shares nothing with the engine: digests come from documents.ts. Slow, and without places.
import { manifestDigest } from './documents';

type Digest = string;
type FieldName = (typeof FIELDS)[number];

const FIELDS = ['description', 'input_schema', 'output_schema', 'annotations'] as const;

export interface NaiveEntry {
  readonly name: string;
  readonly tool_digest: Digest;
  readonly privileged: boolean;
  readonly privilege_classification?: 'classified' | 'unclassified';
  readonly action_class?: string | null;
  readonly field_digests?: Readonly<Partial<Record<FieldName, Digest>>>;
}

/** A valid observed manifest. */
export interface NaiveObserved {
  readonly status: 'observed' | 'not_observed' | 'ambiguous';
  readonly server: { readonly id: string };
  readonly observed: {
    readonly manifest_digest?: Digest | null;
    readonly canonicalization: string;
    readonly tool_count?: number;
    readonly privileged_tool_count?: number;
    readonly tools_list_observed: boolean;
    readonly tools_list_complete: 'complete' | 'partial' | 'unknown';
    readonly tool_digests: readonly NaiveEntry[];
  };
}

/** A valid per-tool baseline. */
export interface NaiveDeclared {
  readonly server: { readonly id: string };
  readonly canonicalization: string;
  readonly manifest_digest: Digest;
  readonly tools: readonly NaiveEntry[];
}

/** A valid policy: which digest it approves for which server. */
export interface NaivePolicy {
  readonly digests: ReadonlyMap<string, Digest>;
  readonly partialIsWarning: boolean;
}

export interface NaiveFinding {
  readonly code: string;
  readonly severity: string;
  readonly tool: string | null;
  readonly field: string | null;
  readonly privileged: boolean | null;
  readonly notes: readonly string[];
}

/** What a review must say: findings in their order, remarks as sets of codes (with the tool where it is about one). */
export interface NaiveReview {
  readonly verdict: string;
  readonly findings: readonly NaiveFinding[];
  readonly inconclusive: ReadonlySet<string>;
  readonly warnings: ReadonlySet<string>;
}

const V0 = 'assay.mcp_manifest_projection.v0';

export function naiveReview(
  observed: NaiveObserved,
  declared: NaiveDeclared | null,
  policy: NaivePolicy | null,
): NaiveReview {
  const said = new Said();
  const approved = policy?.digests.get(observed.server.id);
  const conflict =
    declared !== null &&
    approved !== undefined &&
    brokenBaseline(observed, declared) === null &&
    declared.manifest_digest !== approved;
  if (conflict) {
    said.inconclusive.add('declared_manifest_baseline_conflict');
    return said.review();
  }
  if (declared === null && approved === undefined) said.inconclusive.add('no_declared_baseline');
  if (approved !== undefined) coarse(said, observed, approved, policy?.partialIsWarning === true);
  if (declared !== null) perTool(said, observed, declared);
  consistency(said, observed);
  return said.review();
}

class Said {
  readonly findings: NaiveFinding[] = [];
  readonly inconclusive = new Set<string>();
  readonly warnings = new Set<string>();

  review(): NaiveReview {
    const { findings, inconclusive } = this;
    // The same code from both gates is one entry; where it keeps an answer from being given, that is what it does.
    const warnings = new Set([...this.warnings].filter((code) => !inconclusive.has(code)));
    const verdict =
      findings.length > 0
        ? 'pending_tool_manifest_review'
        : inconclusive.size > 0
          ? 'inconclusive'
          : warnings.size > 0
            ? 'no_finding_with_coverage_warning'
            : 'no_finding';
    return { verdict, findings: [...findings].sort(inOrder), inconclusive, warnings };
  }
}

/** Tool name by UTF-8 bytes, then the fields in their order; the whole manifest before any tool. */
function inOrder(a: NaiveFinding, b: NaiveFinding): number {
  const rank = ({ field }: NaiveFinding) => FIELDS.findIndex((name) => name === field);
  if (a.tool === null || b.tool === null) return a.tool === b.tool ? 0 : a.tool === null ? -1 : 1;
  return Buffer.compare(Buffer.from(a.tool), Buffer.from(b.tool)) || rank(a) - rank(b);
}

function digestOf(entries: readonly NaiveEntry[]): Digest {
  return manifestDigest(
    entries.map(({ name, tool_digest, privileged }) => ({ name, tool_digest, privileged })),
  );
}

function hasDuplicates(entries: readonly NaiveEntry[]): boolean {
  return entries.some(({ name }, index) => entries.findIndex((entry) => entry.name === name) < index);
}

/** Semantics 5. */
function coarse(said: Said, record: NaiveObserved, approved: Digest, partialIsWarning: boolean): void {
  const { status, observed: block } = record;
  if (!block.tools_list_observed || status === 'not_observed') {
    said.inconclusive.add('inconclusive_manifest_not_observed');
    return;
  }
  if (status === 'ambiguous' || hasDuplicates(block.tool_digests)) {
    said.inconclusive.add('manifest_observation_ambiguous');
    return;
  }
  if (block.canonicalization !== V0) {
    said.inconclusive.add('mcp_manifest_canonicalization_mismatch');
    return;
  }
  if (block.tools_list_complete === 'partial') {
    if (!partialIsWarning) {
      said.inconclusive.add('inconclusive_manifest_partial_observation');
      return;
    }
    said.warnings.add('inconclusive_manifest_partial_observation');
  }
  const digest = block.manifest_digest ?? digestOf(block.tool_digests);
  if (digest !== approved) {
    said.findings.push({
      code: 'mcp_tool_manifest_drift',
      severity: 'medium',
      tool: null,
      field: null,
      privileged: null,
      notes: [],
    });
  } else if (block.tools_list_complete === 'unknown') {
    said.warnings.add('manifest_coverage_unknown');
  }
}

/** The first four validity checks of the per-tool gate (specification; semantics 6). */
function brokenBaseline(record: NaiveObserved, declared: NaiveDeclared): string | null {
  if (digestOf(declared.tools) !== declared.manifest_digest) return 'declared_manifest_digest_mismatch';
  if (hasDuplicates(declared.tools)) return 'declared_mcp_manifest_ambiguous';
  if (record.server.id !== declared.server.id) return 'mcp_manifest_server_mismatch';
  if (record.observed.canonicalization !== declared.canonicalization) {
    return 'mcp_manifest_canonicalization_mismatch';
  }
  return null;
}

/** Semantics 6 and 7, and the finding matrix of the specification. */
function perTool(said: Said, record: NaiveObserved, declared: NaiveDeclared): void {
  const { status, observed: block } = record;
  const broken = brokenBaseline(record, declared);
  if (broken !== null) {
    said.inconclusive.add(broken);
    return;
  }
  if (status === 'not_observed' || !block.tools_list_observed) {
    said.inconclusive.add('inconclusive_manifest_not_observed');
    return;
  }
  if (status === 'ambiguous' || hasDuplicates(block.tool_digests)) {
    said.inconclusive.add('mcp_manifest_observation_ambiguous');
    return;
  }
  const found: NaiveFinding[] = [];
  let missing = false;
  for (const entry of block.tool_digests) {
    const before = declared.tools.find(({ name }) => name === entry.name);
    if (before === undefined) {
      const code = entry.privileged ? 'mcp_new_privileged_tool' : 'mcp_tool_added';
      found.push(whole(code, entry.name, entry.privileged, []));
    } else if (entry.tool_digest === before.tool_digest) {
      if (differing(entry, before).length > 0)
        said.warnings.add(`field_attribution_inconsistent ${entry.name}`);
    } else {
      found.push(...changed(entry, before));
    }
  }
  for (const before of declared.tools) {
    if (block.tool_digests.some(({ name }) => name === before.name)) continue;
    if (block.tools_list_complete !== 'complete') missing = true;
    else {
      const code = before.privileged ? 'mcp_privileged_tool_removed' : 'mcp_tool_removed';
      found.push(whole(code, before.name, before.privileged, []));
    }
  }
  said.findings.push(...found);
  if (missing) said.inconclusive.add('inconclusive_manifest_partial_observation');
  else if (found.length === 0 && block.tools_list_complete === 'unknown') {
    said.warnings.add('manifest_coverage_unknown');
  } else if (found.length === 0 && block.tools_list_complete === 'partial') {
    said.inconclusive.add('inconclusive_manifest_partial_observation');
  }
}

function whole(code: string, tool: string, privileged: boolean, notes: readonly string[]): NaiveFinding {
  return { code, severity: privileged ? 'high' : 'medium', tool, field: null, privileged, notes };
}

/** A tool in both whose digests differ. */
function changed(entry: NaiveEntry, before: NaiveEntry): NaiveFinding[] {
  const privileged = entry.privileged || before.privileged;
  const code = privileged ? 'mcp_privileged_tool_changed' : 'mcp_tool_changed';
  const complete = [entry, before].every((one) =>
    FIELDS.every((field) => one.field_digests?.[field] !== undefined),
  );
  if (!complete) return [whole(code, entry.name, privileged, ['field_attribution_unavailable'])];
  const fields = differing(entry, before);
  if (fields.length === 0) return [whole(code, entry.name, privileged, ['field_attribution_inconsistent'])];
  return fields.map((field) => ({
    code: `mcp_tool_${field}_changed`,
    severity: SEVERITIES[field][privileged ? 'privileged' : 'ordinary'],
    tool: entry.name,
    field,
    privileged,
    notes: [],
  }));
}

/** The table of the specification. */
const SEVERITIES: Readonly<Record<FieldName, { ordinary: string; privileged: string }>> = {
  description: { ordinary: 'medium', privileged: 'high' },
  input_schema: { ordinary: 'medium', privileged: 'high' },
  annotations: { ordinary: 'low', privileged: 'medium' },
  output_schema: { ordinary: 'low', privileged: 'medium' },
};

/** The fields present on both sides whose digests differ. */
function differing(a: NaiveEntry, b: NaiveEntry): FieldName[] {
  return FIELDS.filter((field) => {
    const left = a.field_digests?.[field];
    const right = b.field_digests?.[field];
    return left !== undefined && right !== undefined && left !== right;
  });
}

/** Semantics 8: the observed record contradicts itself. */
function consistency(said: Said, { status, observed: block }: NaiveObserved): void {
  const entries = block.tool_digests;
  const { manifest_digest: digest } = block;
  let contradicts = false;
  if (digest === null && status === 'observed') contradicts = true;
  if (typeof digest === 'string' && status !== 'observed') contradicts = true;
  if (
    typeof digest === 'string' &&
    status === 'observed' &&
    block.canonicalization === V0 &&
    digest !== digestOf(entries)
  ) {
    if (entries.some(({ name }) => name.includes('\u{FFFD}'))) said.warnings.add('observed_names_sanitised');
    else contradicts = true;
  }
  if (block.tool_count !== undefined && block.tool_count !== entries.length) contradicts = true;
  const privileged = entries.filter((entry) => entry.privileged).length;
  if (block.privileged_tool_count !== undefined && block.privileged_tool_count !== privileged)
    contradicts = true;
  for (const entry of entries) {
    const { privilege_classification: classification, action_class: actionClass } = entry;
    if (classification !== undefined && (classification === 'classified') !== entry.privileged)
      contradicts = true;
    if (actionClass !== undefined && (actionClass !== null) !== entry.privileged) contradicts = true;
  }
  if (status === 'not_observed') {
    if (entries.length > 0 || block.tools_list_observed) contradicts = true;
    if (block.tools_list_complete !== 'unknown') contradicts = true;
  } else if (!block.tools_list_observed) contradicts = true;
  if (contradicts) said.inconclusive.add('observed_record_inconsistent');
}
