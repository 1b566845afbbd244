import { lstat, readFile, readlink, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { randomUUID } from 'node:crypto';

/** Why nothing was written. */
export type OutputRefusal =
  'folder missing' | 'is a folder' | 'no ordinary file' | 'differs' | 'not writable';

export interface OutputOptions {
  /** Whether a file that holds something else is replaced. */
  readonly replace: boolean;
  /** Whether a byte-order mark of the file that is replaced is kept. */
  readonly keepMark?: boolean;
}

const MARK = Buffer.from('\u{FEFF}');

/**
 * Writes a file in one step: a temporary file in the same folder, then a rename. A file that holds the same already is
 * left untouched; one that differs is only replaced when asked. Output: null, or why nothing was written.
 */
export async function writeOutput(
  path: string,
  text: string,
  options: OutputOptions,
): Promise<OutputRefusal | null> {
  const folder = await stat(dirname(path)).catch(() => null);
  if (!folder?.isDirectory()) return 'folder missing';
  // A link stays a link: what it points at is replaced.
  const target = await linkTarget(path);
  const existing = await stat(target).catch(() => null);
  if (existing?.isDirectory()) return 'is a folder';
  if (existing !== null && !existing.isFile()) return 'no ordinary file';
  const before = existing === null ? null : await readFile(target).catch(() => null);
  const marked = options.keepMark === true && before?.subarray(0, MARK.length).equals(MARK);
  const bytes = Buffer.concat([...(marked ? [MARK] : []), Buffer.from(text)]);
  if (before?.equals(bytes)) return null;
  if (existing !== null && !options.replace) return 'differs';
  const temporary = join(dirname(target), `.${basename(target)}.${randomUUID()}`);
  try {
    await writeFile(temporary, bytes, { flag: 'wx', mode: existing?.mode ?? 0o666 });
    await rename(temporary, target);
    return null;
  } catch {
    return 'not writable';
  } finally {
    if (await lstat(temporary).catch(() => null)) await rm(temporary, { force: true });
  }
}

/** What a path finally names: a link is followed, also to a file that does not exist yet. */
async function linkTarget(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const link = await readlink(path).catch(() => null);
    return link === null ? path : resolve(dirname(path), link);
  }
}
