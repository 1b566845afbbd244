// Bundles the extension and the command line into dist/. `--watch` keeps building.
import * as esbuild from 'esbuild';

const common = {
  bundle: true,
  platform: 'node',
  // jsonc-parser's CommonJS build hides its requires from bundlers.
  mainFields: ['module', 'main'],
  target: 'node20',
  minify: true,
  sourcemap: false,
  legalComments: 'none',
  logLevel: 'info',
};

const bundles = [
  {
    ...common,
    entryPoints: ['src/extension/extension.node.ts'],
    outfile: 'dist/extension.cjs',
    format: 'cjs',
    external: ['vscode'],
  },
  {
    ...common,
    entryPoints: ['src/cli/main.ts'],
    outfile: 'dist/cli.js',
    format: 'esm',
    // Dependencies written for CommonJS still ask for node's modules by require.
    banner: {
      js: "#!/usr/bin/env node\nimport { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);",
    },
  },
];

if (process.argv.includes('--watch')) {
  for (const options of bundles) await (await esbuild.context(options)).watch();
} else {
  await Promise.all(bundles.map((options) => esbuild.build(options)));
}
