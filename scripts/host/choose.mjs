// Decides which Visual Studio Code runs the host tests: a desktop one where it can be had, else the server.
import fs from 'node:fs';
import path from 'node:path';
import { downloadAndUnzipVSCode } from '@vscode/test-electron';
import { fetchStableVersions } from '@vscode/test-electron/out/download.js';
import { Problem, ROOT, isOnPath, say } from '../lib/process.mjs';
import { ensureBrowser } from './browser.mjs';
import { ensureServer } from './server-install.mjs';

const LAUNCHER = path.join(ROOT, 'scripts/host/code.mjs');
const PROBE_TIMEOUT_MS = 5_000;

/** The path of the program that starts the editor, as @vscode/test-electron wants it. Says which one and why. */
export async function chooseEditor() {
  const named = process.env.VSCODE_EXECUTABLE;
  if (named) return useNamed(named);
  const { editor, refusal } = await tryDesktop();
  if (editor) return editor;
  say(`Visual Studio Code: as a server, in headless Chromium (${refusal}).`);
  await ensureServer();
  await ensureBrowser();
  return LAUNCHER;
}

function useNamed(program) {
  if (!fs.existsSync(program)) throw new Problem(`VSCODE_EXECUTABLE names ${program}, which does not exist.`);
  say(`Visual Studio Code: ${program} (named by VSCODE_EXECUTABLE).`);
  return withDisplay(program);
}

async function tryDesktop() {
  if (!hasDisplay() && !isOnPath('xvfb-run')) return { refusal: 'no display here, and no xvfb-run' };
  try {
    // Asked first, since a download that the network refuses is only given up after several long attempts.
    await fetchStableVersions(true, PROBE_TIMEOUT_MS);
    const program = await downloadAndUnzipVSCode({ cachePath: path.join(ROOT, '.vscode-test') });
    say(`Visual Studio Code: ${program} (the latest stable desktop version).`);
    return { editor: withDisplay(program) };
  } catch (error) {
    return { refusal: `the desktop version cannot be downloaded: ${error.message ?? error}` };
  }
}

function hasDisplay() {
  return process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
}

/** The program itself, or a small script that gives it a virtual display where there is none. */
function withDisplay(program) {
  if (hasDisplay() || program.endsWith('.mjs')) return program;
  const wrapper = path.join(ROOT, 'out/code-with-display.sh');
  fs.mkdirSync(path.dirname(wrapper), { recursive: true });
  fs.writeFileSync(wrapper, `#!/bin/sh\nexec xvfb-run --auto-servernum '${program}' "$@"\n`, { mode: 0o755 });
  return wrapper;
}
