// Visual Studio Code as a server, and a browser to look at it: for tests, for pictures and for trying the extension.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { Problem, run } from '../lib/process.mjs';
import { ensureBrowser } from './browser.mjs';
import { ensureServer } from './server-install.mjs';
import { writeSettings } from './settings.mjs';

const HOST = '127.0.0.1';
const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 3_000;

/** A new temporary folder; on some systems the usual one is a link, and the editor reports resolved paths. */
export function temporaryFolder(purpose) {
  return fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), `mcp-manifest-review-${purpose}-`));
}

/** Removes a folder in which a program may still be writing its last lines. */
export function removeFolder(folder) {
  fs.rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}

/** Installs a packaged extension into an extensions folder. */
export async function installExtension(vsix, extensionsDir) {
  const code = await runServerCommand(['--extensions-dir', extensionsDir, '--install-extension', vsix]);
  if (code !== 0) throw new Problem(`${path.basename(vsix)} could not be installed (${code}).`);
}

/** Runs the server for one of its own commands (--install-extension, --version, ...) and gives the exit code. */
export async function runServerCommand(args, stdio = ['ignore', 'ignore', 2]) {
  const { node, script } = await ensureServer();
  const serverDir = temporaryFolder('command');
  try {
    const common = [
      '--server-data-dir',
      serverDir,
      '--accept-server-license-terms',
      '--telemetry-level',
      'off',
    ];
    return await run(node, [script, ...common, ...args], { stdio, env: serverEnvironment() });
  } finally {
    removeFolder(serverDir);
  }
}

/**
 * Starts the editor as a server, open to this machine only.
 * - `userDataDir`, `extensionsDir`: kept by the caller; without them the session has its own and removes them.
 * - `settings`: user settings on top of the quiet ones (for a `userDataDir` without settings).
 * - `port`: a number, 0 for any, or a range such as '8137-8199'.
 * - `testDriver`: lets the page load an extension or tests from a folder; notification toasts are off then.
 * - `workspaceTrust`: leaves trust to the settings instead of trusting everything.
 * Gives `{ address, exited, output(), stop() }`; `exited` resolves with the reason when the server is gone.
 */
export async function startServer(options = {}) {
  const { port = 0, settings, testDriver = false, workspaceTrust = false, env } = options;
  const { node, script } = await ensureServer();
  const own = temporaryFolder('session');
  const userDataDir = options.userDataDir ?? path.join(own, 'user');
  const extensionsDir = options.extensionsDir ?? path.join(own, 'extensions');
  fs.mkdirSync(extensionsDir, { recursive: true });
  writeSettings(userDataDir, settings);

  const args = [
    script,
    ...[
      '--host',
      HOST,
      '--port',
      String(port),
      '--without-connection-token',
      '--accept-server-license-terms',
    ],
    ...['--server-data-dir', path.join(own, 'server'), '--user-data-dir', userDataDir],
    ...['--extensions-dir', extensionsDir, '--telemetry-level', 'off', '--force-disable-user-env'],
    ...['--disable-experiments', '--disable-update-check', '--disable-getting-started-override'],
    ...(workspaceTrust ? [] : ['--disable-workspace-trust']),
    ...(testDriver ? ['--enable-smoke-test-driver'] : []),
  ];
  // Its own process group, so that stopping it stops the extension hosts below it too.
  const server = spawn(node, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...serverEnvironment(), ...env },
    detached: process.platform !== 'win32',
  });

  let output = '';
  for (const stream of [server.stdout, server.stderr]) stream.on('data', (data) => (output += data));
  const exited = new Promise((resolve) => {
    server.once('error', (error) => resolve(`The server did not start: ${error.message}`));
    server.once('exit', (code, signal) =>
      resolve(`The server ended (${code ?? signal}).\n${output.slice(-2000)}`),
    );
  });
  function clearAway() {
    // Also when the server is gone already: an extension host may have stayed.
    killGroup(server, 'SIGKILL');
    removeFolder(own);
  }
  process.once('exit', clearAway);

  async function stop() {
    if (isRunning(server)) {
      killGroup(server, 'SIGTERM');
      await Promise.race([exited, delay(STOP_TIMEOUT_MS)]);
    }
    process.off('exit', clearAway);
    clearAway();
  }

  const announced = new Promise((resolve) => {
    server.stdout.on('data', () => {
      const [, number] = /agent listening on (\d+)/.exec(output) ?? [];
      if (number) resolve(Number(number));
    });
  });
  const late = delay(START_TIMEOUT_MS).then(
    () => `The server did not start in time.\n${output.slice(-2000)}`,
  );
  const started = await Promise.race([announced, exited, late]);
  if (typeof started !== 'number') {
    await stop();
    throw new Problem(started);
  }
  return { address: `${HOST}:${started}`, exited, output: () => output, stop };
}

/** The environment of the server: no extension gallery, and nothing left from an editor this was started in. */
function serverEnvironment() {
  const env = { ...process.env, EXTENSIONS_GALLERY: '{"serviceUrl":""}' };
  for (const name of Object.keys(env)) if (/^(VSCODE|ELECTRON)_/.test(name)) delete env[name];
  return env;
}

function isRunning(child) {
  return child.pid !== undefined && child.exitCode === null && child.signalCode === null;
}

function killGroup(child, signal) {
  try {
    if (process.platform === 'win32') child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // Already gone.
  }
}

function delay(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}

/** A headless Chromium with the flags under which the workbench ran reliably. */
export async function launchBrowser({ args = [], ...options } = {}) {
  const flags = [
    ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-dev-shm-usage'],
    ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
  ];
  return chromium.launch({ executablePath: await ensureBrowser(), args: [...flags, ...args], ...options });
}

/** The address of a window on a folder, a .code-workspace file or neither; `payload` is the window's own options. */
export function workbenchUrl(address, { folder, workspace, payload = [] } = {}) {
  const readable = (file) => encodeURIComponent(file).replaceAll('%2F', '/');
  let query = 'ew=true';
  if (workspace) query = `workspace=${readable(workspace)}`;
  else if (folder) query = `folder=${readable(folder)}`;
  if (payload.length > 0) query += `&payload=${encodeURIComponent(JSON.stringify(payload))}`;
  return `http://${address}/?${query}`;
}

/** How the page names a file of the server's machine, as in payload `['openFile', remoteUri(address, file)]`. */
export function remoteUri(address, file) {
  return `vscode-remote://${address}${encodeURI(file)}`;
}
