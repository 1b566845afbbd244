// Entered by the editor's extension host (extensionTestsPath): runs the test files of one run with mocha.
import * as fs from 'node:fs';
import * as path from 'node:path';
import Mocha from 'mocha';
import * as vscode from 'vscode';
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
  await foldersAreOpen();
  for (const file of description.files) mocha.addFile(file);
  const failures = await new Promise<number>((resolve) => {
    mocha.run(resolve).on('fail', (_test, error: Error) => {
      nameSources(error);
    });
  });
  if (failures > 0) throw new Error(`${failures} of the host tests failed.`);
}

/** Every run has folders; those of a `.code-workspace` may come a moment after the extension host on a busy machine. */
async function foldersAreOpen(): Promise<void> {
  const isOpen = () => (vscode.workspace.workspaceFolders ?? []).length > 0;
  if (isOpen()) return;
  await new Promise<void>((resolve) => {
    const subscription = vscode.workspace.onDidChangeWorkspaceFolders(() => {
      if (!isOpen()) return;
      subscription.dispose();
      resolve();
    });
  });
}

function readDescription(): RunDescription {
  return JSON.parse(fs.readFileSync(path.join(__dirname, 'run.json'), 'utf8')) as RunDescription;
}
