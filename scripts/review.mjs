// npm run review -- PATH...: the command line of this tool, built when it has to be. Messages of this script go to
// stderr: stdout is the report's.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { ensureDependencies } from './lib/dependencies.mjs';
import { ROOT, main, say } from './lib/process.mjs';
import { build } from './lib/vsix.mjs';

const CLI = path.join(ROOT, 'dist/cli.js');
/** What a shell gives for a program that a signal ended. */
const ENDED_BY_SIGNAL = 128;

await main(async () => {
  await ensureDependencies();
  if (isOutdated()) {
    say('Building the command line...');
    await build();
  }
  // npm runs scripts in the repository's folder, while paths are meant from where the user is.
  const cwd = process.env.npm_lifecycle_event === 'review' ? process.env.INIT_CWD : undefined;
  const args = [CLI, 'review', ...process.argv.slice(2)];
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit', cwd });
  return status ?? ENDED_BY_SIGNAL;
});

function isOutdated() {
  if (!fs.existsSync(CLI)) return true;
  const built = fs.statSync(CLI).mtimeMs;
  const sources = fs
    .readdirSync(path.join(ROOT, 'src'), { recursive: true })
    .map((file) => path.join(ROOT, 'src', file));
  const inputs = [...sources, path.join(ROOT, 'package-lock.json'), path.join(ROOT, 'scripts/build.mjs')];
  return inputs.some((file) => fs.statSync(file).mtimeMs > built);
}
