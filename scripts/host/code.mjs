#!/usr/bin/env node
// A stand-in for the desktop `code`: takes its arguments and carries them out with the editor as a server and a
// headless Chromium. Usable wherever a path to the editor is asked for, such as the `vscodeExecutablePath` of
// @vscode/test-electron.
//
// Exit codes: 0 passed, 1 tests failed, 2 the editor did not start, 3 the extension host, the server or the browser
// ended during the tests, 124 out of time.
import fs from 'node:fs';
import path from 'node:path';
import { Problem, onInterrupt, say } from '../lib/process.mjs';
import { parseCodeArguments } from './code-arguments.mjs';
import {
  launchBrowser,
  remoteUri,
  removeFolder,
  runServerCommand,
  startServer,
  temporaryFolder,
  workbenchUrl,
} from './session.mjs';
import { createTestBridge } from './test-bridge.mjs';

const EXIT = { passed: 0, failed: 1, noStart: 2, crashed: 3, outOfTime: 124, interrupted: 130 };
/** For a whole run. */
const TIMEOUT_MS = Number(process.env.CODE_TIMEOUT_MS ?? 600_000);
/** From the opening of the window until the tests are entered. */
const START_TIMEOUT_MS = 90_000;
const CLOSE_TIMEOUT_MS = 3_000;
const KEPT_CONSOLE_LINES = 30;

const options = parseCodeArguments(process.argv.slice(2));
const code = options.serverCommand.length > 0 ? await runCommand() : await openWindow();
// Whatever is still open (a timer, a broken browser connection) must not keep this from ending.
process.stdout.write('', () => process.exit(code));

function runCommand() {
  const folders = options.extensionsDir ? ['--extensions-dir', options.extensionsDir] : [];
  return runServerCommand([...folders, ...options.serverCommand], 'inherit');
}

/** Opens a window and runs the tests in it; without tests it stays until interrupted. */
async function openWindow() {
  const folder = temporaryFolder('code');
  const bridge = options.tests && createTestBridge(folder, options.tests);
  let server, browser;
  try {
    const interrupted = untilInterrupted();
    server = await startServer({ ...options, testDriver: true });
    // Playwright would end this process on a signal, before the cleaning up below.
    browser = await launchBrowser({ handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false });
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const page = await context.newPage();
    const consoleLines = keepConsole(page);

    const ends = [
      interrupted,
      onCrash(server, browser, page),
      after(TIMEOUT_MS, EXIT.outOfTime, 'Out of time.'),
    ];
    if (bridge) ends.push(bridge.outcome().then(toEnd), startedInTime(bridge));
    const opened = page.goto(windowUrl(server.address, bridge)).then(() => new Promise(() => {}));
    const { code, reason } = await Promise.race([...ends, opened]);
    if (reason) say(`code: ${reason}`);
    if (code === EXIT.noStart) consoleLines.forEach((line) => say(`  ${line}`));
    return code;
  } catch (error) {
    say(`code: ${error instanceof Problem ? error.message : error.stack}`);
    return EXIT.noStart;
  } finally {
    await Promise.race([
      browser?.close().catch(() => {}),
      new Promise((done) => setTimeout(done, CLOSE_TIMEOUT_MS)),
    ]);
    await server?.stop();
    bridge?.drainOutput();
    removeFolder(folder);
  }
}

function windowUrl(address, bridge) {
  const payload = [['skipWelcome', 'true']];
  if (options.extension) payload.push(['extensionDevelopmentPath', remoteUri(address, options.extension)]);
  if (bridge) payload.push(['extensionTestsPath', remoteUri(address, bridge.entry)]);
  const target = options.targets.find((place) => fs.existsSync(place));
  if (target === undefined) return workbenchUrl(address, { payload });
  if (path.extname(target) === '.code-workspace')
    return workbenchUrl(address, { workspace: target, payload });
  if (fs.statSync(target).isDirectory()) return workbenchUrl(address, { folder: target, payload });
  return workbenchUrl(address, { payload: [...payload, ['openFile', remoteUri(address, target)]] });
}

function toEnd(outcome) {
  if (outcome.crash) return { code: EXIT.crashed, reason: outcome.crash };
  return { code: EXIT[outcome] };
}

async function startedInTime(bridge) {
  await after(START_TIMEOUT_MS);
  if (!bridge.hasStarted()) return { code: EXIT.noStart, reason: 'The tests were not entered in time.' };
  return new Promise(() => {});
}

function after(ms, code, reason) {
  return new Promise((resolve) => setTimeout(resolve, ms, { code, reason }).unref());
}

function untilInterrupted() {
  return new Promise((resolve) => {
    onInterrupt((signal) => resolve({ code: EXIT.interrupted, reason: signal }));
  });
}

function onCrash(server, browser, page) {
  return new Promise((resolve) => {
    const crashed = (reason) => resolve({ code: EXIT.crashed, reason });
    server.exited.then(crashed);
    page.once('crash', () => crashed('The page crashed.'));
    browser.once('disconnected', () => crashed('The browser ended.'));
  });
}

/** The last lines of the page's console, shown when the tests were not entered. */
function keepConsole(page) {
  const lines = [];
  page.on('console', (message) => {
    lines.push(`[workbench ${message.type()}] ${message.text()}`);
    if (lines.length > KEPT_CONSOLE_LINES) lines.shift();
  });
  return lines;
}
