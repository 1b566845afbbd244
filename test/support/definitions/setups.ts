import type { CaseWriter } from '../caseWriter';
import type { Json } from '../layout';
import { policy } from '../documents';

export const OBSERVATION = 'github.observed.json';
export const BASELINE = 'github.declared.json';
export const POLICY = 'policy.yaml';

/** Line of the digest of the first server in a policy as `policy` writes it, without lines before the map. */
export const POLICY_DIGEST = { path: POLICY, line: 3, column: 22 };
/** Where the first server's key stands in such a policy. */
export const POLICY_KEY = { path: POLICY, line: 2, column: 3 };

/** An observation and a policy that pins a digest for it. */
export function coarse(c: CaseWriter, observed: Json, pinned: string, head = ''): void {
  c.json(OBSERVATION, observed);
  c.text(POLICY, policy({ github: pinned }, head));
}

/** An observation and a per-tool baseline. */
export function perTool(c: CaseWriter, observed: Json, declared: Json): void {
  c.json(OBSERVATION, observed);
  c.json(BASELINE, declared);
}

/** An observation under both kinds of baseline. */
export function bothGates(c: CaseWriter, observed: Json, declared: Json, pinned: string, head = ''): void {
  perTool(c, observed, declared);
  c.text(POLICY, policy({ github: pinned }, head));
}

export const coarseReview = { observed: OBSERVATION, policy: POLICY };
export const perToolReview = { observed: OBSERVATION, declared: BASELINE };
export const bothReview = { observed: OBSERVATION, declared: BASELINE, policy: POLICY };
