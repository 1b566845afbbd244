import { compareUtf8 } from '../engine/canon/order';
import type { ManifestDocument } from '../engine/manifest/documents';
import { type Place, placeIn } from '../engine/manifest/place';
import type { Problem } from '../engine/problems';
import { type Review, type Verdict, worst } from '../engine/verdict/result';
import { COVERAGE_NON_CLAIM, NON_CLAIMS } from '../engine/manifest/record';

/** Everything a report is made from, in any format. */
export interface Report {
  readonly reviews: readonly Review[];
  readonly problems: readonly ProblemAt[];
  /** How an address is shown: a path relative to the working directory, with `/`. */
  readonly path: (uri: string) => string;
}

/** A problem of a document and where it is. */
export interface ProblemAt {
  readonly problem: Problem;
  readonly at: Place;
}

/** What no result claims: the record's own non-claims and what the digest leaves out (cli.md). */
export const REPORT_NON_CLAIMS: readonly string[] = [...NON_CLAIMS, COVERAGE_NON_CLAIM];

/** The problems of documents with their places, in order of address and position. */
export function problemsOf(documents: readonly ManifestDocument[]): ProblemAt[] {
  return documents
    .flatMap(({ source, problems }) => problems.map((problem) => ({ problem, at: placeIn(source, problem) })))
    .sort((a, b) => compareUtf8(a.at.uri, b.at.uri) || a.at.start - b.at.start);
}

/** The verdict of a report: the worst of its reviews (cli.md). */
export function overall(report: Report): Verdict {
  return worst(report.reviews.map((review) => review.verdict));
}
