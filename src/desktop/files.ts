import { readFile, stat } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { glob } from 'tinyglobby';
import type { FileContent, Files } from '../workspace/ports';

/** Files on disk under `file:` addresses. Folders that are excluded by default are not entered. */
export function diskFiles(skipped: readonly string[]): Files {
  return {
    async list(folder, patterns) {
      const found = await glob([...patterns], {
        cwd: fileURLToPath(folder.uri),
        ignore: [...skipped],
        absolute: true,
        dot: true,
        followSymbolicLinks: false,
        expandDirectories: false,
      });
      return found.map((path) => pathToFileURL(path).href);
    },
    read: (uri, maxSize) => readContent(fileURLToPath(uri), maxSize),
  };
}

async function readContent(path: string, maxSize: number): Promise<FileContent> {
  try {
    const found = await stat(path);
    if (!found.isFile())
      return { kind: 'failed', reason: found.isDirectory() ? 'it is a folder' : 'it is no ordinary file' };
    if (found.size > maxSize) return { kind: 'too large', size: found.size };
    return { kind: 'bytes', bytes: await readFile(path) };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'missing' };
    return {
      kind: 'failed',
      reason: code === 'EACCES' ? 'permission is denied' : `the system says ${code || String(error)}`,
    };
  }
}
