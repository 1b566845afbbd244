import type { ManifestDocument } from '../engine/manifest/documents';
import { readBytes, readText, tooLarge, unreadable } from '../engine/manifest/read';
import { utf8Length } from '../engine/json/limits';
import { problem } from '../engine/problems';
import { type Globs, kindByName } from './globs';
import type { FileContent } from './ports';

/** What is known of an address before its text is: its name among the watched ones, and the size limit in bytes. */
export interface LoadContext {
  readonly globs: Globs;
  /** Relative to its folder. */
  readonly path: string;
  readonly maxSize: number;
  /** Whether the name is watched; only then a file that cannot be read counts as a document. */
  readonly watched: boolean;
}

/**
 * The document of a file's content, or of an unsaved text; null for a missing file and for text of no kind. A file
 * that cannot be read is a document with one problem, of the kind its name speaks of: nothing is skipped in silence.
 */
export function toDocument(
  uri: string,
  content: FileContent | { readonly kind: 'text'; readonly text: string },
  { globs, path, maxSize, watched }: LoadContext,
): ManifestDocument | null {
  const unread = (why: ReturnType<typeof problem>) =>
    watched ? unreadable[kindByName(globs, path)](uri, why) : null;
  switch (content.kind) {
    case 'bytes':
      return readBytes(uri, content.bytes);
    case 'text': {
      const size = utf8Length(content.text);
      return size > maxSize ? unread(tooLarge(size, maxSize)) : readText(uri, content.text);
    }
    case 'too large':
      return unread(tooLarge(content.size, maxSize));
    case 'failed':
      return unread(problem('file_unreadable', { start: 0, end: 0 }, { reason: content.reason }));
    case 'missing':
      return null;
  }
}
