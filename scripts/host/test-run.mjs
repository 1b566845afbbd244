// Runs one of test/host/runs.mjs: an editor window on a fresh copy of its workspace, with the packaged extension.
import fs from 'node:fs';
import path from 'node:path';
import { runTests, TestRunFailedError } from '@vscode/test-electron';
import { Problem, ROOT, run, say } from '../lib/process.mjs';
import { RESULTS_REPORTER, readResults } from '../lib/results.mjs';
import { RESTRICTED_MODE_SETTINGS, writeSettings } from './settings.mjs';

const TEST_TIMEOUT_MS = 20_000;
const RUN_TIMEOUT_MS = 15 * 60_000;

/**
 * - `editor`: the program from chooseEditor()
 * - `extension`: the unpacked .vsix
 * - `tests`: what bundleTests() gave
 * - `folder`: a temporary folder for this run alone
 */
export async function runHostTests(description, { editor, extension, tests, folder, grep }) {
  const { name, files, settings = {}, trust = true } = description;
  say(`\nHost tests, run "${name}"`);
  const target = await copyWorkspace(description, path.join(folder, 'workspace'));
  const userDataDir = path.join(folder, 'user');
  writeSettings(userDataDir, { ...(trust ? {} : RESTRICTED_MODE_SETTINGS), ...settings });
  const resultsFile = path.join(folder, 'results.json');
  writeRunFile(tests, { files: files.map(tests.bundleOf), resultsFile, grep });

  const launch = {
    vscodeExecutablePath: editor,
    extensionDevelopmentPath: extension,
    extensionTestsPath: tests.runner,
    launchArgs: [
      target,
      `--user-data-dir=${userDataDir}`,
      `--extensions-dir=${path.join(folder, 'extensions')}`,
    ],
  };
  // Set when this is started from a terminal inside an editor: it would make the desktop editor run as plain Node.
  delete process.env.ELECTRON_RUN_AS_NODE;
  const code = trust ? await runTrusted(launch) : await runRestricted(launch);
  return readResults(`Host tests, run "${name}"`, resultsFile, code, { mayBeEmpty: grep !== undefined });
}

async function runTrusted(launch) {
  try {
    return await runTests(launch);
  } catch (error) {
    return error instanceof TestRunFailedError ? (error.code ?? error.signal) : Promise.reject(error);
  }
}

/** As runTests() of @vscode/test-electron would, which can only run with the workspace trusted. */
function runRestricted({ vscodeExecutablePath, extensionDevelopmentPath, extensionTestsPath, launchArgs }) {
  const args = [
    ...launchArgs,
    `--extensionDevelopmentPath=${extensionDevelopmentPath}`,
    `--extensionTestsPath=${extensionTestsPath}`,
    ...[
      '--no-sandbox',
      '--disable-gpu-sandbox',
      '--disable-updates',
      '--skip-welcome',
      '--skip-release-notes',
    ],
  ];
  return run(vscodeExecutablePath, args, { stdio: ['ignore', 1, 2], timeoutMs: RUN_TIMEOUT_MS });
}

function writeRunFile(tests, { files, resultsFile, grep }) {
  const content = {
    ...{ files, resultsFile, grep, repository: ROOT, reporter: RESULTS_REPORTER },
    ...{ timeoutMs: TEST_TIMEOUT_MS, forbidOnly: Boolean(process.env.CI) },
  };
  fs.writeFileSync(path.join(path.dirname(tests.runner), 'run.json'), JSON.stringify(content));
}

/** Copies the run's workspace, which tests may change at will, and gives what to open: a folder or a .code-workspace. */
async function copyWorkspace({ workspace, prepare }, parent) {
  const isFile = workspace?.endsWith('.code-workspace');
  const source = workspace && path.join(ROOT, isFile ? path.dirname(workspace) : workspace);
  const copy = path.join(parent, source ? path.basename(source) : 'empty');
  if (source && !fs.existsSync(source)) throw new Problem(`The workspace ${workspace} does not exist.`);
  if (source) fs.cpSync(source, copy, { recursive: true });
  else fs.mkdirSync(copy, { recursive: true });
  const prepared = await prepare?.(copy);
  if (prepared) return prepared;
  return isFile ? path.join(copy, path.basename(workspace)) : copy;
}
