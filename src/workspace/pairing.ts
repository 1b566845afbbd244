import {
  type DeclaredDocument,
  isValid,
  type ManifestDocument,
  type ObservedDocument,
  type PolicyDocument,
} from '../engine/manifest/documents';
import { compareUtf8 } from '../engine/canon/order';
import type { ReviewInput } from '../engine/verdict/review';
import { commonDepth, compareUris, type Folder } from './paths';

/** A pairing a person wrote down, by addresses. It wins over pairing by server id. */
export interface Pairing {
  readonly observed: string;
  readonly declared?: string | undefined;
  readonly policy?: string | undefined;
}

/** The documents of one folder and how they were asked to be paired. */
export interface Scope {
  readonly folder: Folder;
  readonly documents: readonly ManifestDocument[];
  readonly pairings: readonly Pairing[];
  /** Whether the whole folder is under review, so that a declared server without an observation is missing one. */
  readonly whole: boolean;
}

/** A review to be made, with an identity that survives edits: folder, server id, document. */
export interface Paired {
  readonly key: string;
  readonly folder: Folder;
  readonly input: ReviewInput;
}

type Baseline = DeclaredDocument | PolicyDocument;

/** Which documents of a folder belong together (semantics 9). Output is ordered by path, then server id. */
export function pair(scope: Scope): Paired[] {
  const documents = [...scope.documents].sort((a, b) => compareUris(a.source.uri, b.source.uri));
  const observed = documents.filter((d) => d.kind === 'observed');
  const declared = documents.filter((d) => d.kind === 'declared');
  const policies = documents.filter((d) => d.kind === 'policy');
  const inputs = observed.map((document) => pairObserved(scope, document, declared, policies));
  if (scope.whole) inputs.push(...withoutObservation(inputs, observed, declared, policies));
  inputs.push(...alone(inputs, documents));
  return inputs
    .map((input) => ({ key: keyOf(scope.folder, input), folder: scope.folder, input }))
    .sort(comparePaired);
}

function pairObserved(
  scope: Scope,
  observed: ObservedDocument,
  declared: readonly DeclaredDocument[],
  policies: readonly PolicyDocument[],
): ReviewInput {
  const { serverId } = observed;
  const explicit = scope.pairings.find((p) => p.observed === observed.source.uri);
  const sameId = {
    declared: serverId === null ? [] : declared.filter((d) => d.serverId === serverId),
    policies: serverId === null ? [] : policies.filter((p) => p.entries.has(serverId)),
  };
  const applied = {
    declared:
      explicit?.declared === undefined
        ? nearest(observed, sameId.declared)
        : declared.filter((document) => document.source.uri === explicit.declared),
    policies:
      explicit?.policy === undefined
        ? nearest(observed, sameId.policies)
        : policies.filter((document) => document.source.uri === explicit.policy),
  };
  const absent = {
    declared: applied.declared.length === 0 ? (explicit?.declared ?? null) : null,
    policy: applied.policies.length === 0 ? (explicit?.policy ?? null) : null,
  };
  return {
    serverId,
    observed,
    ...applied,
    others: [
      ...differing(sameId.declared, applied.declared, serverId),
      ...differing(sameId.policies, applied.policies, serverId),
    ],
    ...(absent.declared === null && absent.policy === null ? {} : { absent }),
  };
}

/** The nearest baseline, the first path of several; with it those as near that say something else or cannot be read. */
function nearest<T extends Baseline>(observed: ObservedDocument, candidates: readonly T[]): T[] {
  const depth = (document: T) => commonDepth(document.source.uri, observed.source.uri);
  const best = Math.max(...candidates.map(depth));
  const [first, ...tied] = candidates.filter((candidate) => depth(candidate) === best);
  if (first === undefined) return [];
  const id = observed.serverId;
  return [
    first,
    ...tied.filter((other) => digestOf(other, id) === null || digestOf(other, id) !== digestOf(first, id)),
  ];
}

/** The baselines for the same server that do not apply and hold another digest than those that do. */
function differing<T extends Baseline>(
  candidates: readonly T[],
  applied: readonly T[],
  id: string | null,
): T[] {
  if (applied.length === 0) return [];
  const digests = new Set(applied.map((document) => digestOf(document, id)));
  return candidates.filter((document) => {
    const digest = digestOf(document, id);
    return !applied.includes(document) && digest !== null && !digests.has(digest);
  });
}

/** Declared servers that no observed manifest names (semantics 8). */
function withoutObservation(
  inputs: readonly ReviewInput[],
  observed: readonly ObservedDocument[],
  declared: readonly DeclaredDocument[],
  policies: readonly PolicyDocument[],
): ReviewInput[] {
  const seen = new Set(observed.map((document) => document.serverId));
  const used = new Set(inputs.flatMap((input) => [...input.declared, ...input.policies]));
  const ids = new Set([
    ...declared.filter((document) => !used.has(document)).map((document) => document.serverId),
    ...policies.flatMap((document) => [...document.entries.keys()]),
  ]);
  return [...ids]
    .filter((id): id is string => id !== null && !seen.has(id))
    .map((serverId) => {
      const [first, ...more] = declared.filter((document) => document.serverId === serverId);
      const [policy, ...morePolicies] = policies.filter((document) => document.entries.has(serverId));
      return {
        serverId,
        observed: null,
        declared: first ? [first] : [],
        policies: policy ? [policy] : [],
        others: [
          ...differing(more, first ? [first] : [], serverId),
          ...differing(morePolicies, policy ? [policy] : [], serverId),
        ],
      };
    });
}

/** Invalid documents that no review speaks of are reviews of their own, so that none is passed over (semantics 8). */
function alone(inputs: readonly ReviewInput[], documents: readonly ManifestDocument[]): ReviewInput[] {
  const used = new Set<ManifestDocument | null>(
    inputs.flatMap((i) => [i.observed, ...i.declared, ...i.policies]),
  );
  return documents
    .filter((document) => !isValid(document) && !used.has(document))
    .map((document) => ({
      serverId: null,
      observed: document.kind === 'observed' ? document : null,
      declared: document.kind === 'declared' ? [document] : [],
      policies: document.kind === 'policy' ? [document] : [],
      others: [],
    }));
}

/** The digest a baseline approves for a server; null when it cannot be used. */
function digestOf(document: Baseline, id: string | null): string | null {
  if (document.kind === 'declared') return document.content?.manifest.manifest_digest ?? null;
  return document.valid ? (document.entries.get(id ?? '')?.digest ?? null) : null;
}

function mainUri({ observed, declared, policies }: ReviewInput): string {
  return (observed ?? declared[0] ?? policies[0])?.source.uri ?? '';
}

function keyOf(folder: Folder, input: ReviewInput): string {
  return JSON.stringify([folder.uri, input.serverId, mainUri(input)]);
}

/** The order of reviews: by path, then server id (cli.md). */
export function comparePaired({ input: a }: Paired, { input: b }: Paired): number {
  return compareUris(mainUri(a), mainUri(b)) || compareUtf8(a.serverId ?? '', b.serverId ?? '');
}
