// Entered by the editor's extension host (extensionTestsPath): runs the test files of one run with mocha.
import * as fs from 'node:fs';
import * as path from 'node:path';
import Mocha from 'mocha';
import { nameSources } from './source-positions';

/** Written beside this bundle by scripts/host/test-run.mjs. */
interface RunDescription {
  readonly files: readonly string[];
  readonly repository: string;
  readonly reporter: string;
  readonly resultsFile: string;
  readonly timeoutMs: number;
  readonly grep?: string;
  readonly forbidOnly: boolean;
}

export async function run(): Promise<void> {
  const description = readDescription();
  // Before the files are loaded: keeps their source maps.
  process.setSourceMapsEnabled(true);
  // For tests that read fixtures: the window's workspace is a copy elsewhere.
  process.env['MCP_MANIFEST_REVIEW_REPOSITORY'] = description.repository;
  const mocha = new Mocha({
    ui: 'bdd',
    timeout: description.timeoutMs,
    forbidOnly: description.forbidOnly,
    reporter: description.reporter,
    reporterOptions: { show: 'Spec', results: description.resultsFile },
    ...(description.grep === undefined ? {} : { grep: description.grep }),
  });
  for (const file of description.files) mocha.addFile(file);
  const failures = await new Promise<number>((resolve) => {
    mocha.run(resolve).on('fail', (_test, error: Error) => {
      nameSources(error);
    });
  });
  if (failures > 0) throw new Error(`${failures} of the host tests failed.`);
}

function readDescription(): RunDescription {
  return JSON.parse(fs.readFileSync(path.join(__dirname, 'run.json'), 'utf8')) as RunDescription;
}
