import type { JsonNodes } from '../json/nodes';
import type { Problem, Range } from '../problems';
import type { Source } from './place';
import type { DeclaredManifest, ObservedManifest } from './schema';

interface Base {
  readonly source: Source;
  readonly problems: readonly Problem[];
}

/** An entry of a manifest and where it stands. */
interface Positioned {
  readonly nodes: JsonNodes;
  /** The node of each entry, in the order of the entries. */
  readonly entryNodes: readonly number[];
}

/** An observed manifest. `content` is null when the document is invalid; its server id may be known all the same. */
export interface ObservedDocument extends Base {
  readonly kind: 'observed';
  readonly serverId: string | null;
  readonly content: (Positioned & { readonly manifest: ObservedManifest }) | null;
}

/** A per-tool baseline. `content` is null when the document is invalid; its server id may be known all the same. */
export interface DeclaredDocument extends Base {
  readonly kind: 'declared';
  readonly serverId: string | null;
  readonly content: (Positioned & { readonly manifest: DeclaredManifest }) | null;
}

/** One server in a policy's map. */
export interface PolicyEntry {
  /** The approved digest; null when the entry is malformed, which disables it alone. */
  readonly digest: string | null;
  /** Where the digest stands, or the entry's key when there is none. */
  readonly at: Range;
  readonly keyAt: Range;
  /** False when the digest stands in a place shared with other entries (a YAML alias), so that no edit may touch it. */
  readonly editable: boolean;
}

/** A policy with its map of coarse baselines. When the document is invalid, `valid` is false and no entry may be used. */
export interface PolicyDocument extends Base {
  readonly kind: 'policy';
  readonly valid: boolean;
  readonly entries: ReadonlyMap<string, PolicyEntry>;
  /** Whether a partial observation is only a warning to the coarse gate (semantics 5). */
  readonly partialIsWarning: boolean;
}

export type ManifestDocument = ObservedDocument | DeclaredDocument | PolicyDocument;
export type DocumentKind = ManifestDocument['kind'];

/** Whether a document says what it is and can be used for what it is. */
export function isValid(document: ManifestDocument): boolean {
  return document.kind === 'policy' ? document.valid : document.content !== null;
}
