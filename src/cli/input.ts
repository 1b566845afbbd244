import { relative, resolve, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { buffer } from 'node:stream/consumers';
import { diskFiles } from '../desktop/files';
import { type OutputOptions, writeOutput } from '../desktop/output';
import { decodeUtf8 } from '../engine/json/decode';
import { Lines } from '../engine/json/lines';
import { type DocumentKind, isValid, type ManifestDocument } from '../engine/manifest/documents';
import { problemMessage } from '../report/problemWords';
import { problemsOf } from '../report/report';
import { DEFAULT_GLOBS } from '../workspace/globs';
import { toDocument } from '../workspace/load';
import type { FileContent } from '../workspace/ports';
import { UsageError } from './usage';

/** Largest file that is read, in bytes; the editor's default (semantics 1). */
export const MAX_SIZE = 20_000_000;

export const files = diskFiles(DEFAULT_GLOBS.exclude);

/** The address of a path; standard input has the address of a file named `-`. */
export function toUri(path: string): string {
  return pathToFileURL(resolve(path)).href;
}

/** An address as it is shown: relative to the working directory, with `/` (cli.md). */
export function shownPath(uri: string): string {
  return relative(process.cwd(), fileURLToPath(uri)).split(sep).join('/') || '.';
}

/** The bytes of a named input; throws a {@link UsageError} when there are none to be had. */
async function readInput(
  path: string,
  limit: number,
): Promise<Exclude<FileContent, { kind: 'missing' | 'failed' }>> {
  if (path === '-') {
    const bytes = await buffer(process.stdin);
    return bytes.length > limit ? { kind: 'too large', size: bytes.length } : { kind: 'bytes', bytes };
  }
  const content = await files.read(toUri(path), limit);
  if (content.kind === 'missing') throw new UsageError(`${path}: there is no such file.`);
  if (content.kind === 'failed') throw new UsageError(`${path}: it cannot be read, since ${content.reason}.`);
  return content;
}

/** The text of a named input, decoded; throws a {@link UsageError}. */
export async function readInputText(path: string): Promise<string> {
  // A capture holds whole definitions, so it may be far larger than the record that is made of it.
  const content = await readInput(path, 1_000_000_000);
  if (content.kind === 'too large') throw new UsageError(`${path}: it is too large to be read.`);
  const { text, lossy } = decodeUtf8(content.bytes);
  if (lossy !== undefined) throw new UsageError(`${path}: ${problemMessage(lossy)}`);
  return text;
}

/** Reads a document that was named: whatever keeps it from being used is a {@link UsageError}. */
export async function readNamed(path: string): Promise<ManifestDocument> {
  const content = await readInput(path, MAX_SIZE);
  const document = toDocument(toUri(path), content, {
    globs: DEFAULT_GLOBS,
    path,
    maxSize: MAX_SIZE,
    watched: true,
  });
  if (document === null)
    throw new UsageError(`${path}: this is no observed manifest, no baseline and no policy.`);
  if (isValid(document)) return document;
  const problems = problemsOf([document]).map(
    ({ problem, at }) => `${path}:${at.from.line + 1}:${at.from.column + 1}: ${problemMessage(problem)}`,
  );
  throw new UsageError(problems.join('\n'));
}

/** As {@link readNamed}, for a document that has to be of one kind. */
export async function readKind<K extends DocumentKind>(
  path: string,
  kind: K,
): Promise<Extract<ManifestDocument, { kind: K }>> {
  const document = await readNamed(path);
  if (isOfKind(document, kind)) return document;
  throw new UsageError(
    `${path}: ${KIND_WORDS[kind]} is wanted here, but this is ${KIND_WORDS[document.kind]}.`,
  );
}

function isOfKind<K extends DocumentKind>(
  document: ManifestDocument,
  kind: K,
): document is Extract<ManifestDocument, { kind: K }> {
  return document.kind === kind;
}

const KIND_WORDS: Readonly<Record<DocumentKind, string>> = {
  observed: 'an observed manifest',
  declared: 'a per-tool baseline',
  policy: 'a policy',
};

/** Writes a result to a file; throws a {@link UsageError} when nothing was written. */
export async function writeResult(path: string, text: string, options: OutputOptions): Promise<void> {
  const refusal = await writeOutput(resolve(path), text, options);
  if (refusal !== null) throw new UsageError(`${path}: ${OUTPUT_WORDS[refusal]} Nothing was written.`);
}

const OUTPUT_WORDS = {
  'folder missing': 'the folder it should be written to does not exist.',
  'is a folder': 'this is a folder.',
  'no ordinary file': 'this is no ordinary file.',
  differs: 'the file exists and holds something else. Use --force to replace it.',
  'not writable': 'it cannot be written.',
} as const;

/** `line:column` of an offset in a text, counted from 1. */
export function positionAt(text: string, offset: number): string {
  const { line, column } = new Lines(text).at(offset);
  return `${line + 1}:${column + 1}`;
}
