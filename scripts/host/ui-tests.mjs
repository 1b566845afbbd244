// The UI tests (test/ui): the extension as a user installs it, in the editor as a server, looked at by a browser.
import path from 'node:path';
import { runMocha } from '../lib/mocha.mjs';
import { say } from '../lib/process.mjs';
import { packageVsix } from '../lib/vsix.mjs';
import { ensureBrowser } from './browser.mjs';
import { installExtension, removeFolder, temporaryFolder } from './session.mjs';

const TEST_TIMEOUT_MS = 90_000;
/** Tests that take longer are shown with their time. */
const SLOW_MS = 10_000;

/** Runs them all; dist/ has to be built. */
export async function runUiTests({ grep } = {}) {
  say('\nUI tests');
  await ensureBrowser();
  const folder = temporaryFolder('ui-tests');
  try {
    const vsix = packageVsix(path.join(folder, 'extension.vsix'));
    const extensionsDir = path.join(folder, 'extensions');
    await installExtension(vsix, extensionsDir);
    return await runMocha('UI tests', 'test/ui/**/*.test.ts', {
      show: 'Spec',
      args: ['--timeout', String(TEST_TIMEOUT_MS), '--slow', String(SLOW_MS)],
      grep,
      env: { UI_TEST_EXTENSIONS: extensionsDir },
    });
  } finally {
    removeFolder(folder);
  }
}
