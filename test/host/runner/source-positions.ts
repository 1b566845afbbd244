import { findSourceMap } from 'node:module';

/** One place in a stack trace: file:line:column. */
const POSITION = /([^\s()]+):(\d+):(\d+)/g;

/**
 * Makes the stack of an error name the TypeScript sources. Node would do so by itself, but the editor replaces the
 * function that formats stacks.
 */
export function nameSources(error: Error): void {
  if (error.stack === undefined) return;
  error.stack = error.stack.replace(
    POSITION,
    (position: string, file: string, line: string, column: string) => {
      const entry = findSourceMap(file)?.findEntry(Number(line) - 1, Number(column) - 1);
      if (!entry || !('originalSource' in entry)) return position;
      const source = entry.originalSource.replace(/^file:\/\//, '');
      return `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
    },
  );
}
