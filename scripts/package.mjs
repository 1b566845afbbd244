// npm run package: builds mcp-manifest-review-VERSION.vsix and checks what it carries.
import fs from 'node:fs';
import path from 'node:path';
import { ensureDependencies } from './lib/dependencies.mjs';
import { Problem, ROOT, main } from './lib/process.mjs';
import { build, packageVsix, readManifest } from './lib/vsix.mjs';
import { readZip } from './lib/zip.mjs';

const KB = 1024;
const MAX_CODE = 400 * KB;
const MAX_WHOLE = 1.5 * KB * KB;

/** Paths inside the extension; vsce writes the documents' names in its own way. */
const REQUIRED = { 'a README': /^readme\.md$/i, 'a licence': /^licen[cs]e(\.\w+)?$/i };
const FORBIDDEN = [
  /^(src|test|scripts|fixtures|out)\//,
  /(^|\/)node_modules\//,
  /\.[cm]?tsx?$/,
  /\.map$/,
  /(^|\/)\.git/,
];

await main(async () => {
  await ensureDependencies();
  const { name, version, main: entry } = readManifest();
  await build();
  const file = path.join(ROOT, `${name}-${version}.vsix`);
  fs.rmSync(file, { force: true });
  packageVsix(file);

  const files = readZip(file)
    .filter((f) => f.name.startsWith('extension/'))
    .map((f) => ({ ...f, name: f.name.slice('extension/'.length) }));
  const codeSize = sum(files.filter((f) => f.name.startsWith('dist/')));
  const wholeSize = fs.statSync(file).size;
  for (const f of files) console.log(`${kilobytes(f.compressedSize).padStart(10)}  ${f.name}`);
  console.log(`Code: ${kilobytes(codeSize)} compressed (limit ${kilobytes(MAX_CODE)}).`);
  console.log(`Whole: ${kilobytes(wholeSize)} (limit ${kilobytes(MAX_WHOLE)}).`);

  const problems = [
    ...describeFiles(
      files.map((f) => f.name),
      path.posix.normalize(entry),
    ),
    ...(codeSize > MAX_CODE ? ['the code is over its limit'] : []),
    ...(wholeSize > MAX_WHOLE ? ['the whole is over its limit'] : []),
  ];
  if (problems.length > 0)
    throw new Problem(`${path.basename(file)} is not fit:\n  ${problems.join('\n  ')}`);
  console.log(`Packaged ${path.basename(file)}.`);
});

function describeFiles(names, entry) {
  const missing = Object.entries({
    ...REQUIRED,
    [`the entry point ${entry}`]: { test: (name) => name === entry },
  })
    .filter(([, pattern]) => !names.some((name) => pattern.test(name)))
    .map(([what]) => `${what} is missing`);
  const unwanted = names.filter((name) => FORBIDDEN.some((pattern) => pattern.test(name)));
  return [...missing, ...unwanted.map((name) => `${name} must not be packaged`)];
}

function sum(files) {
  return files.reduce((total, { compressedSize }) => total + compressedSize, 0);
}

function kilobytes(bytes) {
  return `${(bytes / KB).toFixed(1)} KB`;
}
