// npm test: builds, runs the unit, host and UI tests, and ends with the line "N passed, N failed".
//
//   --unit, --host, --ui    only this part
//   --run NAME              only this one of the host runs (test/host/runs.mjs); implies --host
//   --grep PATTERN          only the tests whose full name matches
import { parseArgs } from 'node:util';
import { ensureDependencies } from './lib/dependencies.mjs';
import { runMocha } from './lib/mocha.mjs';
import { main, say } from './lib/process.mjs';
import { NO_RESULTS, addResults, countFailure } from './lib/results.mjs';
import { build } from './lib/vsix.mjs';

const { values: options } = parseArgs({
  options: {
    unit: { type: 'boolean' },
    host: { type: 'boolean' },
    ui: { type: 'boolean' },
    run: { type: 'string' },
    grep: { type: 'string' },
  },
});
const { grep, run: only } = options;
const parts = {
  unit: { wanted: options.unit, name: 'The unit tests', run: runUnitTests },
  host: { wanted: options.host || only !== undefined, name: 'The host tests', run: runHostTests },
  ui: { wanted: options.ui, name: 'The UI tests', run: runUiTests },
};

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
  const chosen = Object.values(parts).filter(({ wanted }) => wanted);
  let results = NO_RESULTS;
  for (const { name, run } of chosen.length > 0 ? chosen : Object.values(parts)) {
    results = addResults(results, await countFailure(name, run));
  }
  return results;
}

function runUnitTests() {
  say('\nUnit tests');
  return runMocha('Unit tests', 'test/unit/**/*.test.ts', { grep });
}

/** Loaded late: these modules need the installed packages. */
async function runHostTests() {
  const { runAllHostTests } = await import('./host/tests.mjs');
  return runAllHostTests({ grep, only });
}

async function runUiTests() {
  const tests = await import('./host/ui-tests.mjs');
  return tests.runUiTests({ grep });
}
