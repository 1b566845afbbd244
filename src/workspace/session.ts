import type { Sha256 } from '../engine/canon/digests';
import type { ManifestDocument } from '../engine/manifest/documents';
import { createMatcher, type Globs, listedPatterns, type Standing } from './globs';
import { toDocument } from './load';
import type { Pairing, Scope } from './pairing';
import { type Folder, folderOf, relativePath } from './paths';
import type { Clock, Files, SessionEvent } from './ports';
import { Judge, type JudgedReview } from './reviews';

/** What is under review and how; folders and settings together, replaced as one. */
export interface Configuration {
  readonly folders: readonly Folder[];
  readonly globs: Globs;
  /** Pairings by the address of the folder they are written for. */
  readonly pairings: ReadonlyMap<string, readonly Pairing[]>;
  /** Largest file that is read, in bytes. */
  readonly maxSize: number;
}

/** Everything known at one moment. Reviews and documents keep their identity while they do not change. */
export interface Snapshot {
  readonly reviews: readonly JudgedReview[];
  readonly documents: readonly ManifestDocument[];
  /** How many documents a setting leaves out. */
  readonly excluded: number;
  /** False until everything has been read once. */
  readonly complete: boolean;
  /** False when the files of a folder could not be listed, so that documents may be missing. */
  readonly listed: boolean;
}

export interface SessionPorts {
  readonly files: Files;
  readonly clock: Clock;
  readonly sha256: Sha256;
  /** Called with every step, for the log. */
  readonly log: (event: SessionEvent) => void;
  /** Called with everything known whenever it may have changed. */
  readonly publish: (snapshot: Snapshot) => void;
}

/** File events come in bursts (a checkout, an atomic replace): they are gathered for this long, in milliseconds. */
const BURST = 30;

/** Where documents live that belong to no folder: untitled ones, when there is not exactly one folder. */
const NOWHERE: Folder = { uri: 'untitled:', name: '' };

/**
 * Keeps the reviews of a set of folders true to their files and unsaved texts. Every event means the same: look at
 * this address again. A read that was overtaken by a newer one is dropped.
 */
export class Session {
  private readonly documents = new Map<string, ManifestDocument>();
  private readonly excluded = new Set<string>();
  /** Texts that differ from their files, and untitled ones. */
  private readonly unsaved = new Map<string, () => string>();
  /** Documents that count whatever their name, because they are open. */
  private readonly open = new Set<string>();
  private readonly tickets = new Map<string, number>();
  private readonly pauses = new Map<string, () => void>();
  private readonly due = new Set<string>();
  private readonly toList = new Set<Folder>();
  private cancelBatch: (() => void) | undefined;
  private readonly judge: Judge;
  private loads = 0;
  private loading: Promise<void> | undefined;
  private standing: (path: string) => Standing = () => 'ignored';
  private configuration: Configuration = {
    folders: [],
    globs: { observed: [], declared: [], policy: [], exclude: [] },
    pairings: new Map(),
    maxSize: 0,
  };
  private listed = true;
  private disposed = false;

  constructor(private readonly ports: SessionPorts) {
    this.judge = new Judge(ports.sha256);
  }

  /** Takes new folders or settings and reads everything again. */
  async configure(configuration: Configuration): Promise<void> {
    this.configuration = configuration;
    this.standing = createMatcher(configuration.globs);
    await this.reload();
  }

  /** Reads everything again. Resolves when the result is published; a newer call takes over an older one. */
  reload(): Promise<void> {
    const load = ++this.loads;
    const done = (listed: boolean) => {
      if (load !== this.loads) return;
      this.loading = undefined;
      this.listed = listed;
      this.publish();
    };
    this.loading = this.load(load).then(
      () => {
        done(true);
      },
      (error: unknown) => {
        this.fail(error);
        done(false);
      },
    );
    return this.loading;
  }

  /** A file was created, changed, deleted or saved: look at it again. */
  touch(uri: string): void {
    this.enqueue(uri, BURST);
  }

  /** A file or a folder is gone: look again at all that was known below it. */
  removed(uri: string): void {
    for (const known of [...this.documents.keys(), ...this.excluded]) {
      if (known === uri || known.startsWith(`${uri}/`)) this.touch(known);
    }
  }

