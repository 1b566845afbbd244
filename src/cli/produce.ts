import { sha256 } from '../desktop/sha256';
import { type CaptureError, isCaptureError, readCapture } from '../engine/manifest/capture';
import { produce } from '../engine/manifest/produce';
import { printRecord } from '../engine/manifest/record';
import { COMPLETENESS } from '../engine/manifest/schema';
import { captureErrorMessage } from '../report/captureWords';
import { problemMessage } from '../report/problemWords';
import { onlyPath, oneOf, type Outcome, readArguments } from './arguments';
import { positionAt, readInputText, writeResult } from './input';
import { UsageError } from './usage';

/** `produce TOOLS --server ID` (cli.md; semantics 4): a raw capture becomes an observed manifest. */
export async function runProduce(args: readonly string[], note: (message: string) => void): Promise<Outcome> {
  const { values, positionals } = readArguments({
    args: [...args],
    allowPositionals: true,
    options: {
      server: { type: 'string' },
      completeness: { type: 'string', default: 'unknown' },
      out: { type: 'string' },
      force: { type: 'boolean', default: false },
    },
  });
  const path = onlyPath('produce', positionals);
  if (values.server === undefined)
    throw new UsageError('produce needs --server ID, the id the baseline goes by.');
  const completeness = oneOf('--completeness', values.completeness, COMPLETENESS);
  const text = await readInputText(path);
  const capture = readCapture(text);
  if (isCaptureError(capture)) throw new UsageError(errorAt(path, text, capture));
  if (completeness === 'complete' && capture.pending) {
    throw new UsageError(
      `${path}: the last page names a next one, so the list cannot be claimed complete. Capture all pages.`,
    );
  }
  if (capture.skipped > 0)
    note(`${path}: ${capture.skipped} lines or messages that are no tools/list result were skipped.`);
  for (const caution of capture.cautions)
    note(`${path}:${positionAt(text, caution.start)}: ${problemMessage(caution)}`);
  const record = printRecord(produce(capture.definitions, values.server, completeness, sha256));
  if (values.out === undefined) return { output: record, exitCode: 0 };
  await writeResult(values.out, record, { replace: values.force });
  return { output: '', exitCode: 0 };
}

function errorAt(path: string, text: string, error: CaptureError): string {
  return `${path}:${positionAt(text, error.offset)}: ${captureErrorMessage(error)}`;
}
