// npm test: builds, runs the unit tests and the host tests, and ends with the line "N passed, N failed".
//
//   --unit, --host    only this part
//   --run NAME        only this one of the host runs (test/host/runs.mjs); implies --host
//   --grep PATTERN    only the tests whose full name matches
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ensureDependencies } from './lib/dependencies.mjs';
import { main, run, say } from './lib/process.mjs';
import { NO_RESULTS, RESULTS_REPORTER, addResults, countFailure, readResults } from './lib/results.mjs';
import { build } from './lib/vsix.mjs';

const UNIT_TIMEOUT_MS = 15 * 60_000;

const { values: options } = parseArgs({
  options: {
    unit: { type: 'boolean' },
    host: { type: 'boolean' },
    run: { type: 'string' },
    grep: { type: 'string' },
  },
});
const { grep, run: only } = options;
const everything = !options.unit && !options.host && only === undefined;

await main(async () => {
  await ensureDependencies();
  const results = await runParts();
  if (results.skipped > 0) say(`${results.skipped} skipped`);
  if (results.passed + results.failed === 0) say('No test was run.');
  console.log(`${results.passed} passed, ${results.failed} failed`);
  return results.failed > 0 || results.passed === 0 ? 1 : 0;
});

async function runParts() {
  const built = await countFailure('The build', () => build().then(() => NO_RESULTS));
  if (built.failed > 0) return built;
  const unit = everything || options.unit ? await countFailure('The unit tests', runUnitTests) : NO_RESULTS;
  const host =
    everything || options.host || only ? await countFailure('The host tests', runHostTests) : NO_RESULTS;
  return addResults(unit, host);
}

async function runUnitTests() {
  say('\nUnit tests');
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'mcp-manifest-review-unit-'));
  try {
    const resultsFile = path.join(folder, 'results.json');
    const args = [
      'node_modules/mocha/bin/mocha.js',
      ...['--reporter', RESULTS_REPORTER, '--reporter-option', `show=Dot,results=${resultsFile}`],
      ...(grep === undefined ? [] : ['--grep', grep]),
      ...(process.env.CI ? ['--forbid-only'] : []),
    ];
    const code = await run(process.execPath, args, { stdio: ['ignore', 1, 2], timeoutMs: UNIT_TIMEOUT_MS });
    return readResults('Unit tests', resultsFile, code, { mayBeEmpty: grep !== undefined });
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** Loaded late: these modules need the installed packages. */
async function runHostTests() {
  const { runAllHostTests } = await import('./host/tests.mjs');
  return runAllHostTests({ grep, only });
}