  /** A folder appeared: look for new names in the workspace folder that holds it. */
  appeared(uri: string): void {
    const folder = folderOf(this.configuration.folders, uri);
    if (folder === undefined || this.standingOf(`${uri}/any.observed.json`) === 'ignored') return;
    this.toList.add(folder);
    this.schedule(BURST);
  }

  /** Looks at an address at once. Output: what it says now. */
  async reread(uri: string): Promise<ManifestDocument | undefined> {
    await this.look(uri);
    if (this.loading === undefined) this.publish();
    return this.documents.get(uri);
  }

  /** An open text differs from its file; `text` is asked for it after a pause without edits, in milliseconds. */
  edited(uri: string, text: () => string, pause: number): void {
    this.open.add(uri);
    this.unsaved.set(uri, text);
    this.pauses.get(uri)?.();
    const cancel = this.ports.clock.after(pause, () => {
      this.pauses.delete(uri);
      this.enqueue(uri, 0);
    });
    this.pauses.set(uri, cancel);
  }

  /** A text equals its file: while it is open it counts whatever its name. */
  opened(uri: string): void {
    const differed = this.unsaved.has(uri);
    this.settle(uri);
    this.open.add(uri);
    if (differed || !this.documents.has(uri)) this.touch(uri);
  }

  /** A text was written to its file. */
  saved(uri: string): void {
    this.settle(uri);
    this.open.add(uri);
    this.enqueue(uri, 0);
  }

  /** A text was closed: only its file counts now, if its name is watched. */
  closed(uri: string): void {
    const hadText = this.unsaved.has(uri);
    this.settle(uri);
    if (this.open.delete(uri) && (hadText || !this.isWatched(uri))) this.touch(uri);
  }

  /** Whether an address can take part at all: in a folder under review, or untitled. */
  belongs(uri: string): boolean {
    return this.scopeOf(uri) !== undefined;
  }

  isWatched(uri: string): boolean {
    return this.standingOf(uri) === 'watched';
  }

  document(uri: string): ManifestDocument | undefined {
    return this.documents.get(uri);
  }

  dispose(): void {
    this.disposed = true;
    this.loads++;
    this.cancelBatch?.();
    for (const cancel of this.pauses.values()) cancel();
  }

  private settle(uri: string): void {
    this.unsaved.delete(uri);
    this.pauses.get(uri)?.();
    this.pauses.delete(uri);
  }

  private fail(error: unknown): void {
    this.ports.log({ type: 'list failed', reason: error instanceof Error ? error.message : String(error) });
  }

  private enqueue(uri: string, delay: number): void {
    this.due.add(uri);
    this.schedule(delay);
  }

  private schedule(delay: number): void {
    if (delay === 0) this.cancelBatch?.();
    else if (this.cancelBatch !== undefined) return;
    this.cancelBatch = this.ports.clock.after(delay, () => {
      this.cancelBatch = undefined;
      this.readDue().catch((error: unknown) => {
        this.fail(error);
      });
    });
  }

  private async readDue(): Promise<void> {
    const uris = new Set(this.due);
    const folders = [...this.toList];
    this.due.clear();
    this.toList.clear();
    const patterns = listedPatterns(this.configuration.globs);
    const lists = await Promise.all(folders.map((folder) => this.ports.files.list(folder, patterns)));
    for (const uri of lists.flat()) if (!this.documents.has(uri)) uris.add(uri);
    await Promise.all([...uris].map((uri) => this.look(uri)));
    // A reload in progress publishes when it is done, and what was read here with it.
    if (this.loading === undefined) this.publish();
  }

  private async load(load: number): Promise<void> {
    const { folders, globs } = this.configuration;
    const patterns = listedPatterns(globs);
    const lists = await Promise.all(folders.map((folder) => this.ports.files.list(folder, patterns)));
    if (load !== this.loads) return;
    const listed = new Set(lists.flat());
    const known = [...this.documents.keys(), ...this.open, ...this.excluded];
    await Promise.all([...new Set([...listed, ...known])].map((uri) => this.look(uri)));
    if (load !== this.loads) return;
    for (const folder of folders) {
      const inside = [...listed].filter((uri) => folderOf(folders, uri) === folder);
      const watched = inside.filter((uri) => this.isWatched(uri)).length;
      const excluded = inside.filter((uri) => this.excluded.has(uri)).length;
      this.ports.log({ type: 'listed', folder, watched, excluded });
    }
  }

