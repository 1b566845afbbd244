// Makes the .vsix, the packaged extension, and unpacks it.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { Problem, ROOT, mustRunNode } from './process.mjs';
import { unpackZip } from './zip.mjs';

/** The extension's package.json. */
export function readManifest() {
  return JSON.parse(fs.readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
}

/** Bundles the sources into dist/. */
export function build() {
  return mustRunNode('scripts/build.mjs');
}

/** Packages what is in dist/ now. */
export function packageVsix(file) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const { code, output } = runQuietly('node_modules/@vscode/vsce/vsce', [
    ...['package', '--out', file],
    // The dependencies are in the bundle already.
    '--no-dependencies',
    // Asked about on the terminal otherwise; scripts/package.mjs checks the licence.
    ...['--allow-missing-repository', '--no-rewrite-relative-links', '--skip-license'],
  ]);
  if (code !== 0) throw new Problem(`The extension could not be packaged (${code}).\n${output}`);
  return file;
}

/** Puts exactly what a user would install into a folder. */
export function unpackVsix(vsix, folder) {
  unpackZip(vsix, 'extension/', folder);
  return folder;
}

function runQuietly(script, args) {
  const options = { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] };
  const { status, signal, stdout, stderr } = spawnSync(
    process.execPath,
    [path.join(ROOT, script), ...args],
    options,
  );
  return { code: status ?? signal, output: stdout + stderr };
}
