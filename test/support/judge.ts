import { pathToFileURL } from 'node:url';
import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { diskFiles } from '../../src/desktop/files';
import { sha256 } from '../../src/desktop/sha256';
import { review } from '../../src/engine/verdict/review';
import { printJson } from '../../src/report/json';
import { problemsOf, type Report } from '../../src/report/report';
import { createMatcher, DEFAULT_GLOBS, listedPatterns } from '../../src/workspace/globs';
import { toDocument } from '../../src/workspace/load';
import { pair, type Pairing } from '../../src/workspace/pairing';
import { type Folder, relativePath } from '../../src/workspace/paths';
import { type Case, type Expected, reduceReport } from './cases';

const MAX_SIZE = 20_000_000;

/** What the program says of a folder on disk, found, paired and judged as on every surface; paths relative to it. */
export async function judgeFolder(one: Pick<Case, 'folder' | 'pairing'>): Promise<Expected> {
  return reduceReport(JSON.parse(printJson(await reportFolder(one))));
}

/** The report that {@link judgeFolder} reduces. */
export async function reportFolder({
  folder: root,
  pairing,
}: Pick<Case, 'folder' | 'pairing'>): Promise<Report> {
  const folder: Folder = { uri: pathToFileURL(root).href, name: root };
  const files = diskFiles(DEFAULT_GLOBS.exclude);
  const standing = createMatcher(DEFAULT_GLOBS);
  const uris = await files.list(folder, listedPatterns(DEFAULT_GLOBS));
  const watched = uris.filter((uri) => standing(relativePath(folder, uri)) === 'watched');
  const read = await Promise.all(
    watched.map(async (uri) => {
      const context = {
        globs: DEFAULT_GLOBS,
        path: relativePath(folder, uri),
        maxSize: MAX_SIZE,
        watched: true,
      };
      return toDocument(uri, await files.read(uri, MAX_SIZE), context);
    }),
  );
  const documents = read.filter((document) => document !== null);
  const uriOf = (path: string | undefined) => (path === undefined ? undefined : `${folder.uri}/${path}`);
  const pairings: Pairing[] =
    pairing === null
      ? []
      : [
          {
            observed: `${folder.uri}/${pairing.observed}`,
            declared: uriOf(pairing.declared),
            policy: uriOf(pairing.policy),
          },
        ];
  const reviews = pair({ folder, documents, pairings, whole: true });
  return {
    reviews: reviews.map(({ input }) => review(input, sha256)),
    problems: problemsOf(documents),
    path: (uri) => relative(root, fileURLToPath(uri)).split(sep).join('/'),
  };
}
