// What the UI tests run in: one server and one browser for all of them; every window is new and has a profile of its
// own.
import path from 'node:path';
import type { Browser, BrowserContext } from 'playwright-core';
import {
  launchBrowser,
  removeFolder,
  type Server,
  type ServerOptions,
  startServer,
  workbenchUrl,
} from '../../scripts/host/session.mjs';
import { Workbench } from './workbench';
import { removeWorkspaces } from './workspaces';

const FAILURES = path.join(import.meta.dirname, '../../out/ui-failures');
const WINDOW = { viewport: { width: 1280, height: 900 }, locale: 'en-US' };

const SETTINGS = {
  // As on the desktop: in a browser, edits would be saved by themselves.
  'files.autoSave': 'off',
  // What other extensions would say of the machine is none of these tests' business.
  'git.enabled': false,
};

let server: Server;
let browser: Browser;
let open: { context: BrowserContext; workbench: Workbench } | undefined;

// Mocha loads every test file at the root, so these hooks hold for all of them.
before(async () => {
  removeFolder(FAILURES);
  [server, browser] = await Promise.all([newServer(), launchBrowser()]);
});

afterEach(async function () {
  if (this.currentTest?.state === 'failed') await takePicture(this.currentTest.fullTitle());
  await open?.context.close();
  open = undefined;
  removeWorkspaces();
});

after(async () => {
  await browser.close();
  await server.stop();
});

process.once('exit', removeWorkspaces);
// The servers too clear themselves away when this process exits; a signal alone would end it without that.
for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));

/** A server with the extension installed as a user does it. */
export function newServer(options: ServerOptions = {}): Promise<Server> {
  const extensionsDir = process.env.UI_TEST_EXTENSIONS;
  if (extensionsDir === undefined) throw new Error('Run the UI tests by "npm test -- --ui".');
  return startServer({ extensionsDir, ...options, settings: { ...SETTINGS, ...options.settings } });
}

/** Opens the window of a test on a folder, or on none; it is closed when the test is over. */
export async function openWindow(folder?: string, on: Server = server): Promise<Workbench> {
  const context = await browser.newContext(WINDOW);
  const page = await context.newPage();
  const workbench = new Workbench(page);
  open = { context, workbench };
  await workbench.notifications.record();
  await page.goto(workbenchUrl(on.address, { folder, payload: [['skipWelcome', 'true']] }));
  await workbench.ready();
  return workbench;
}

async function takePicture(title: string): Promise<void> {
  const name = `${title.replace(/\W+/g, '-').slice(0, 100)}.png`;
  await open?.workbench.page.screenshot({ path: path.join(FAILURES, name) });
}
