import type { PromotionTarget, Refusal } from '../engine/promote/plan';
import type { JudgedReview } from './reviews';

/**
 * Where the observation of a review would be copied (semantics 10): its paired baseline, its policy entry, both, or a
 * new baseline beside the observed document. Several baselines that disagree are no target.
 */
export function promotionTarget({ input }: JudgedReview): PromotionTarget | Refusal {
  if (input.observed === null) return 'not_observed';
  if (typeof input.absent?.policy === 'string') return 'paired_policy_missing';
  if (input.declared.length > 1 || input.policies.length > 1) return 'several_baselines';
  return {
    declared: input.declared[0] ?? null,
    policy: input.policies[0] ?? null,
    newBaseline: input.absent?.declared ?? newBaselineFor(input.observed.source.uri),
  };
}

/** `NAME.declared.json` beside `NAME.observed.json`, or beside any other name without its ending. */
function newBaselineFor(observed: string): string {
  return `${observed.replace(/(\.observed)?\.json$/i, '')}.declared.json`;
}
