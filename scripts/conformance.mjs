// npm run test:conformance -- FOLDER: compares the engine with public vectors and captures that lie outside this
// repository, and ends with the line "N passed, N failed". FOLDER holds vectors/, manifests/ and nasty/; it may also
// be given as MCP_MANIFEST_REVIEW_SHARED.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ensureDependencies } from './lib/dependencies.mjs';
import { Problem, ROOT, main, run, say } from './lib/process.mjs';
import { RESULTS_REPORTER, readResults } from './lib/results.mjs';

const VARIABLE = 'MCP_MANIFEST_REVIEW_SHARED';
const TIMEOUT_MS = 10 * 60_000;
const NEEDED = ['vectors/assay', 'vectors/rfc8785.json', 'manifests/expected-digests.json', 'nasty'];

await main(async () => {
  const shared = findShared(process.argv.slice(2));
  await ensureDependencies();
  const results = await runTests(shared);
  if (results.skipped > 0) say(`${results.skipped} skipped`);
  console.log(`${results.passed} passed, ${results.failed} failed`);
  return results.failed > 0 || results.passed === 0 ? 1 : 0;
});

function findShared([argument, ...more]) {
  const given = argument ?? process.env[VARIABLE];
  if (given === undefined || more.length > 0) {
    throw new Problem(`Usage: npm run test:conformance -- FOLDER (or set ${VARIABLE}).`);
  }
  // npm runs scripts in the repository's folder, while paths are meant from where the user is.
  const here = process.env.npm_lifecycle_event === 'test:conformance' ? process.env.INIT_CWD : undefined;
  const shared = path.resolve(here ?? process.cwd(), given);
  const missing = NEEDED.filter((name) => !fs.existsSync(path.join(shared, name)));
  if (!fs.existsSync(shared)) throw new Problem(`There is no folder ${shared}.`);
  if (missing.length > 0) throw new Problem(`${shared} lacks ${missing.join(', ')}.`);
  return shared;
}

async function runTests(shared) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'mcp-manifest-review-conformance-'));
  try {
    const resultsFile = path.join(folder, 'results.json');
    const args = [
      'node_modules/mocha/bin/mocha.js',
      ...['--no-config', '--node-option', 'import=tsx', '--forbid-only'],
      ...['--reporter', RESULTS_REPORTER, '--reporter-option', `show=Dot,results=${resultsFile}`],
      'test/conformance/**/*.test.ts',
    ];
    const env = { ...process.env, [VARIABLE]: shared };
    const code = await run(process.execPath, args, {
      stdio: ['ignore', 2, 2],
      cwd: ROOT,
      env,
      timeoutMs: TIMEOUT_MS,
    });
    return readResults('Conformance tests', resultsFile, code);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}
