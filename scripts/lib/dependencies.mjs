// Installs the locked dependencies of a package folder when they are missing or differ from its lock file.
// Plain Node: on a fresh clone this runs before any package is there.
import fs from 'node:fs';
import path from 'node:path';
import { Problem, ROOT, mustRun, say } from './process.mjs';

/** Makes sure that the repository's own dependencies are the locked ones. */
export function ensureDependencies() {
  return ensureInstalled(ROOT, 'the locked dependencies');
}

/** Runs `npm ci` in a folder whose node_modules is not what its lock file says; true when it did. */
export async function ensureInstalled(folder, what) {
  if (isInstalled(folder)) return false;
  const place = path.relative(ROOT, folder) || 'this folder';
  say(`Installing ${what} in ${place} (npm ci)...`);
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  await mustRun('npm', args, { cwd: folder, shell: process.platform === 'win32' });
  if (!isInstalled(folder))
    throw new Problem(`npm ci in ${place} ended well, but its packages are not there.`);
  return true;
}

function isInstalled(folder) {
  const locked = readPackages(path.join(folder, 'package-lock.json'));
  const installed = readPackages(path.join(folder, 'node_modules/.package-lock.json'));
  if (!locked || !installed) return false;
  // Optional packages (other platforms' binaries) may be absent; '' is the folder itself.
  return Object.entries(locked).every(([name, { version, optional, devOptional, link }]) => {
    const found = installed[name];
    if (!found) return name === '' || Boolean(optional || devOptional) || !name.startsWith('node_modules/');
    return link || found.version === version;
  });
}

function readPackages(lockFile) {
  if (!fs.existsSync(lockFile)) return undefined;
  return JSON.parse(fs.readFileSync(lockFile, 'utf8')).packages;
}
