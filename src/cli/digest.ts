import { sha256 } from '../desktop/sha256';
import { recomputeBaseline } from '../engine/promote/plan';
import { onlyPath, type Outcome, readArguments } from './arguments';
import { readKind, writeResult } from './input';
import { UsageError } from './usage';

/** `digest DOCUMENT` (cli.md): what a baseline's `manifest_digest` has to be; 1 when it is something else. */
export async function runDigest(args: readonly string[]): Promise<Outcome> {
  const { values, positionals } = readArguments({
    args: [...args],
    allowPositionals: true,
    options: { write: { type: 'boolean', default: false } },
  });
  const path = onlyPath('digest', positionals);
  const baseline = await readKind(path, 'declared');
  const recomputed = recomputeBaseline(baseline, sha256);
  if (recomputed === null || baseline.content === null)
    throw new UsageError(`${path}: this baseline is not valid.`);
  const { at, digest } = recomputed;
  const matches = baseline.content.manifest.manifest_digest === digest;
  if (!values.write) return { output: `${digest}\n`, exitCode: matches ? 0 : 1 };
  if (path === '-') throw new UsageError('--write needs a file; standard input cannot be written to.');
  const { text } = baseline.source;
  const mended = text.slice(0, at.start) + JSON.stringify(digest) + text.slice(at.end);
  if (!matches) await writeResult(path, mended, { replace: true, keepMark: true });
  return { output: `${digest}\n`, exitCode: 0 };
}
