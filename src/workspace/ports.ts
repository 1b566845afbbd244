import type { DocumentKind } from '../engine/manifest/documents';
import type { JudgedReview } from './reviews';
import type { Folder } from './paths';

/** What reading a file gave. */
export type FileContent =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'too large'; readonly size: number }
  | { readonly kind: 'missing' }
  | { readonly kind: 'failed'; readonly reason: string };

/** The files of the outside world. Addresses are opaque strings. */
export interface Files {
  /** All files in a folder that match one of the globs; nothing is excluded. */
  list(folder: Folder, patterns: readonly string[]): Promise<readonly string[]>;
  /** Never rejects; a file larger than `maxSize` bytes is not read. */
  read(uri: string, maxSize: number): Promise<FileContent>;
}

/** Runs a task after a delay in milliseconds; the result cancels it. */
export interface Clock {
  after(delay: number, task: () => void): () => void;
}

/** What happened, for the log: coded, worded elsewhere. */
export type SessionEvent =
  | { readonly type: 'listed'; readonly folder: Folder; readonly watched: number; readonly excluded: number }
  | {
      readonly type: 'read';
      readonly uri: string;
      readonly document: DocumentKind;
      readonly problems: number;
      readonly unsaved: boolean;
    }
  | { readonly type: 'ignored'; readonly uri: string; readonly why: 'no kind' | 'excluded' }
  | { readonly type: 'dropped'; readonly uri: string }
  | { readonly type: 'failed'; readonly uri: string; readonly reason: string }
  | { readonly type: 'list failed'; readonly reason: string }
  | { readonly type: 'judged'; readonly review: JudgedReview };
