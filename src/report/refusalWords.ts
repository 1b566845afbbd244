import type { Refusal } from '../engine/promote/plan';

/** Why an observation cannot be copied into a baseline, and what to do (semantics 10). */
export const REFUSAL_WORDS: Readonly<Record<Refusal, string>> = {
  observed_invalid: 'The observed document has problems. Mend them first.',
  observed_inconsistent: 'The observed record contradicts itself. Produce it again from the observation.',
  not_observed: 'There is no observed tools/list to copy. Observe the server first.',
  observation_incomplete:
    'The tool list is not known to be complete. Observe the server again, to the last page.',
  names_not_unique: 'Two observed tools share one name. Such an observation cannot be a baseline.',
  digest_not_recomputable:
    'The manifest digest cannot be recomputed from the entries, so the entries cannot be pinned.',
  canonicalization_unknown: 'The record uses a canonicalization that is not known here.',
  observation_changed: 'The observation has changed since it was reviewed. Look at it again.',
  baseline_invalid: 'The baseline has problems. Mend them first.',
  server_differs: 'The baseline is for another server. Correct the pairing first.',
  policy_invalid: 'The policy, or its entry for this server, has problems. Mend them first.',
  policy_entry_shared:
    'The policy’s digest is shared with other entries. Write it out for this server first.',
  baseline_missing:
    'A single tool can only be accepted into a per-tool baseline, and there is none. Copy the whole block first.',
  paired_policy_missing: 'The policy that a pairing names was not found. Correct the pairing first.',
  tool_unknown: 'No tool of that name is in the observation or in the baseline.',
  removal_not_observed:
    'The observation is not complete, so it does not show that the tool is gone. Observe the server again.',
  several_baselines: 'Several baselines for this server disagree. Remove one, or pair the one that applies.',
};
