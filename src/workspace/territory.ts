import type { ManifestDocument } from '../engine/manifest/documents';
import { createMatcher, type Globs, listedPatterns, type Standing } from './globs';
import type { LoadContext } from './load';
import type { Pairing, Scope } from './pairing';
import { type Folder, folderOf, relativePath } from './paths';

/** What is under review and how; folders and settings together, replaced as one. */
export interface Configuration {
  readonly folders: readonly Folder[];
  readonly globs: Globs;
  /** Pairings by the address of the folder they are written for. */
  readonly pairings: ReadonlyMap<string, readonly Pairing[]>;
  /** Largest file that is read, in bytes. */
  readonly maxSize: number;
}

/** Where documents live that belong to no folder: untitled ones, when there is not exactly one folder. */
const NOWHERE: Folder = { uri: 'untitled:', name: '' };

/** Tells of an address whether and how it takes part, by the folders and settings of one configuration. */
export class Territory {
  readonly patterns: readonly string[];
  private readonly standing: (path: string) => Standing;

  constructor(private readonly configuration: Configuration) {
    this.patterns = listedPatterns(configuration.globs);
    this.standing = createMatcher(configuration.globs);
  }

  get folders(): readonly Folder[] {
    return this.configuration.folders;
  }

  get maxSize(): number {
    return this.configuration.maxSize;
  }

  /** The folder whose documents an address is paired with; undefined when it cannot take part. */
  scopeOf(uri: string): Folder | undefined {
    const { folders } = this;
    if (uri.startsWith(NOWHERE.uri)) return (folders.length === 1 ? folders[0] : undefined) ?? NOWHERE;
    return this.folderOf(uri);
  }

  folderOf(uri: string): Folder | undefined {
    return folderOf(this.folders, uri);
  }

  standingOf(uri: string): Standing {
    const folder = this.folderOf(uri);
    return folder === undefined ? 'ignored' : this.standing(relativePath(folder, uri));
  }

  isWatched(uri: string): boolean {
    return this.standingOf(uri) === 'watched';
  }

  /** What reading an address has to know. */
  contextOf(uri: string): LoadContext {
    const folder = this.folderOf(uri);
    const path = folder === undefined ? uri : relativePath(folder, uri);
    return { ...this.configuration, path, watched: this.isWatched(uri) };
  }

  /** The documents by the folder they are paired in. */
  scopes(documents: Iterable<ManifestDocument>): Scope[] {
    const grouped = new Map<Folder, ManifestDocument[]>(this.folders.map((folder) => [folder, []]));
    for (const document of documents) {
      const folder = this.scopeOf(document.source.uri);
      if (folder === undefined) continue;
      const group = grouped.get(folder);
      if (group === undefined) grouped.set(folder, [document]);
      else group.push(document);
    }
    return [...grouped].map(([folder, own]) => ({
      folder,
      documents: own,
      pairings: this.configuration.pairings.get(folder.uri) ?? [],
      whole: folder !== NOWHERE,
    }));
  }
}
