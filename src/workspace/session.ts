import type { Sha256 } from '../engine/canon/digests';
import type { ManifestDocument } from '../engine/manifest/documents';
import { Agenda, type Batch } from './agenda';
import { toDocument } from './load';
import type { Folder } from './paths';
import type { Clock, FileContent, Files, SessionEvent } from './ports';
import { Judge, type JudgedReview } from './reviews';
import { type Configuration, Territory } from './territory';

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
  /** The number of the latest look at an address. */
  private readonly looks = new Map<string, number>();
  private readonly agenda: Agenda<Folder>;
  private readonly judge: Judge;
  private territory = new Territory({
    folders: [],
    globs: { observed: [], declared: [], policy: [], exclude: [] },
    pairings: new Map(),
    maxSize: 0,
  });
  private loads = 0;
  private loading: Promise<void> | undefined;
  private listed = true;
  private disposed = false;

  constructor(private readonly ports: SessionPorts) {
    this.judge = new Judge(ports.sha256);
    this.agenda = new Agenda(ports.clock, (batch) => {
      this.readBatch(batch).catch((error: unknown) => {
        this.fail(error);
      });
    });
  }

  /** Takes new folders or settings and reads everything again. */
  async configure(configuration: Configuration): Promise<void> {
    this.territory = new Territory(configuration);
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
    this.agenda.soon(uri);
  }

  /** A file or a folder is gone: look again at all that was known below it. */
  removed(uri: string): void {
    for (const known of [...this.documents.keys(), ...this.excluded]) {
      if (known === uri || known.startsWith(`${uri}/`)) this.touch(known);
    }
  }

  /**
   * A file appeared: look again at what is known beside it. Of a replacement and a rename right after it, the editor
   * tells only that the new name appeared.
   */
  appearedBeside(uri: string): void {
    const folder = uri.slice(0, uri.lastIndexOf('/') + 1);
    for (const known of this.documents.keys()) {
      if (known.startsWith(folder) && !known.includes('/', folder.length)) this.touch(known);
    }
  }

  /** A folder appeared: look for new names in the workspace folder that holds it. */
  appeared(uri: string): void {
    const folder = this.territory.folderOf(uri);
    // A folder in which nothing could be watched, such as an excluded one, is no news.
    if (folder === undefined || this.territory.standingOf(`${uri}/any.observed.json`) === 'ignored') return;
    this.agenda.listSoon(folder);
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
    this.agenda.afterPause(uri, pause);
  }

  /** A text equals its file: while it is open it counts whatever its name. */
  opened(uri: string): void {
    const differed = this.settle(uri);
    this.open.add(uri);
    if (differed || !this.documents.has(uri)) this.touch(uri);
  }

  /** A text was written to its file. */
  saved(uri: string): void {
    this.settle(uri);
    this.open.add(uri);
    this.agenda.now(uri);
  }

  /** A text was closed: only its file counts now, if its name is watched. */
  closed(uri: string): void {
    const differed = this.settle(uri);
    if (this.open.delete(uri) && (differed || !this.isWatched(uri))) this.touch(uri);
  }

  /** Whether an address can take part at all: in a folder under review, or untitled. */
  belongs(uri: string): boolean {
    return this.territory.scopeOf(uri) !== undefined;
  }

  isWatched(uri: string): boolean {
    return this.territory.isWatched(uri);
  }

  document(uri: string): ManifestDocument | undefined {
    return this.documents.get(uri);
  }

  dispose(): void {
    this.disposed = true;
    this.loads++;
    this.agenda.dispose();
  }

  /** Forgets an unsaved text. Output: whether there was one. */
  private settle(uri: string): boolean {
    this.agenda.cancelPause(uri);
    return this.unsaved.delete(uri);
  }

  private fail(error: unknown): void {
    this.ports.log({ type: 'list failed', reason: reasonOf(error) });
  }

  private async readBatch({ uris, folders }: Batch<Folder>): Promise<void> {
    const listed = await this.list([...folders]);
    const fresh = listed.filter((uri) => !this.documents.has(uri));
    await Promise.all([...new Set([...uris, ...fresh])].map((uri) => this.look(uri)));
    // A reload in progress publishes when it is done, and what was read here with it.
    if (this.loading === undefined) this.publish();
  }

  private async load(load: number): Promise<void> {
    const { territory } = this;
    const listed = await this.list(territory.folders);
    if (load !== this.loads) return;
    const known = [...this.documents.keys(), ...this.open, ...this.excluded];
    await Promise.all([...new Set([...listed, ...known])].map((uri) => this.look(uri)));
    if (load !== this.loads) return;
    for (const folder of territory.folders) {
      const inside = listed.filter((uri) => territory.folderOf(uri) === folder);
      const watched = inside.filter((uri) => territory.isWatched(uri)).length;
      const excluded = inside.filter((uri) => this.excluded.has(uri)).length;
      this.ports.log({ type: 'listed', folder, watched, excluded });
    }
  }

  private async list(folders: readonly Folder[]): Promise<string[]> {
    const { patterns } = this.territory;
    const lists = await Promise.all(folders.map((folder) => this.ports.files.list(folder, patterns)));
    return [...new Set(lists.flat())];
  }

  /** Reads one address as it is now and keeps what it says, unless a newer look began meanwhile. */
  private async look(uri: string): Promise<void> {
    const number = (this.looks.get(uri) ?? 0) + 1;
    this.looks.set(uri, number);
    const { territory } = this;
    const standing = territory.standingOf(uri);
    const counts = this.belongs(uri) && (this.open.has(uri) || standing === 'watched');
    if (!counts && standing !== 'excluded') {
      this.forget(uri);
      return;
    }
    const text = this.unsaved.get(uri);
    const content = text === undefined ? await this.ports.files.read(uri, territory.maxSize) : undefined;
    if (this.looks.get(uri) !== number || this.disposed) return;
    const document = this.read(uri, content ?? { kind: 'text', text: text?.() ?? '' });
    if (counts) this.keep(uri, document);
    else this.leaveOut(uri, document);
  }

  /** What a content says. A failure of ours is the document's own problem: it must not disturb the others. */
  private read(uri: string, content: FileContent | { kind: 'text'; text: string }): ManifestDocument | null {
    if (content.kind === 'failed') this.ports.log({ type: 'failed', uri, reason: content.reason });
    const context = this.territory.contextOf(uri);
    try {
      return toDocument(uri, content, context);
    } catch (error) {
      const reason = `it caused an unexpected error (${reasonOf(error)})`;
      this.ports.log({ type: 'failed', uri, reason });
      return toDocument(uri, { kind: 'failed', reason }, context);
    }
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
    const { reviews, renewed } = this.judge.judge(this.territory.scopes(this.documents.values()));
    for (const review of renewed) this.ports.log({ type: 'judged', review });
    this.ports.publish({
      reviews,
      documents: [...this.documents.values()],
      excluded: this.excluded.size,
      complete: this.loading === undefined,
      listed: this.listed,
    });
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