  /** Reads one address as it is now and keeps what it says, unless a newer look began meanwhile. */
  private async look(uri: string): Promise<void> {
    const ticket = (this.tickets.get(uri) ?? 0) + 1;
    this.tickets.set(uri, ticket);
    const standing = this.standingOf(uri);
    const counts = this.scopeOf(uri) !== undefined && (this.open.has(uri) || standing === 'watched');
    if (!counts && standing !== 'excluded') {
      this.forget(uri);
      return;
    }
    const text = this.unsaved.get(uri);
    const content =
      text === undefined ? await this.ports.files.read(uri, this.configuration.maxSize) : undefined;
    if (this.tickets.get(uri) !== ticket || this.disposed) return;
    if (content?.kind === 'failed') this.ports.log({ type: 'failed', uri, reason: content.reason });
    const folder = folderOf(this.configuration.folders, uri);
    const path = folder === undefined ? uri : relativePath(folder, uri);
    const document = toDocument(uri, content ?? { kind: 'text', text: text?.() ?? '' }, {
      ...this.configuration,
      path,
      watched: standing === 'watched',
    });
    if (counts) this.keep(uri, document);
    else this.leaveOut(uri, document);
  }

  private keep(uri: string, document: ManifestDocument | null): void {
    this.excluded.delete(uri);
    if (document === null) {
      this.forget(uri);
      if (this.isWatched(uri)) this.ports.log({ type: 'ignored', uri, why: 'no kind' });
      return;
    }
    const before = this.documents.get(uri);
    const unsaved = this.unsaved.has(uri);
    this.ports.log({
      type: 'read',
      uri,
      document: document.kind,
      problems: document.problems.length,
      unsaved,
    });
    // The same text says the same: keeping the document keeps its reviews.
    if (before?.source.text === document.source.text && before.source.text !== '') return;
    this.documents.set(uri, document);
  }

  private leaveOut(uri: string, document: ManifestDocument | null): void {
    this.forget(uri);
    if (document === null) return;
    this.excluded.add(uri);
    this.ports.log({ type: 'ignored', uri, why: 'excluded' });
  }

  private forget(uri: string): void {
    this.excluded.delete(uri);
    if (this.documents.delete(uri)) this.ports.log({ type: 'dropped', uri });
  }

  private publish(): void {
    if (this.disposed) return;
    const { reviews, renewed } = this.judge.judge(this.scopes());
    for (const review of renewed) this.ports.log({ type: 'judged', review });
    this.ports.publish({
      reviews,
      documents: [...this.documents.values()],
      excluded: this.excluded.size,
      complete: this.loading === undefined,
      listed: this.listed,
    });
  }

  private scopes(): Scope[] {
    const { folders, pairings } = this.configuration;
    const grouped = new Map<Folder, ManifestDocument[]>(folders.map((folder) => [folder, []]));
    for (const document of this.documents.values()) {
      const folder = this.scopeOf(document.source.uri);
      if (folder === undefined) continue;
      const group = grouped.get(folder);
      if (group === undefined) grouped.set(folder, [document]);
      else group.push(document);
    }
    return [...grouped].map(([folder, documents]) => ({
      folder,
      documents,
      pairings: pairings.get(folder.uri) ?? [],
      whole: folder !== NOWHERE,
    }));
  }

  private scopeOf(uri: string): Folder | undefined {
    const { folders } = this.configuration;
    if (uri.startsWith(NOWHERE.uri)) return (folders.length === 1 ? folders[0] : undefined) ?? NOWHERE;
    return folderOf(folders, uri);
  }

  private standingOf(uri: string): Standing {
    const folder = folderOf(this.configuration.folders, uri);
    return folder === undefined ? 'ignored' : this.standing(relativePath(folder, uri));
  }
}
