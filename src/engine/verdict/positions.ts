import type { JsonPath } from '../json/nodes';
import type { DeclaredDocument, ObservedDocument, PolicyDocument, PolicyEntry } from '../manifest/documents';
import { type Place, placeIn } from '../manifest/place';
import type { DeclaredManifest, ObservedManifest, ToolEntry } from '../manifest/schema';

/** A manifest with its places: what the gates work on. */
interface Side<Manifest> {
  readonly manifest: Manifest;
  readonly entries: readonly ToolEntry[];
  /** The place of a value of the document, or of the enclosing key when it is missing. */
  at(...path: JsonPath): Place;
  /** The place of the list of entries, by its key. */
  readonly list: () => Place;
  /** The place of a value of the entry at an index, or of the enclosing key or entry when it is missing. */
  entryAt(index: number, ...path: JsonPath): Place;
}
export type ObservedSide = Side<ObservedManifest>;
export type DeclaredSide = Side<DeclaredManifest>;

/** A policy's entry for the server under review. */
export interface PolicySide {
  readonly digest: string;
  readonly at: Place;
  readonly partialIsWarning: boolean;
}

export function observedSide(document: ObservedDocument): ObservedSide | null {
  const { content } = document;
  return (
    content && side(document, content, content.manifest.observed.tool_digests, ['observed', 'tool_digests'])
  );
}

export function declaredSide(document: DeclaredDocument): DeclaredSide | null {
  const { content } = document;
  return content && side(document, content, content.manifest.tools, ['tools']);
}

export function policySide(document: PolicyDocument, entry: PolicyEntry): PolicySide | null {
  if (!document.valid || entry.digest === null) return null;
  return {
    digest: entry.digest,
    at: placeIn(document.source, entry.at),
    partialIsWarning: document.partialIsWarning,
  };
}

function side<Manifest>(
  { source }: ObservedDocument | DeclaredDocument,
  content: Pick<NonNullable<ObservedDocument['content']>, 'nodes' | 'entryNodes'> & {
    readonly manifest: Manifest;
  },
  entries: readonly ToolEntry[],
  listPath: JsonPath,
): Side<Manifest> {
  return {
    manifest: content.manifest,
    entries,
    at: (...path) => placeIn(source, content.nodes.rangeAt(path)),
    list: () => placeIn(source, content.nodes.keyRange(content.nodes.resolve(listPath).node)),
    entryAt: (index, ...path) => placeIn(source, content.nodes.rangeAt(path, content.entryNodes[index] ?? 0)),
  };
}

/** The index of the first entry whose name stood before it, or null when all names are unique. */
export function firstDuplicate(entries: readonly ToolEntry[]): number | null {
  const seen = new Set<string>();
  const index = entries.findIndex(({ name }) => seen.size === seen.add(name).size);
  return index < 0 ? null : index;
}
