import type { Sha256 } from '../canon/digests';
import {
  type DeclaredDocument,
  isValid,
  type ManifestDocument,
  type ObservedDocument,
  type PolicyDocument,
} from '../manifest/documents';
import { type Place, placeIn } from '../manifest/place';
import { isFatal } from '../problems';
import { judgeCoarse } from './coarse';
import { judgeConsistency } from './consistency';
import { checkBaseline, compareFindings, judgeTools } from './granular';
import { type DeclaredSide, declaredSide, type ObservedSide, observedSide, policySide } from './positions';
import {
  combine,
  inconclusive,
  NOTHING,
  type Outcome,
  type Review,
  verdictOf,
  warning,
  withoutRepeats,
} from './result';

/** The documents of one review, as they were paired (semantics 9). */
export interface ReviewInput {
  readonly serverId: string | null;
  /** Null for a declared server without an observed manifest. */
  readonly observed: ObservedDocument | null;
  /** The per-tool baselines that apply: the nearest, and any as near that says something else. */
  readonly declared: readonly DeclaredDocument[];
  /** The policies that apply, likewise. */
  readonly policies: readonly PolicyDocument[];
  /** Other baselines for the same server, farther away, with another digest. */
  readonly others: readonly (DeclaredDocument | PolicyDocument)[];
  /** The addresses a pairing by hand names but that were not found: they are never left out in silence. */
  readonly absent?: { readonly declared: string | null; readonly policy: string | null };
}

/** Judges one observed manifest against the baselines that apply to it (semantics 8). Never throws. */
export function review(input: ReviewInput, sha256: Sha256): Review {
  const outcome = withoutRepeats(judge(input, sha256));
  const sorted = { ...outcome, findings: [...outcome.findings].sort(compareFindings) };
  return {
    serverId: input.serverId,
    observed: input.observed?.source.uri ?? null,
    declared: input.declared[0]?.source.uri ?? null,
    policy: input.policies[0]?.source.uri ?? null,
    toolsListComplete: input.observed?.content?.manifest.observed.tools_list_complete ?? null,
    verdict: verdictOf(sorted),
    ...sorted,
  };
}

function judge(input: ReviewInput, sha256: Sha256): Outcome {
  const { observed, serverId } = input;
  const broken = brokenDocuments(input);
  const side = observed && observedSide(observed);
  if (side === null)
    return combine([broken, observed === null ? missing(input) : NOTHING, otherBaselines(input)]);

  const declared = input.declared.map(declaredSide).filter((d) => d !== null);
  const policies = input.policies.flatMap((document) => {
    const entry = document.entries.get(serverId ?? '');
    return (entry && policySide(document, entry)) ?? [];
  });
  const conflict = baselineConflict(side, declared, policies, sha256);
  if (conflict !== null) return combine([conflict, broken]);

  const gates: Outcome[] = [];
  const [tools] = declared;
  const [policy] = policies;
  if (tools !== undefined) gates.push(declaredTie(declared) ?? judgeTools(side, tools, sha256));
  if (policy !== undefined) gates.push(tie(policies) ?? judgeCoarse(side, policy, sha256));
  const unapproved =
    input.declared.length === 0 && !input.policies.some((p) => !p.valid || p.entries.has(serverId ?? ''));
  if (input.absent) gates.push(inconclusive('paired_baseline_missing', side.at('server', 'id')));
  else if (unapproved) gates.push(inconclusive('no_declared_baseline', side.at('server', 'id')));
  // Whether the record agrees with itself is told in addition to all else except a conflict (semantics 8).
  const conflicting = gates.some(({ inconclusive: found }) =>
    found.some(({ code }) => code === 'declared_manifest_baseline_conflict'),
  );
  const consistency = conflicting ? NOTHING : judgeConsistency(side, sha256);
  return combine([broken, ...gates, consistency, otherBaselines(input)]);
}

/** Two declared truths that differ leave nothing to compare with; a broken baseline is no truth (semantics 8). */
function baselineConflict(
  observed: ObservedSide,
  declared: readonly DeclaredSide[],
  policies: readonly Baseline[],
  sha256: Sha256,
): Outcome | null {
  const [tools, ...moreTools] = declared;
  const [policy, ...morePolicies] = policies;
  if (tools === undefined || policy === undefined || moreTools.length > 0 || morePolicies.length > 0)
    return null;
  if (checkBaseline(observed, tools, sha256) !== null) return null;
  return tie([asBaseline(tools), policy]);
}

interface Baseline {
  readonly digest: string;
  readonly at: Place;
}

function asBaseline(side: DeclaredSide): Baseline {
  return { digest: side.manifest.manifest_digest, at: side.at('manifest_digest') };
}

function declaredTie(declared: readonly DeclaredSide[]): Outcome | null {
  return tie(declared.map(asBaseline));
}

/** Baselines with one standing and different digests: a conflict that names them all (semantics 9). */
function tie([first, ...rest]: readonly Baseline[]): Outcome | null {
  const different = rest.filter((other) => other.digest !== first?.digest);
  if (first === undefined || different.length === 0) return null;
  return inconclusive('declared_manifest_baseline_conflict', first.at, {
    related: different.map((other) => other.at),
  });
}

/** `document_invalid` for each document that cannot be used, at the first thing wrong with it (semantics 1). */
function brokenDocuments({ observed, declared, policies, serverId }: ReviewInput): Outcome {
  const documents: ManifestDocument[] = [...(observed ? [observed] : []), ...declared, ...policies];
  return combine([
    ...documents.filter((document) => !isValid(document)).map((document) => invalid(document)),
    ...policies.map((policy) => {
      const entry = policy.entries.get(serverId ?? '');
      return policy.valid && entry?.digest === null
        ? inconclusive('document_invalid', placeIn(policy.source, entry.at))
        : NOTHING;
    }),
  ]);
}

function invalid(document: ManifestDocument): Outcome {
  const first = document.problems.find((p) => isFatal([p])) ?? { start: 0, end: 0 };
  return inconclusive('document_invalid', placeIn(document.source, first));
}

/** A declared server without an observed manifest in scope (semantics 8). */
function missing({ declared, policies, serverId }: ReviewInput): Outcome {
  const places = [
    ...declared.map((document) => {
      const at = document.content?.nodes.rangeAt(['server', 'id']) ?? { start: 0, end: 0 };
      return placeIn(document.source, at);
    }),
    ...policies.map((document) => {
      const at = document.entries.get(serverId ?? '')?.keyAt ?? { start: 0, end: 0 };
      return placeIn(document.source, at);
    }),
  ];
  const [at, ...related] = places;
  return at === undefined || serverId === null
    ? NOTHING
    : inconclusive('observed_manifest_missing', at, { related });
}

/** Other baselines with another digest: a nearer file must not buy a clean result (semantics 9). */
function otherBaselines({ others, serverId }: ReviewInput): Outcome {
  return combine(
    others.map((document) => {
      const at =
        document.kind === 'policy'
          ? document.entries.get(serverId ?? '')?.at
          : document.content?.nodes.rangeAt(['manifest_digest']);
      return warning('other_baseline_differs', placeIn(document.source, at ?? { start: 0, end: 0 }));
    }),
  );
}
