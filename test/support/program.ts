// The command line as people run it: the real bundle in a process of its own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { build } from 'esbuild';

const ROOT = join(import.meta.dirname, '../..');

/** How long a program may take before it counts as hanging, in milliseconds. */
const PATIENCE = 60_000;

/** Bundles src/cli as scripts/build.mjs does, into a folder. Output: the program's path. */
export async function bundleProgram(folder: string): Promise<string> {
  const outfile = join(folder, 'dist/cli.js');
  await build({
    absWorkingDir: ROOT,
    entryPoints: ['src/cli/main.ts'],
    outfile,
    bundle: true,
    platform: 'node',
    mainFields: ['module', 'main'],
    target: 'node20',
    format: 'esm',
    minify: true,
    logLevel: 'warning',
    banner: {
      js: "#!/usr/bin/env node\nimport { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);",
    },
  });
  // The program reads its version from the package it lies in.
  copyFileSync(join(ROOT, 'package.json'), join(folder, 'package.json'));
  return outfile;
}

export interface Ended {
  /** Null when a signal ended the program. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd: string;
  readonly input?: string;
  /** Gives up the rights of a superuser first, whom no permission binds. */
  readonly unprivileged?: boolean;
  /** Closes the reading end of standard output at once, as `| head` does sooner or later. */
  readonly deaf?: boolean;
  readonly env?: Readonly<Record<string, string>>;
}

const NOBODY = 65_534;
const GIVE_UP_RIGHTS = `process.getuid() === 0 && (process.setgroups([]), process.setgid(${NOBODY}), process.setuid(${NOBODY}))`;

/** Runs the program to its end. */
export async function runProgram(
  program: string,
  args: readonly string[],
  { cwd, input = '', unprivileged = false, deaf = false, env = {} }: RunOptions,
): Promise<Ended> {
  const preload = unprivileged
    ? ['--import', `data:text/javascript,${encodeURIComponent(GIVE_UP_RIGHTS)}`]
    : [];
  const child = spawn(process.execPath, [...preload, program, ...args], {
    cwd,
    timeout: PATIENCE,
    env: { ...process.env, ...env },
  });
  // A program that does not read its input closes it early; that is no failure of the test.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  if (deaf) child.stdout.destroy();
  const [stdout, stderr] = await Promise.all([
    deaf ? '' : text(child.stdout),
    text(child.stderr),
    child.exitCode === null && once(child, 'exit'),
  ]);
  return { exitCode: child.exitCode, stdout, stderr };
}
