import { digestManifest, MANIFEST_PROJECTION, type Sha256 } from '../canon/digests';
import { judgeConsistency } from '../verdict/consistency';
import { declaredSide, firstDuplicate, observedSide } from '../verdict/positions';
import { printBaseline, rewriteBaseline, sameEntry } from './baseline';
import type { DeclaredDocument, ObservedDocument, PolicyDocument } from '../manifest/documents';
import type { ObservedManifest, ToolEntry } from '../manifest/schema';

/** Why an observation cannot be copied into a baseline (semantics 10). */
export type Refusal =
  | 'observed_invalid'
  | 'observed_inconsistent'
  | 'not_observed'
  | 'observation_incomplete'
  | 'names_not_unique'
  | 'digest_not_recomputable'
  | 'canonicalization_unknown'
  | 'observation_changed'
  | 'baseline_invalid'
  | 'server_differs'
  | 'policy_invalid'
  | 'policy_entry_shared'
  | 'several_baselines'
  | 'baseline_missing'
  | 'paired_policy_missing'
  | 'tool_unknown'
  | 'removal_not_observed';

/** What accepting an observation changes for one tool. */
export interface ToolChange {
  readonly tool: string;
  readonly change: 'added' | 'changed' | 'removed';
  readonly privileged: boolean;
}

/** One file of a promotion: its text before, null when it is to be created, and after. */
export interface FileChange {
  readonly uri: string;
  readonly before: string | null;
  readonly after: string;
}

/** Everything a promotion would write, and what it accepts; nothing is written here. */
export interface Promotion {
  readonly serverId: string;
  readonly manifestDigest: string;
  readonly files: readonly FileChange[];
  /** Tools that differ from the per-tool baseline; from an empty one when only a policy applies or nothing does. */
  readonly tools: readonly ToolChange[];
}

/** Where an observation is to be copied: the baselines that apply, or the address of one to be created. */
export interface PromotionTarget {
  readonly declared: DeclaredDocument | null;
  readonly policy: PolicyDocument | null;
  readonly newBaseline: string;
}

/**
 * Plans copying a clean observed block into its baselines (semantics 10).
 *
 * @param reviewed the `manifest_digest` the person saw; null to take the document as it is.
 */
export function planPromotion(
  observed: ObservedDocument,
  target: PromotionTarget,
  reviewed: string | null,
  sha256: Sha256,
): Promotion | Refusal {
  const block = soundBlock(observed, sha256);
  if (typeof block === 'string') return block;
  const { manifest, manifestDigest } = block;
  if (manifest.observed.tools_list_complete !== 'complete') return 'observation_incomplete';
  if (reviewed !== null && reviewed !== manifestDigest) return 'observation_changed';
  return promotion(manifest, manifest.observed.tool_digests, manifestDigest, target);
}

/**
 * Plans accepting single tools into the per-tool baseline: their entries alone are replaced, added or removed, and
 * `manifest_digest` is recomputed (semantics 10). It needs a valid baseline and an observation that supports the claim.
 */
export function planAcceptance(
  observed: ObservedDocument,
  target: PromotionTarget,
  tools: readonly string[],
  reviewed: string | null,
  sha256: Sha256,
): Promotion | Refusal {
  const block = soundBlock(observed, sha256);
  if (typeof block === 'string') return block;
  const { manifest } = block;
  if (reviewed !== null && reviewed !== block.manifestDigest) return 'observation_changed';
  const { declared } = target;
  if (declared === null) return 'baseline_missing';
  const baseline = soundBaseline(declared, manifest, sha256);
  if (typeof baseline === 'string') return baseline;
  const now = new Map(manifest.observed.tool_digests.map((entry) => [entry.name, entry]));
  const accepted = new Map(baseline.map((entry) => [entry.name, entry]));
  for (const name of new Set(tools)) {
    const entry = now.get(name);
    if (entry === undefined && !accepted.has(name)) return 'tool_unknown';
    if (entry !== undefined) accepted.set(name, entry);
    else if (manifest.observed.tools_list_complete === 'complete') accepted.delete(name);
    else return 'removal_not_observed';
  }
  const entries = [...accepted.values()];
  return promotion(manifest, entries, digestManifest(entries, sha256), target);
}

/** The entries of a baseline that can be compared with an observation; else why it cannot be. */
function soundBaseline(
  declared: DeclaredDocument,
  manifest: ObservedManifest,
  sha256: Sha256,
): readonly ToolEntry[] | Refusal {
  const side = declaredSide(declared);
  if (side === null || firstDuplicate(side.entries) !== null) return 'baseline_invalid';
  if (digestManifest(side.entries, sha256) !== side.manifest.manifest_digest) return 'baseline_invalid';
  if (side.manifest.server.id !== manifest.server.id) return 'server_differs';
  return side.manifest.canonicalization === MANIFEST_PROJECTION ? side.entries : 'canonicalization_unknown';
}

