// The host tests: every run of test/host/runs.mjs against the extension as it is packaged.
import fs from 'node:fs';
import path from 'node:path';
import { runs } from '../../test/host/runs.mjs';
import { Problem } from '../lib/process.mjs';
import { NO_RESULTS, addResults, countFailure } from '../lib/results.mjs';
import { packageVsix, unpackVsix } from '../lib/vsix.mjs';
import { chooseEditor } from './choose.mjs';
import { removeFolder, temporaryFolder } from './session.mjs';
import { assignFiles, bundleTests } from './test-bundle.mjs';
import { runHostTests } from './test-run.mjs';

/** Runs them all, or the one named `only`; dist/ has to be built. */
export async function runAllHostTests({ grep, only } = {}) {
  const selected = assignFiles(runs).filter(({ name }) => only === undefined || name === only);
  if (selected.length === 0) throw new Problem(`test/host/runs.mjs has no run named ${only}.`);
  const editor = await chooseEditor();
  // Outside the repository: a module missing from the package must not be found in the repository's node_modules.
  const folder = temporaryFolder('host-tests');
  try {
    const vsix = packageVsix(path.join(folder, 'extension.vsix'));
    const extension = unpackVsix(vsix, path.join(folder, 'extension'));
    const tests = await bundleTests(
      [...new Set(selected.flatMap(({ files }) => files))],
      path.join(folder, 'tests'),
    );
    let results = NO_RESULTS;
    for (const description of selected) {
      const runFolder = path.join(folder, `run-${description.name}`);
      fs.mkdirSync(runFolder);
      const options = { editor, extension, tests, folder: runFolder, grep };
      const part = () => runHostTests(description, options);
      results = addResults(results, await countFailure(`The run "${description.name}"`, part));
    }
    return results;
  } finally {
    removeFolder(folder);
  }
}
