// Bundles the host tests: they are TypeScript, and the extension host loads JavaScript.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import * as esbuild from 'esbuild';
import { Problem, ROOT } from '../lib/process.mjs';

const TESTS = path.join(ROOT, 'test/host');
const NOT_TESTS = new Set(['runner', 'server', 'node_modules']);

/** Every test file, relative to test/host, with forward slashes. */
export function findTestFiles(folder = TESTS) {
  return fs
    .readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => {
      const place = path.join(folder, entry.name);
      if (entry.isDirectory()) return NOT_TESTS.has(entry.name) ? [] : findTestFiles(place);
      return entry.name.endsWith('.test.ts') ? [path.relative(TESTS, place).replaceAll('\\', '/')] : [];
    })
    .sort();
}

/** Gives every run its test files. */
export function assignFiles(runs, files = findTestFiles()) {
  const matches = (file, pattern) => file === pattern || (pattern.endsWith('/') && file.startsWith(pattern));
  const named = runs.flatMap((run) => run.files ?? []);
  const unknown = named.filter((pattern) => !files.some((file) => matches(file, pattern)));
  if (unknown.length > 0)
    throw new Problem(`test/host/runs.mjs names what does not exist: ${unknown.join(', ')}`);
  const isNamed = (file) => named.some((pattern) => matches(file, pattern));
  return runs.map((run) => ({
    ...run,
    files: files.filter((file) => (run.files ? run.files.some((p) => matches(file, p)) : !isNamed(file))),
  }));
}

/** Bundles the runner and the given test files into a folder. Gives the runner and a function from file to bundle. */
export async function bundleTests(files, folder) {
  const entryPoints = Object.fromEntries(
    ['runner/index.ts', ...files].map((f) => [f.slice(0, -3), path.join(TESTS, f)]),
  );
  await esbuild.build({
    entryPoints,
    outdir: folder,
    bundle: true,
    mainFields: ['module', 'main'],
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    sourcemap: 'inline',
    external: ['vscode'],
    plugins: [installedMocha],
    logLevel: 'warning',
  });
  const bundleOf = (file) => path.join(folder, file.replace(/\.ts$/, '.js'));
  return { runner: bundleOf('runner/index.ts'), bundleOf };
}

/** Mocha loads parts of itself by name, so it is not bundled; the bundle lies outside the repository and needs the path. */
const installedMocha = {
  name: 'installed-mocha',
  setup(build) {
    const mocha = createRequire(import.meta.url).resolve('mocha');
    build.onResolve({ filter: /^mocha$/ }, () => ({ path: mocha, external: true }));
  },
};
