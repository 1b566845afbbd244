// npm start: opens Visual Studio Code with the extension on a copy of the demo workspace, until Ctrl+C.
import fs from 'node:fs';
import path from 'node:path';
import { ensureDependencies } from './lib/dependencies.mjs';
import { Problem, ROOT, isOnPath, main, onInterrupt, run, say } from './lib/process.mjs';
import { build, packageVsix } from './lib/vsix.mjs';

const DEMO = path.join(ROOT, 'fixtures/workspaces/demo');
/** Copied at every start: what is tried there leaves the repository as it is. */
const COPY = path.join(ROOT, 'out/demo');
/** The same address at every start where it is free. */
const PORTS = '8137-8199';

await main(async () => {
  await ensureDependencies();
  await build();
  copyDemo();
  if (desktopRefusal() === undefined) return openDesktop();
  say(`Running Visual Studio Code as a server (${desktopRefusal()}).`);
  return serve();
});

function copyDemo() {
  fs.rmSync(COPY, { recursive: true, force: true });
  if (fs.existsSync(DEMO)) fs.cpSync(DEMO, COPY, { recursive: true });
  else fs.mkdirSync(COPY, { recursive: true });
}

/** Why the desktop editor is not used, if so. */
function desktopRefusal() {
  if (!isOnPath('code')) return 'there is no "code" on the PATH';
  if (process.platform !== 'linux') return undefined;
  if (!process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) return 'there is no display';
  if (process.getuid() === 0) return 'the desktop editor does not run as root';
  return undefined;
}

async function openDesktop() {
  say('Opening the demo workspace in Visual Studio Code. Close its window or press Ctrl+C to stop.');
  const args = ['--new-window', '--wait', `--extensionDevelopmentPath=${ROOT}`, COPY];
  const code = await run('code', args, { shell: process.platform === 'win32' });
  if (code !== 0) throw new Problem(`Visual Studio Code ended with ${code}.`);
}

/** Loaded late: the session needs the installed packages. */
async function serve() {
  const { installExtension, removeFolder, startServer, temporaryFolder, workbenchUrl } =
    await import('./host/session.mjs');
  const stopped = new Promise(onInterrupt);
  const folder = temporaryFolder('start');
  let server;
  try {
    // Installed as a user would do it, so that everything (notifications too) is as a user sees it.
    const vsix = packageVsix(path.join(folder, 'extension.vsix'));
    const extensionsDir = path.join(folder, 'extensions');
    await installExtension(vsix, extensionsDir);
    server = await startServer({ extensionsDir, userDataDir: path.join(folder, 'user'), port: PORTS });
    say(`\nOpen ${workbenchUrl(server.address, { folder: COPY })} in your browser. Press Ctrl+C to stop.`);
    const crash = await Promise.race([stopped.then(() => undefined), server.exited]);
    if (crash) throw new Problem(crash);
  } finally {
    await server?.stop();
    removeFolder(folder);
  }
}
