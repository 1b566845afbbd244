import type { Clock } from './ports';

/** File events come in bursts (a checkout, an atomic replace): they are gathered for this long, in milliseconds. */
const BURST = 30;

/** What is to be looked at next: addresses, and folders whose files have to be listed again. */
export interface Batch<Folder> {
  readonly uris: ReadonlySet<string>;
  readonly folders: ReadonlySet<Folder>;
}

/** Gathers what is to be looked at, and hands it over in batches: bursts together, each edit after a pause of its own. */
export class Agenda<Folder> {
  private uris = new Set<string>();
  private folders = new Set<Folder>();
  private readonly pauses = new Map<string, () => void>();
  private cancelBatch: (() => void) | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly handle: (batch: Batch<Folder>) => void,
  ) {}

  /** Looks at an address with the burst it belongs to. */
  soon(uri: string): void {
    this.uris.add(uri);
    this.cancelBatch ??= this.after(BURST);
  }

  /** Looks at an address, and at what else is waiting, without delay. */
  now(uri: string): void {
    this.uris.add(uri);
    this.cancelBatch?.();
    this.cancelBatch = this.after(0);
  }

  /** Looks at an address once it has been left alone for a pause, in milliseconds. */
  afterPause(uri: string, pause: number): void {
    this.pauses.get(uri)?.();
    const cancel = this.clock.after(pause, () => {
      this.pauses.delete(uri);
      this.now(uri);
    });
    this.pauses.set(uri, cancel);
  }

  /** Takes back {@link afterPause}. */
  cancelPause(uri: string): void {
    this.pauses.get(uri)?.();
    this.pauses.delete(uri);
  }

  /** Lists a folder with the burst it belongs to. */
  listSoon(folder: Folder): void {
    this.folders.add(folder);
    this.cancelBatch ??= this.after(BURST);
  }

  dispose(): void {
    this.cancelBatch?.();
    for (const cancel of this.pauses.values()) cancel();
  }

  private after(delay: number): () => void {
    return this.clock.after(delay, () => {
      this.cancelBatch = undefined;
      const { uris, folders } = this;
      this.uris = new Set();
      this.folders = new Set();
      this.handle({ uris, folders });
    });
  }
}
