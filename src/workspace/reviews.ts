import type { Sha256 } from '../engine/canon/digests';
import { review, type ReviewInput } from '../engine/verdict/review';
import type { Review } from '../engine/verdict/result';
import { pair, type Paired, type Scope } from './pairing';

/** A review with its identity and the documents it was made from. */
export interface JudgedReview extends Paired {
  readonly result: Review;
}

/**
 * Judges what belongs together, once. A review whose documents are the very same as before is kept as it is, so that
 * a changed file is judged again only where it takes part.
 */
export class Judge {
  private judged: ReadonlyMap<string, JudgedReview> = new Map();

  constructor(private readonly sha256: Sha256) {}

  /** Output: all reviews, and those among them that were made anew. */
  judge(scopes: readonly Scope[]): { reviews: JudgedReview[]; renewed: JudgedReview[] } {
    const renewed: JudgedReview[] = [];
    const reviews = scopes.flatMap(pair).map((paired) => {
      const before = this.judged.get(paired.key);
      if (before !== undefined && sameInput(before.input, paired.input)) return before;
      const made = { ...paired, result: review(paired.input, this.sha256) };
      renewed.push(made);
      return made;
    });
    this.judged = new Map(reviews.map((entry) => [entry.key, entry]));
    return { reviews, renewed };
  }
}

function sameInput(a: ReviewInput, b: ReviewInput): boolean {
  const same = (left: readonly unknown[], right: readonly unknown[]) =>
    left.length === right.length && left.every((document, index) => document === right[index]);
  return (
    a.observed === b.observed &&
    a.absent?.declared === b.absent?.declared &&
    a.absent?.policy === b.absent?.policy &&
    same(a.declared, b.declared) &&
    same(a.policies, b.policies) &&
    same(a.others, b.others)
  );
}
