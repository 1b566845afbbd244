import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { runReview } from './review';
import { HELP, UsageError } from './usage';

async function main([command, ...args]: readonly string[]): Promise<{ output: string; exitCode: number }> {
  if (command === '--version') return { output: `${version()}\n`, exitCode: 0 };
  if (command === '--help' || args.includes('--help')) return { output: HELP, exitCode: 0 };
  if (command === 'review') return runReview(args);
  throw new UsageError(
    `${command === undefined ? 'A command is missing' : `There is no command “${command}”`}. Try --help.`,
  );
}

function version(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  return z.object({ version: z.string() }).parse(manifest).version;
}

main(process.argv.slice(2)).then(
  ({ output, exitCode }) => {
    process.stdout.write(output);
    process.exitCode = exitCode;
  },
  (error: unknown) => {
    const message =
      error instanceof UsageError
        ? error.message
        : error instanceof Error
          ? (error.stack ?? error.message)
          : String(error);
    process.stderr.write(`mcp-manifest-review: ${message}\n`);
    process.exitCode = 3;
  },
);
