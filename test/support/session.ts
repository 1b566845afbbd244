import { sha256 } from '../../src/desktop/sha256';
import type { Pairing } from '../../src/workspace/pairing';
import { DEFAULT_GLOBS, type Globs } from '../../src/workspace/globs';
import { type Folder, isInside } from '../../src/workspace/paths';
import type { Clock, FileContent, Files, SessionEvent } from '../../src/workspace/ports';
import { Session, type Snapshot } from '../../src/workspace/session';
import { type Json, layOut } from './layout';

/** A clock that stands still until it is advanced by hand. */
export class FakeClock implements Clock {
  private now = 0;
  private tasks: { due: number; task: () => void }[] = [];

  after(delay: number, task: () => void): () => void {
    const entry = { due: this.now + delay, task };
    this.tasks.push(entry);
    return () => {
      this.tasks = this.tasks.filter((other) => other !== entry);
    };
  }

  /** How many tasks wait. */
  get waiting(): number {
    return this.tasks.length;
  }

  advance(milliseconds: number): void {
    const end = this.now + milliseconds;
    for (;;) {
      const [next] = this.tasks.filter(({ due }) => due <= end).sort((a, b) => a.due - b.due);
      if (next === undefined) break;
      this.now = next.due;
      this.tasks = this.tasks.filter((other) => other !== next);
      next.task();
    }
    this.now = end;
  }
}

/** Files in memory whose reads and lists can be held back. */
export class FakeFiles implements Files {
  readonly contents = new Map<string, string | FileContent>();
  readonly reads: string[] = [];
  private readonly held = new Map<string, (() => void)[]>();

  list(folder: Folder): Promise<readonly string[]> {
    const found = [...this.contents.keys()].filter((uri) => isInside(folder, uri));
    return this.released(folder.uri, found);
  }

  read(uri: string, maxSize: number): Promise<FileContent> {
    this.reads.push(uri);
    // What a read gives is what the file held when the read began.
    return this.released(uri, this.content(uri, maxSize));
  }

  /** Holds back reads of an address, or the list of a folder, from now on; the result lets the oldest of them go. */
  hold(uri: string): () => void {
    const waiting: (() => void)[] = [];
    this.held.set(uri, waiting);
    return () => waiting.shift()?.();
  }

  /** Lets new reads of an address through; those held back stay so. */
  free(uri: string): void {
    this.held.delete(uri);
  }

  write(uri: string, document: Json): void {
    this.contents.set(uri, typeof document === 'string' ? document : layOut(document).text);
  }

  private content(uri: string, maxSize: number): FileContent {
    const content = this.contents.get(uri);
    if (content === undefined) return { kind: 'missing' };
    if (typeof content !== 'string') return content;
    const bytes = Buffer.from(content);
    return bytes.length > maxSize ? { kind: 'too large', size: bytes.length } : { kind: 'bytes', bytes };
  }

  private async released<T>(uri: string, value: T): Promise<T> {
    const waiting = this.held.get(uri);
    if (waiting !== undefined) await new Promise<void>((resolve) => waiting.push(resolve));
    return value;
  }
}

/** What a test's session works with unless the test says otherwise. */
export interface Setup {
  readonly folders?: readonly Folder[];
  readonly globs?: Globs;
  readonly pairings?: ReadonlyMap<string, readonly Pairing[]>;
  readonly maxSize?: number;
}

export const FOLDER: Folder = { uri: 'file:///w', name: 'w' };

/** A session over fake ports, with everything it told. */
export class SessionBench {
  readonly clock = new FakeClock();
  readonly files = new FakeFiles();
  readonly events: SessionEvent[] = [];
  readonly snapshots: Snapshot[] = [];
  readonly session = new Session({
    files: this.files,
    clock: this.clock,
    sha256,
    log: (event) => {
      this.events.push(event);
    },
    publish: (snapshot) => {
      this.snapshots.push(snapshot);
    },
  });

  configure({
    folders = [FOLDER],
    globs = DEFAULT_GLOBS,
    pairings = new Map(),
    maxSize = 1_000_000,
  }: Setup = {}) {
    return this.session.configure({ folders, globs, pairings, maxSize });
  }

  /** Lets time pass, and everything that was started with it come to its end. */
  async pass(milliseconds: number): Promise<void> {
    this.clock.advance(milliseconds);
    await this.settle();
  }

  /** Lets everything that waits for no one come to its end. */
  settle(): Promise<void> {
    return new Promise((resolve) => setImmediate(resolve));
  }

  /** The last snapshot. Throws when there is none. */
  get now(): Snapshot {
    const last = this.snapshots.at(-1);
    if (last === undefined) throw new Error('Nothing was published.');
    return last;
  }

  /** Reviews as `path: verdict`, of the last snapshot. */
  get verdicts(): string[] {
    return this.now.reviews.map(({ result }) => {
      const uri = result.observed ?? result.declared ?? result.policy ?? '';
      return `${uri.replace('file:///', '')}: ${result.verdict}`;
    });
  }

  /** Addresses of the observed manifests judged since the last call. */
  takeJudged(): (string | null)[] {
    const judged = this.events.flatMap((event) =>
      event.type === 'judged' ? [event.review.result.observed] : [],
    );
    this.events.length = 0;
    return judged;
  }
}
