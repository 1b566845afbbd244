import { readFileSync } from 'node:fs';
import * as z from 'zod';
import type { Outcome } from './arguments';
import { runDigest } from './digest';
import { runProduce } from './produce';
import { runPromote } from './promote';
import { runReview } from './review';
import { terminalStyle, withProgress } from './terminal';
import { helpFor, UsageError } from './usage';

/** Wrong usage, an input that cannot be read, or a failure of the program itself. */
const FAILED = 3;

const COMMANDS: ReadonlyMap<string, (args: readonly string[]) => Promise<Outcome>> = new Map([
  ['review', (args) => runReview(args, { version: version(), style: terminalStyle() })],
  ['produce', (args) => runProduce(args, note)],
  ['promote', (args) => runPromote(args, note)],
  ['digest', runDigest],
]);

async function main([name, ...args]: readonly string[]): Promise<Outcome> {
  if (name === '--version') return { output: `${version()}\n`, exitCode: 0 };
  if (name === '--help' || args.includes('--help')) return { output: helpFor(name), exitCode: 0 };
  const command = COMMANDS.get(name ?? '');
  if (command === undefined) {
    throw new UsageError(
      `${name === undefined ? 'A command is missing' : `There is no command “${name}”`}. Try --help.`,
    );
  }
  return withProgress('Working…', command(args));
}

function version(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  return z.object({ version: z.string() }).parse(manifest).version;
}

/** Messages go to standard error: standard output carries the result alone. */
function note(message: string): void {
  process.stderr.write(`mcp-manifest-review: ${message}\n`);
}

// A reader that stops early (`| head`) is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

main(process.argv.slice(2)).then(
  ({ output, exitCode }) => {
    process.stdout.write(output);
    process.exitCode = exitCode;
  },
  (error: unknown) => {
    note(
      error instanceof UsageError
        ? error.message
        : error instanceof Error
          ? (error.stack ?? error.message)
          : String(error),
    );
    process.exitCode = FAILED;
  },
);
