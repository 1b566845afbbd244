import { statSync } from 'node:fs';
import { sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { sha256 } from '../desktop/sha256';
import type { ManifestDocument } from '../engine/manifest/documents';
import { review } from '../engine/verdict/review';
import type { Verdict } from '../engine/verdict/result';
import { printJson } from '../report/json';
import { overall, problemsOf, type Report } from '../report/report';
import { printMarkdown } from '../report/markdown';
import { printSarif } from '../report/sarif';
import { printText, type Style } from '../report/text';
import { createMatcher, DEFAULT_GLOBS, listedPatterns } from '../workspace/globs';
import { toDocument } from '../workspace/load';
import { comparePaired, pair, type Pairing, type Scope } from '../workspace/pairing';
import { type Folder, relativePath } from '../workspace/paths';
import { oneOf, type Outcome, readArguments } from './arguments';
import { files, MAX_SIZE, readNamed, shownPath, toUri } from './input';

const FORMATS = ['text', 'json', 'sarif', 'markdown'] as const;
const FAIL_ON = ['warning', 'inconclusive', 'pending', 'never'] as const;
type FailOn = (typeof FAIL_ON)[number];

/** What the program knows that a report may need. */
export interface ReviewOptions {
  readonly version: string;
  /** How text is emphasised; undefined for plain text. */
  readonly style?: Style | undefined;
}

/**
 * `review [PATH…]` (cli.md). Output: the report's text and the exit code.
 * Throws a {@link UsageError} for wrong usage and for a named input that cannot be used.
 */
export async function runReview(
  args: readonly string[],
  { version, style }: ReviewOptions,
): Promise<Outcome> {
  const { values, positionals } = readArguments({
    args: [...args],
    allowPositionals: true,
    options: {
      observed: { type: 'string' },
      declared: { type: 'string' },
      policy: { type: 'string' },
      format: { type: 'string', default: 'text' },
      'fail-on': { type: 'string', default: 'inconclusive' },
    },
  });
  const format = oneOf('--format', values.format, FORMATS);
  const failOn = oneOf('--fail-on', values['fail-on'], FAIL_ON);
  const named = { observed: values.observed, declared: values.declared, policy: values.policy };
  const flagged = Object.values(named).some((path) => path !== undefined);
  const paths = positionals.length === 0 && !flagged ? ['.'] : positionals;
  const report = await gather(paths, named);
  const print = {
    text: () => printText(report, style),
    json: () => printJson(report),
    sarif: () => printSarif(report, { version, sha256 }),
    markdown: () => printMarkdown(report),
  };
  return { output: print[format](), exitCode: exitCodeOf(overall(report), failOn) };
}

interface Named {
  readonly observed: string | undefined;
  readonly declared: string | undefined;
  readonly policy: string | undefined;
}

async function gather(paths: readonly string[], named: Named): Promise<Report> {
  const single = [...paths.filter((path) => !isFolder(path)), named.observed, named.declared, named.policy];
  const byUri = new Map<string, ManifestDocument>();
  for (const path of single) {
    if (path !== undefined && !byUri.has(toUri(path))) byUri.set(toUri(path), await readNamed(path));
  }
  const baselines = [named.declared, named.policy].filter((path) => path !== undefined).map(toUri);
  const scopes: Omit<Scope, 'pairings'>[] = [];
  for (const path of paths.filter(isFolder)) {
    const folder = toFolder(path);
    const found = await readFolder(folder);
    // A baseline named by a flag takes part in every folder; inside one it is there already.
    const missing = baselines.filter((uri) => !found.some((document) => document.source.uri === uri));
    const documents = [...found, ...missing.flatMap((uri) => byUri.get(uri) ?? [])];
    scopes.push({ folder, documents, whole: true });
  }
  const together = { uri: pathToFileURL(sep).href, name: '' };
  if (byUri.size > 0) scopes.push({ folder: together, documents: [...byUri.values()], whole: false });
  const paired = scopes
    .flatMap((scope) => pair({ ...scope, pairings: pairingsFor(scope.documents, named) }))
    .sort(comparePaired);
  const documents = new Map(
    scopes.flatMap((scope) => scope.documents).map((document) => [document.source.uri, document]),
  );
  return {
    reviews: paired.map(({ input }) => review(input, sha256)),
    problems: problemsOf([...documents.values()]),
    path: shownPath,
  };
}

/** A baseline named by a flag applies to every observed manifest. */
function pairingsFor(documents: readonly ManifestDocument[], { declared, policy }: Named): Pairing[] {
  return documents
    .filter((document) => document.kind === 'observed')
    .map((document) => ({
      observed: document.source.uri,
      declared: declared === undefined ? undefined : toUri(declared),
      policy: policy === undefined ? undefined : toUri(policy),
    }));
}

async function readFolder(folder: Folder): Promise<ManifestDocument[]> {
  const standing = createMatcher(DEFAULT_GLOBS);
  const uris = await files.list(folder, listedPatterns(DEFAULT_GLOBS));
  const read = uris
    .filter((uri) => standing(relativePath(folder, uri)) === 'watched')
    .map(async (uri) => {
      const context = {
        globs: DEFAULT_GLOBS,
        path: relativePath(folder, uri),
        maxSize: MAX_SIZE,
        watched: true,
      };
      return toDocument(uri, await files.read(uri, MAX_SIZE), context);
    });
  return (await Promise.all(read)).filter((document) => document !== null);
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    // What it is instead, and why it cannot be read, is told when it is read.
    return false;
  }
}

function toFolder(path: string): Folder {
  return { uri: toUri(path).replace(/\/$/, ''), name: path };
}

/** Exit codes of cli.md: 1 pending, 2 inconclusive, 0 otherwise, as `--fail-on` has it. */
function exitCodeOf(verdict: Verdict, failOn: FailOn): number {
  switch (verdict) {
    case 'pending_tool_manifest_review':
      return failOn === 'never' ? 0 : 1;
    case 'inconclusive':
      return failOn === 'never' || failOn === 'pending' ? 0 : 2;
    case 'no_finding_with_coverage_warning':
      return failOn === 'warning' ? 2 : 0;
    case 'no_finding':
      return 0;
  }
}
