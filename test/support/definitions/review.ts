// Semantics 8: one review under both gates, what is missing, and which verdict wins.
import { CLEAN, COVERAGE, type Definition, finding, INCONCLUSIVE, PENDING, remark } from '../caseWriter';
import { declared, manifestDigest, notObserved, observed, ordinary, policy, privileged } from '../documents';
import { withValue } from '../layout';
import {
  BASELINE,
  bothGates,
  bothReview,
  coarse,
  coarseReview,
  OBSERVATION,
  perTool,
  perToolReview,
  POLICY,
  POLICY_DIGEST,
  POLICY_KEY,
} from './setups';

const search = ordinary('search');
const searchNow = ordinary('search', { description: 'Does another thing.' });
const key = privileged('github.add_deploy_key');
const tools = [key, search];
const approved = manifestDigest(tools);
const other = manifestDigest([search]);
const duplicates = [search, searchNow];
const foreign = 'example.other_projection.v1';
const nameAt = (index: number) => ['observed', 'tool_digests', index, 'name'] as const;
const driftAt = ['observed', 'manifest_digest'] as const;
const coverageAt = ['observed', 'tools_list_complete'] as const;

export const REVIEW: readonly Definition[] = [
  [
    'review-both-agree',
    (c) => {
      bothGates(c, observed(tools), declared(tools), approved);
      c.review({ ...bothReview, verdict: CLEAN, tools_list_complete: 'complete' });
    },
  ],
  [
    'review-both-find',
    (c) => {
      bothGates(c, observed([key, searchNow]), declared(tools), approved);
      c.review({
        ...bothReview,
        verdict: PENDING,
        tools_list_complete: 'complete',
        findings: [
          finding('mcp_tool_manifest_drift', 'medium', null, null, c.at(OBSERVATION, ...driftAt)),
          finding('mcp_tool_changed', 'medium', 'search', false, c.at(OBSERVATION, ...nameAt(1)), {
            notes: ['field_attribution_unavailable'],
          }),
        ],
      });
    },
  ],
  [
    'review-conflict',
    (c) => {
      // The observation differs from both; the only result is the conflict.
      bothGates(c, observed([searchNow]), declared(tools), other);
      c.review({
        ...bothReview,
        verdict: INCONCLUSIVE,
        tools_list_complete: 'complete',
        inconclusive: [remark('declared_manifest_baseline_conflict', c.at(BASELINE, 'manifest_digest'))],
      });
    },
  ],
  [
    'review-conflict-under-not-observed',
    (c) => {
      // The first four checks pass; that nothing was observed comes after them.
      bothGates(c, notObserved(), declared(tools), other);
      c.review({
        ...bothReview,
        verdict: INCONCLUSIVE,
        tools_list_complete: 'unknown',
        inconclusive: [remark('declared_manifest_baseline_conflict', c.at(BASELINE, 'manifest_digest'))],
      });
    },
  ],
  [
    'review-broken-baseline-digest-does-not-hide-drift',
    (c) => {
      bothGates(c, observed(tools), declared(tools, { more: { manifest_digest: other } }), other);
      c.review({
        ...bothReview,
        verdict: PENDING,
        tools_list_complete: 'complete',
        findings: [finding('mcp_tool_manifest_drift', 'medium', null, null, c.at(OBSERVATION, ...driftAt))],
        inconclusive: [remark('declared_manifest_digest_mismatch', c.at(BASELINE, 'manifest_digest'))],
      });
    },
  ],
  [
    'review-broken-baseline-duplicates-do-not-hide-drift',
    (c) => {
      bothGates(c, observed(tools), declared(duplicates), other);
      c.review({
        ...bothReview,
        verdict: PENDING,
        tools_list_complete: 'complete',
        findings: [finding('mcp_tool_manifest_drift', 'medium', null, null, c.at(OBSERVATION, ...driftAt))],
        inconclusive: [
          remark('declared_mcp_manifest_ambiguous', c.at(BASELINE, 'tools', 1, 'name'), 'search'),
        ],
      });
    },
  ],
  [
    'review-foreign-baseline-canonicalization-does-not-hide-drift',
    (c) => {
      bothGates(c, observed(tools), declared(tools, { more: { canonicalization: foreign } }), other);
      c.review({
        ...bothReview,
        verdict: PENDING,
        tools_list_complete: 'complete',
        findings: [finding('mcp_tool_manifest_drift', 'medium', null, null, c.at(OBSERVATION, ...driftAt))],
        inconclusive: [
          remark('mcp_manifest_canonicalization_mismatch', c.at(OBSERVATION, 'observed', 'canonicalization')),
        ],
      });
    },
  ],
  [
    'review-invalid-baseline-does-not-hide-drift',
    (c) => {
      bothGates(c, observed(tools), withValue(declared(tools), ['tools', 0, 'name'], 5), other);
      const at = c.at(BASELINE, 'tools', 0, 'name');
      c.review({
        ...bothReview,
        verdict: PENDING,
        tools_list_complete: 'complete',
        findings: [finding('mcp_tool_manifest_drift', 'medium', null, null, c.at(OBSERVATION, ...driftAt))],
        inconclusive: [remark('document_invalid', at)],
      });
      c.problem('value_malformed', at);
    },
  ],
  [
    'review-invalid-baseline-under-a-clean-policy',
    (c) => {
      bothGates(c, observed(tools), withValue(declared(tools), ['tools', 0, 'name'], 5), approved);
      const at = c.at(BASELINE, 'tools', 0, 'name');
      c.review({
        ...bothReview,
        verdict: INCONCLUSIVE,
        tools_list_complete: 'complete',
        inconclusive: [remark('document_invalid', at)],
      });
      c.problem('value_malformed', at);
    },
  ],
  [
    'review-bad-policy-entry-does-not-hide-findings',
    (c) => {
      bothGates(c, observed(tools), declared([search]), 'approved in June');
      c.review({
        ...bothReview,
        verdict: PENDING,
        tools_list_complete: 'complete',
        findings: [
          finding('mcp_new_privileged_tool', 'high', key.name, true, c.at(OBSERVATION, ...nameAt(0))),
        ],
        inconclusive: [remark('document_invalid', POLICY_DIGEST)],
      });
      c.problem('policy_entry_malformed', POLICY_DIGEST);
    },
  ],
  [
    'review-invalid-observation-under-both',
    (c) => {
      const broken = withValue(observed(tools), ['status'], 'seen');
      bothGates(c, broken, declared(tools), approved);
      const at = c.at(OBSERVATION, 'status');
      c.review({ ...bothReview, verdict: INCONCLUSIVE, inconclusive: [remark('document_invalid', at)] });
      c.problem('value_malformed', at);
    },
  ],
  [
    'merged-not-observed',
    (c) => {
      bothGates(c, notObserved(), declared(tools), approved);
      c.review({
        ...bothReview,
        verdict: INCONCLUSIVE,
        tools_list_complete: 'unknown',
        inconclusive: [remark('inconclusive_manifest_not_observed', c.at(OBSERVATION, 'status'))],
      });
    },
  ],
  [
    'merged-canonicalization',
    (c) => {
      bothGates(c, observed(tools, { block: { canonicalization: foreign } }), declared(tools), approved);
      c.review({
        ...bothReview,
        verdict: INCONCLUSIVE,
        tools_list_complete: 'complete',
        inconclusive: [
          remark('mcp_manifest_canonicalization_mismatch', c.at(OBSERVATION, 'observed', 'canonicalization')),
        ],
      });
    },
  ],
  [
    'merged-partial',
    (c) => {
      const block = { tools_list_complete: 'partial' };
      bothGates(c, observed(tools, { block }), declared(tools), approved);
      c.review({
        ...bothReview,
        verdict: INCONCLUSIVE,
        tools_list_complete: 'partial',
        inconclusive: [remark('inconclusive_manifest_partial_observation', c.at(OBSERVATION, ...coverageAt))],
      });
    },
  ],
  [
    'merged-coverage-unknown',
    (c) => {
      const block = { tools_list_complete: 'unknown' };
      bothGates(c, observed(tools, { block }), declared(tools), approved);
      c.review({
        ...bothReview,
        verdict: COVERAGE,
        tools_list_complete: 'unknown',
        warnings: [remark('manifest_coverage_unknown', c.at(OBSERVATION, ...coverageAt))],
      });
    },
  ],
  [
    'merged-not-ambiguity-which-has-two-codes',
    (c) => {
      const block = { manifest_digest: null };
      bothGates(c, observed(duplicates, { status: 'ambiguous', block }), declared(tools), approved);
      const at = c.at(OBSERVATION, ...nameAt(1));
      c.review({
        ...bothReview,
        verdict: INCONCLUSIVE,
        tools_list_complete: 'complete',
        inconclusive: [
          remark('manifest_observation_ambiguous', at, 'search'),
          remark('mcp_manifest_observation_ambiguous', at, 'search'),
        ],
      });
    },
  ],
  [
    'no-declared-baseline',
    (c) => {
      c.json(OBSERVATION, observed(tools));
      c.review({
        observed: OBSERVATION,
        verdict: INCONCLUSIVE,
        tools_list_complete: 'complete',
        inconclusive: [remark('no_declared_baseline', c.at(OBSERVATION, 'server', 'id'))],
      });
    },
  ],
  [
    'observed-manifest-missing-baseline',
    (c) => {
      c.json(BASELINE, declared(tools));
      c.review({
        declared: BASELINE,
        verdict: INCONCLUSIVE,
        inconclusive: [remark('observed_manifest_missing', c.at(BASELINE, 'server', 'id'))],
      });
    },
  ],
  [
    'observed-manifest-missing-policy',
    (c) => {
      c.text(POLICY, policy({ github: approved, gitlab: other }));
      c.review({
        policy: POLICY,
        verdict: INCONCLUSIVE,
        inconclusive: [remark('observed_manifest_missing', POLICY_KEY)],
      });
      c.review({
        server: 'gitlab',
        policy: POLICY,
        verdict: INCONCLUSIVE,
        inconclusive: [remark('observed_manifest_missing', { path: POLICY, line: 4, column: 3 })],
      });
    },
  ],
  [
    'observed-manifest-missing-both-is-one-review',
    (c) => {
      c.json(BASELINE, declared(tools));
      c.text(POLICY, policy({ github: approved }));
      c.review({
        declared: BASELINE,
        policy: POLICY,
        verdict: INCONCLUSIVE,
        inconclusive: [remark('observed_manifest_missing', c.at(BASELINE, 'server', 'id'))],
      });
    },
  ],
  [
    'verdict-finding-before-inconclusive',
    (c) => {
      const block = { tools_list_complete: 'unknown' };
      perTool(c, observed([searchNow], { block }), declared(tools));
      c.review({
        ...perToolReview,
        verdict: PENDING,
        tools_list_complete: 'unknown',
        findings: [
          finding('mcp_tool_changed', 'medium', 'search', false, c.at(OBSERVATION, ...nameAt(0)), {
            notes: ['field_attribution_unavailable'],
          }),
        ],
        inconclusive: [remark('inconclusive_manifest_partial_observation', c.at(OBSERVATION, ...coverageAt))],
      });
    },
  ],
  [
    'verdict-inconclusive-before-warning',
    (c) => {
      coarse(c, observed(tools, { block: { tools_list_complete: 'unknown', tool_count: 9 } }), approved);
      c.review({
        ...coarseReview,
        verdict: INCONCLUSIVE,
        tools_list_complete: 'unknown',
        inconclusive: [remark('observed_record_inconsistent', c.at(OBSERVATION, 'observed', 'tool_count'))],
        warnings: [remark('manifest_coverage_unknown', c.at(OBSERVATION, ...coverageAt))],
      });
    },
  ],
  [
    'verdict-worst-of-several-reviews',
    (c) => {
      c.json('a.observed.json', observed(tools, { id: 'a' }));
      c.json('b.observed.json', observed(tools, { id: 'b', block: { tools_list_complete: 'unknown' } }));
      c.json('c.observed.json', observed(tools, { id: 'c' }));
      c.json('d.observed.json', observed(tools, { id: 'd' }));
      c.text(POLICY, policy({ a: approved, b: approved, d: other }));
      const review = { policy: POLICY, tools_list_complete: 'complete' };
      c.review({ ...review, server: 'a', observed: 'a.observed.json', verdict: CLEAN });
      c.review({
        ...review,
        server: 'b',
        observed: 'b.observed.json',
        verdict: COVERAGE,
        tools_list_complete: 'unknown',
        warnings: [remark('manifest_coverage_unknown', c.at('b.observed.json', ...coverageAt))],
      });
      c.review({
        ...review,
        server: 'c',
        observed: 'c.observed.json',
        policy: null,
        verdict: INCONCLUSIVE,
        inconclusive: [remark('no_declared_baseline', c.at('c.observed.json', 'server', 'id'))],
      });
      c.review({
        ...review,
        server: 'd',
        observed: 'd.observed.json',
        verdict: PENDING,
        findings: [
          finding('mcp_tool_manifest_drift', 'medium', null, null, c.at('d.observed.json', ...driftAt)),
        ],
      });
    },
  ],
  [
    'verdict-nothing-to-review',
    (c) => {
      c.text('README.md', 'A folder without manifests.\n');
    },
  ],
];
