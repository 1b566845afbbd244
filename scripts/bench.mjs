// `npm run bench`: builds scripts/bench.ts as the product is built, and runs it with the collector at hand.
import path from 'node:path';
import { ensureDependencies } from './lib/dependencies.mjs';
import { ROOT, main, run } from './lib/process.mjs';

await main(async () => {
  await ensureDependencies();
  const { build } = await import('esbuild');
  const outfile = path.join(ROOT, 'out/bench.cjs');
  await build({
    entryPoints: [path.join(ROOT, 'scripts/bench.ts')],
    ...{ outfile, bundle: true, minify: true, platform: 'node', target: 'node20', format: 'cjs' },
    mainFields: ['module', 'main'],
  });
  return run(process.execPath, ['--expose-gc', outfile], { stdio: ['ignore', 1, 2] });
});
