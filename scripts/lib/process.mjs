// Starting other programs, and speaking to the person at the terminal. Plain Node: runs before anything is installed.
import { spawn, spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the repository. */
export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

/** A problem whose message is all a reader needs; entry points print it without a stack. */
export class Problem extends Error {}

/** Messages go to stderr, so that a command's stdout stays its own. */
export function say(message) {
  process.stderr.write(`${message}\n`);
}

/** The user pressed Ctrl+C, or something else asked this to end. */
export class Interrupted extends Error {}

const INTERRUPTED_CODE = 130;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const STDOUT_TO_STDERR = ['ignore', 2, 2];

/** Calls back when this process is asked to end; gives a function that stops doing so. */
export function onInterrupt(callback) {
  for (const signal of SIGNALS) process.on(signal, callback);
  return () => SIGNALS.forEach((signal) => process.off(signal, callback));
}

/**
 * Runs a program to its end and gives its exit code; what it prints goes to stderr unless `stdio` says otherwise.
 * When this process is asked to end, the program is first, so that it can clean up.
 */
export async function run(command, args, { stdio = STDOUT_TO_STDERR, timeoutMs = 0, ...options } = {}) {
  const child = spawn(command, args, { cwd: ROOT, stdio, timeout: timeoutMs, ...options });
  let interrupted = false;
  const stopListening = onInterrupt((signal) => {
    interrupted = true;
    child.kill(signal);
  });
  try {
    const code = await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, signal) => resolve(code ?? signal));
    });
    if (interrupted) throw new Interrupted();
    return code;
  } finally {
    stopListening();
  }
}

/** Like `run`, for a program that has to succeed. */
export async function mustRun(command, args, options) {
  const code = await run(command, args, options).catch((error) => {
    if (error instanceof Interrupted) throw error;
    return error.message;
  });
  if (code !== 0) throw new Problem(`"${[path.basename(command), ...args].join(' ')}" failed (${code}).`);
}

/** Runs a script of this repository, or of an installed package, with the Node that runs this one. */
export function mustRunNode(script, args = [], options) {
  return mustRun(process.execPath, [path.resolve(ROOT, script), ...args], options);
}

/** Whether a program of that name is on the PATH. */
export function isOnPath(program) {
  const finder = process.platform === 'win32' ? 'where' : 'which';
  return spawnSync(finder, [program], { stdio: 'ignore' }).status === 0;
}

/** Runs an entry point: a Problem is printed as it is, anything else with its stack; both end in exit code 1. */
export async function main(body) {
  try {
    process.exitCode = (await body()) ?? 0;
  } catch (error) {
    process.exitCode = error instanceof Interrupted ? INTERRUPTED_CODE : 1;
    if (error instanceof Problem) say(error.message);
    else if (!(error instanceof Interrupted)) say(error.stack);
  }
}