/** An observed block that agrees with itself, with the digest its entries have; else why it does not. */
function soundBlock(
  document: ObservedDocument,
  sha256: Sha256,
): { manifest: ObservedManifest; manifestDigest: string } | Refusal {
  const side = observedSide(document);
  if (side === null) return 'observed_invalid';
  const { manifest, entries } = side;
  if (manifest.status === 'not_observed' || !manifest.observed.tools_list_observed) return 'not_observed';
  if (manifest.status === 'ambiguous' || firstDuplicate(entries) !== null) return 'names_not_unique';
  if (manifest.observed.canonicalization !== MANIFEST_PROJECTION) return 'canonicalization_unknown';
  if (judgeConsistency(side, sha256).inconclusive.length > 0) return 'observed_inconsistent';
  const manifestDigest = digestManifest(entries, sha256);
  const stated = manifest.observed.manifest_digest ?? manifestDigest;
  return stated === manifestDigest ? { manifest, manifestDigest } : 'digest_not_recomputable';
}

/** What is written, to all baselines that apply, when these entries are accepted. */
function promotion(
  manifest: ObservedManifest,
  tools: readonly ToolEntry[],
  manifestDigest: string,
  target: PromotionTarget,
): Promotion | Refusal {
  const serverId = manifest.server.id;
  const declared = planDeclared(manifest, tools, manifestDigest, target);
  if (typeof declared === 'string') return declared;
  const policy = target.policy && planPolicy(target.policy, serverId, manifestDigest);
  if (typeof policy === 'string') return policy;
  return {
    serverId,
    manifestDigest,
    files: [...(declared ? [declared] : []), ...(policy ? [policy] : [])].filter(
      (file) => file.before !== file.after,
    ),
    tools: changes(target.declared?.content?.manifest.tools ?? [], tools),
  };
}

function planDeclared(
  manifest: ObservedManifest,
  tools: readonly ToolEntry[],
  manifestDigest: string,
  { declared, policy, newBaseline }: PromotionTarget,
): FileChange | null | Refusal {
  const { canonicalization } = manifest.observed;
  const content = { serverId: manifest.server.id, canonicalization, manifestDigest, tools };
  if (declared === null) {
    return policy === null ? { uri: newBaseline, before: null, after: printBaseline(content) } : null;
  }
  if (declared.content === null) return 'baseline_invalid';
  if (declared.content.manifest.server.id !== manifest.server.id) return 'server_differs';
  const ordered = { ...content, tools: inOrderOf(declared.content.manifest.tools, tools) };
  const after = rewriteBaseline({ ...declared, content: declared.content }, ordered);
  return { uri: declared.source.uri, before: declared.source.text, after };
}

function planPolicy(policy: PolicyDocument, serverId: string, manifestDigest: string): FileChange | Refusal {
  const entry = policy.entries.get(serverId);
  if (!policy.valid || entry?.digest === undefined || entry.digest === null) return 'policy_invalid';
  const { text, uri } = policy.source;
  const written = text.slice(entry.at.start, entry.at.end);
  const quote = /^["']/.exec(written)?.[0] ?? '';
  if (!entry.editable || written !== quote + entry.digest + quote) return 'policy_entry_shared';
  const after = text.slice(0, entry.at.start) + quote + manifestDigest + quote + text.slice(entry.at.end);
  return { uri, before: text, after };
}

/** The observed tools in the baseline's order, new ones behind the tool they follow, so that a diff shows no moves. */
function inOrderOf(baseline: readonly ToolEntry[], observed: readonly ToolEntry[]): ToolEntry[] {
  const now = new Map(observed.map((entry) => [entry.name, entry]));
  const approved = new Set(baseline.map((entry) => entry.name));
  const leading: ToolEntry[] = [];
  const followers = new Map<string, ToolEntry[]>([...approved].map((name) => [name, []]));
  let group = leading;
  for (const entry of observed) {
    const own = followers.get(entry.name);
    if (own === undefined) group.push(entry);
    else group = own;
  }
  const kept = [...followers].flatMap(([name, following]) => {
    const entry = now.get(name);
    return entry === undefined ? following : [entry, ...following];
  });
  return [...leading, ...kept];
}

function changes(before: readonly ToolEntry[], after: readonly ToolEntry[]): ToolChange[] {
  const approved = new Map(before.map((entry) => [entry.name, entry]));
  const now = new Map(after.map((entry) => [entry.name, entry]));
  const present = after.flatMap((entry): ToolChange[] => {
    const old = approved.get(entry.name);
    if (old === undefined) return [{ tool: entry.name, change: 'added', privileged: entry.privileged }];
    if (sameEntry(old, entry)) return [];
    return [{ tool: entry.name, change: 'changed', privileged: entry.privileged || old.privileged }];
  });
  const removed = before
    .filter((entry) => !now.has(entry.name))
    .map((entry): ToolChange => ({ tool: entry.name, change: 'removed', privileged: entry.privileged }));
  return [...present, ...removed];
}

/** The digest a hand-written baseline's tools recompute to and where it stands; null when the document is invalid. */
export function recomputeBaseline(declared: DeclaredDocument, sha256: Sha256) {
  const { content } = declared;
  if (content === null) return null;
  return {
    at: content.nodes.rangeAt(['manifest_digest']),
    digest: digestManifest(content.manifest.tools, sha256),
  };
}
