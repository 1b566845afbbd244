import { sha256 } from '../../src/desktop/sha256';
import type { ManifestDocument } from '../../src/engine/manifest/documents';
import { review } from '../../src/engine/verdict/review';
import { problemsOf, type Report } from '../../src/report/report';
import { pair } from '../../src/workspace/pairing';
import type { Json } from './layout';
import { readAs } from './read';

const folder = { uri: 'file:///w', name: 'w' };

/** An observed manifest, a baseline or a policy under a path of the folder that {@link reportOf} reviews. */
export const seen = (path: string, record: Json) => readAs('observed', `${folder.uri}/${path}`, record);
export const approved = (path: string, record: Json) => readAs('declared', `${folder.uri}/${path}`, record);
export const rules = (path: string, text: string) => readAs('policy', `${folder.uri}/${path}`, text);

/** The report of a folder that holds these documents; paths relative to it. */
export function reportOf(documents: readonly ManifestDocument[]): Report {
  const reviews = pair({ folder, documents, pairings: [], whole: true });
  return {
    reviews: reviews.map(({ input }) => review(input, sha256)),
    problems: problemsOf(documents),
    path: (uri) => uri.slice(folder.uri.length + 1),
  };
}
