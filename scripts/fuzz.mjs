// `npm run fuzz -- [--seed N] [--count N]`: see scripts/fuzz.ts.
import { ensureDependencies } from './lib/dependencies.mjs';
import { main, run } from './lib/process.mjs';

await main(async () => {
  await ensureDependencies();
  const args = ['--import', 'tsx', 'scripts/fuzz.ts', ...process.argv.slice(2)];
  return run(process.execPath, args, { stdio: ['ignore', 1, 2] });
});
