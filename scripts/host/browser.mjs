// Finds a Chromium for the editor that runs as a server, or installs one.
import fs from 'node:fs';
import { chromium } from 'playwright-core';
import { Problem, isOnPath, run, say } from '../lib/process.mjs';

const PROGRAM_FILES = [process.env.PROGRAMFILES, process.env['PROGRAMFILES(X86)'], process.env.LOCALAPPDATA];
const USUAL_PLACES = {
  linux: [
    'chromium',
    'chromium-browser',
    'google-chrome',
    'google-chrome-stable',
    'chromium-headless-shell',
  ].map((name) => `/usr/bin/${name}`),
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  ],
  win32: PROGRAM_FILES.filter(Boolean).flatMap((folder) => [
    `${folder}\\Google\\Chrome\\Application\\chrome.exe`,
    `${folder}\\Microsoft\\Edge\\Application\\msedge.exe`,
  ]),
};

const ADVICE = 'Install Chromium or Chrome, or name the program in the environment variable CHROMIUM.';

/** The path of a Chromium, installed now if there was none. */
export async function ensureBrowser() {
  const found = findBrowser();
  if (found) return found;
  const tried = [];
  for (const [name, install] of [
    ['apt-get install chromium', installWithApt],
    ['playwright-core install chromium', installWithPlaywright],
  ]) {
    const refused = await install();
    const installed = findBrowser();
    if (installed) return installed;
    tried.push(`  ${name}: ${refused ?? 'ended well, but no browser was found afterwards'}`);
  }
  throw new Problem(`No Chromium was found, and none could be installed.\n${tried.join('\n')}\n${ADVICE}`);
}

function findBrowser() {
  for (const name of ['CHROMIUM', 'CHROME_BIN']) {
    const program = process.env[name];
    if (!program) continue;
    if (fs.existsSync(program)) return program;
    throw new Problem(`${name} names ${program}, which does not exist. ${ADVICE}`);
  }
  const places = [...(USUAL_PLACES[process.platform] ?? []), chromium.executablePath()];
  return places.find((place) => place && fs.existsSync(place));
}

/** Each installer gives the reason when it could not do its work. */
async function installWithApt() {
  if (process.platform !== 'linux' || !isOnPath('apt-get')) return 'there is no apt-get here';
  if (process.getuid() !== 0) return 'needs root';
  // The editor's own Git extension, which part of the tests rely on, needs the git program.
  const packages = ['chromium', ...(isOnPath('git') ? [] : ['git'])];
  say(`Installing ${packages.join(' and ')} (apt-get)...`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = (...args) => run('apt-get', ['-qq', ...args], { env, stdio: ['ignore', 'ignore', 2] });
  // An update may fail for one source of several; what counts is whether the install does.
  await apt('update');
  const code = await apt('install', '-y', '--no-install-recommends', ...packages);
  return code === 0 ? undefined : `ended with ${code}`;
}

async function installWithPlaywright() {
  say('Installing Chromium (playwright-core install chromium)...');
  const options = { shell: process.platform === 'win32' };
  const code = await run('npx', ['playwright-core', 'install', 'chromium'], options).catch((e) => e.message);
  return code === 0 ? undefined : `ended with ${code}`;
}
