// Runs TypeScript tests by mocha in a Node of their own, and reads the counts they leave.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { run } from './process.mjs';
import { RESULTS_REPORTER, readResults } from './results.mjs';

const TIMEOUT_MS = 15 * 60_000;

/**
 * - `name`: what these tests are called in messages
 * - `files`: a glob of the test files
 * - `show`: mocha's reporter that is shown, 'Spec' or 'Dot'
 * - `args`: further arguments of mocha
 */
export async function runMocha(name, files, { show = 'Dot', args = [], grep, env = {} } = {}) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'mcp-manifest-review-mocha-'));
  try {
    const resultsFile = path.join(folder, 'results.json');
    const command = [
      // With `node-option` in its configuration mocha would start another Node, which outlives it when it is stopped.
      ...['--import', 'tsx', 'node_modules/mocha/bin/mocha.js', '--no-config', ...args],
      ...['--reporter', RESULTS_REPORTER, '--reporter-option', `show=${show},results=${resultsFile}`],
      ...(grep === undefined ? [] : ['--grep', grep]),
      ...(process.env.CI ? ['--forbid-only'] : []),
      files,
    ];
    const code = await run(process.execPath, command, {
      stdio: ['ignore', 1, 2],
      timeoutMs: TIMEOUT_MS,
      env: { ...process.env, ...env },
    });
    return readResults(name, resultsFile, code, { mayBeEmpty: grep !== undefined });
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}
