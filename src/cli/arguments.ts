import { parseArgs, type ParseArgsConfig } from 'node:util';
import { UsageError } from './usage';

/** What a command gives: the text for standard output, and the exit code of cli.md. */
export interface Outcome {
  readonly output: string;
  readonly exitCode: number;
}

/** Reads a command's arguments; throws a {@link UsageError} that names what is wrong. */
export function readArguments<const T extends ParseArgsConfig>(config: T): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config);
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** The only positional argument of a command. */
export function onlyPath(command: string, positionals: readonly string[]): string {
  const [path, ...more] = positionals;
  if (path === undefined || more.length > 0) {
    throw new UsageError(
      `${command} takes one file, or - for standard input; ${positionals.length} were given.`,
    );
  }
  return path;
}

/** A value of a flag that has to be one of a few. */
export function oneOf<T extends string>(flag: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find((candidate) => candidate === value);
  if (found === undefined)
    throw new UsageError(`${flag} must be one of ${allowed.join(', ')}, not “${value}”.`);
  return found;
}
