// Semantics 5: the coarse gate, its rows in order; specification, "Coverage rules and verdicts".
import { CLEAN, COVERAGE, type Definition, finding, INCONCLUSIVE, PENDING, remark } from '../caseWriter';
import { manifestDigest, notObserved, observed, ordinary } from '../documents';
import { coarse, coarseReview, OBSERVATION, POLICY_KEY } from './setups';

const tools = [ordinary('get_issue'), ordinary('search')];
const approved = manifestDigest(tools);
const other = manifestDigest([ordinary('search')]);
const duplicates = [ordinary('search'), ordinary('search', { description: 'Another.' })];
const warningOnly = 'mcp_manifest_partial_observation: warning\n';
const foreign = 'example.other_projection.v1';

export const COARSE: readonly Definition[] = [
  [
    'coarse-1-not-observed',
    (c) => {
      coarse(c, notObserved(), approved);
      c.review({
        ...coarseReview,
        verdict: INCONCLUSIVE,
        tools_list_complete: 'unknown',
        inconclusive: [remark('inconclusive_manifest_not_observed', c.at(OBSERVATION, 'status'))],
      });
    },
  ],
  [
    'coarse-1-tools-list-not-observed',
    (c) => {
      coarse(c, observed(tools, { block: { tools_list_observed: false } }), approved);
      const at = c.at(OBSERVATION, 'observed', 'tools_list_observed');
      c.review({
        ...coarseReview,
        verdict: INCONCLUSIVE,
        tools_list_complete: 'complete',
        inconclusive: [
          remark('inconclusive_manifest_not_observed', at),
          remark('observed_record_inconsistent', at),
        ],
      });
    },
  ],
  [
    'coarse-1-before-2-ambiguous',
    (c) => {
      const block = { manifest_digest: null, tools_list_observed: false };
      coarse(c, observed(duplicates, { status: 'ambiguous', block }), approved);
      const at = c.at(OBSERVATION, 'observed', 'tools_list_observed');
      c.review({
        ...coarseReview,
        verdict: INCONCLUSIVE,
        tools_list_complete: 'complete',
        inconclusive: [
          remark('inconclusive_manifest_not_observed', at),
          remark('observed_record_inconsistent', at),
        ],
      });
    },
  ],
  [
    'coarse-2-ambiguous',
    (c) => {
      coarse(c, observed(duplicates, { status: 'ambiguous', block: { manifest_digest: null } }), approved);
      const at = c.at(OBSERVATION, 'observed', 'tool_digests', 1, 'name');
      c.review({
        ...coarseReview,
        verdict: INCONCLUSIVE,
        tools_list_complete: 'complete',
        inconclusive: [remark('manifest_observation_ambiguous', at, 'search')],
      });
    },
  ],
  [
    'coarse-2-ambiguous-without-duplicates',
    (c) => {
      coarse(c, observed(tools, { status: 'ambiguous', block: { manifest_digest: null } }), approved);
      c.review({
        ...coarseReview,
        verdict: INCONCLUSIVE,
        tools_list_complete: 'complete',
        inconclusive: [remark('manifest_observation_ambiguous', c.at(OBSERVATION, 'status'))],
      });
    },
  ],
  [
    'coarse-2-duplicates-under-observed',
    (c) => {
      coarse(c, observed(duplicates), manifestDigest(duplicates));
      const at = c.at(OBSERVATION, 'observed', 'tool_digests', 1, 'name');
      c.review({
        ...coarseReview,
        verdict: INCONCLUSIVE,
        tools_list_complete: 'complete',
        inconclusive: [remark('manifest_observation_ambiguous', at, 'search')],
      });
    },
  ],
  [
    'coarse-2-before-3-canonicalization',
    (c) => {
      const block = { manifest_digest: null, canonicalization: foreign };
      coarse(c, observed(duplicates, { status: 'ambiguous', block }), approved);
      const at = c.at(OBSERVATION, 'observed', 'tool_digests', 1, 'name');
      c.review({
        ...coarseReview,
        verdict: INCONCLUSIVE,
        tools_list_complete: 'complete',
        inconclusive: [remark('manifest_observation_ambiguous', at, 'search')],
      });
    },
  ],
  [
    'coarse-2-before-4-partial',
    (c) => {
      const block = { manifest_digest: null, tools_list_complete: 'partial' };
      coarse(c, observed(duplicates, { status: 'ambiguous', block }), approved);
      const at = c.at(OBSERVATION, 'observed', 'tool_digests', 1, 'name');
      c.review({
        ...coarseReview,
        verdict: INCONCLUSIVE,
        tools_list_complete: 'partial',
        inconclusive: [remark('manifest_observation_ambiguous', at, 'search')],
      });
    },
  ],
  [
    'coarse-3-canonicalization',
    (c) => {
      coarse(c, observed(tools, { block: { canonicalization: foreign } }), approved);
      const at = c.at(OBSERVATION, 'observed', 'canonicalization');
      c.review({
        ...coarseReview,
        verdict: INCONCLUSIVE,
        tools_list_complete: 'complete',
        inconclusive: [remark('mcp_manifest_canonicalization_mismatch', at)],
      });
    },
  ],
  [
    'coarse-3-before-4-partial',
    (c) => {
      const block = { canonicalization: foreign, tools_list_complete: 'partial' };
      coarse(c, observed(tools, { block }), approved);
      const at = c.at(OBSERVATION, 'observed', 'canonicalization');
      c.review({
        ...coarseReview,
        verdict: INCONCLUSIVE,
        tools_list_complete: 'partial',
        inconclusive: [remark('mcp_manifest_canonicalization_mismatch', at)],
      });
    },
  ],
  [
    'coarse-4-partial',
    (c) => {
      coarse(c, observed(tools, { block: { tools_list_complete: 'partial' } }), approved);
      const at = c.at(OBSERVATION, 'observed', 'tools_list_complete');
      c.review({
        ...coarseReview,
        verdict: INCONCLUSIVE,
        tools_list_complete: 'partial',
        inconclusive: [remark('inconclusive_manifest_partial_observation', at)],
      });
    },
  ],
  [
    'coarse-4-before-5-digest-differs',
    (c) => {
      coarse(c, observed(tools, { block: { tools_list_complete: 'partial' } }), other);
      const at = c.at(OBSERVATION, 'observed', 'tools_list_complete');
      c.review({
        ...coarseReview,
        verdict: INCONCLUSIVE,
        tools_list_complete: 'partial',
        inconclusive: [remark('inconclusive_manifest_partial_observation', at)],
      });
    },
  ],
  [
    'coarse-4-partial-inconclusive-written-out',
    (c) => {
      const head = 'mcp_manifest_partial_observation: inconclusive\n';
      coarse(c, observed(tools, { block: { tools_list_complete: 'partial' } }), approved, head);
      const at = c.at(OBSERVATION, 'observed', 'tools_list_complete');
      c.review({
        ...coarseReview,
        verdict: INCONCLUSIVE,
        tools_list_complete: 'partial',
        inconclusive: [remark('inconclusive_manifest_partial_observation', at)],
      });
    },
  ],
  [
    'coarse-4-partial-warning-digest-equal',
    (c) => {
      coarse(c, observed(tools, { block: { tools_list_complete: 'partial' } }), approved, warningOnly);
      const at = c.at(OBSERVATION, 'observed', 'tools_list_complete');
      c.review({
        ...coarseReview,
        verdict: COVERAGE,
        tools_list_complete: 'partial',
        warnings: [remark('inconclusive_manifest_partial_observation', at)],
      });
    },
  ],
  [
    'coarse-4-partial-warning-json',
    (c) => {
      c.json(OBSERVATION, observed(tools, { block: { tools_list_complete: 'partial' } }));
      c.json('policy.json', {
        declared_mcp_manifests: { github: { manifest_digest: approved } },
        mcp_manifest_partial_observation: 'warning',
      });
      const at = c.at(OBSERVATION, 'observed', 'tools_list_complete');
      c.review({
        observed: OBSERVATION,
        policy: 'policy.json',
        verdict: COVERAGE,
        tools_list_complete: 'partial',
        warnings: [remark('inconclusive_manifest_partial_observation', at)],
      });
    },
  ],
  [
    'coarse-4-partial-warning-digest-differs',
    (c) => {
      coarse(c, observed(tools, { block: { tools_list_complete: 'partial' } }), other, warningOnly);
      const drift = c.at(OBSERVATION, 'observed', 'manifest_digest');
      const at = c.at(OBSERVATION, 'observed', 'tools_list_complete');
      c.review({
        ...coarseReview,
        verdict: PENDING,
        tools_list_complete: 'partial',
        findings: [finding('mcp_tool_manifest_drift', 'medium', null, null, drift)],
        warnings: [remark('inconclusive_manifest_partial_observation', at)],
      });
    },
  ],
  [
    'coarse-5-digest-differs',
    (c) => {
      coarse(c, observed(tools), other);
      const drift = c.at(OBSERVATION, 'observed', 'manifest_digest');
      c.review({
        ...coarseReview,
        verdict: PENDING,
        tools_list_complete: 'complete',
        findings: [finding('mcp_tool_manifest_drift', 'medium', null, null, drift)],
      });
    },
  ],
  [
    'coarse-5-digest-differs-unknown',
    (c) => {
      coarse(c, observed(tools, { block: { tools_list_complete: 'unknown' } }), other);
      const drift = c.at(OBSERVATION, 'observed', 'manifest_digest');
      c.review({
        ...coarseReview,
        verdict: PENDING,
        tools_list_complete: 'unknown',
        findings: [finding('mcp_tool_manifest_drift', 'medium', null, null, drift)],
      });
    },
  ],
  [
    'coarse-5-digest-absent-differs',
    (c) => {
      coarse(c, observed(tools, { block: { manifest_digest: undefined } }), other);
      const drift = c.key(OBSERVATION, 'observed');
      c.review({
        ...coarseReview,
        verdict: PENDING,
        tools_list_complete: 'complete',
        findings: [finding('mcp_tool_manifest_drift', 'medium', null, null, drift)],
      });
    },
  ],
  [
    'coarse-5-digest-null-differs',
    (c) => {
      coarse(c, observed(tools, { block: { manifest_digest: null } }), other);
      const at = c.at(OBSERVATION, 'observed', 'manifest_digest');
      c.review({
        ...coarseReview,
        verdict: PENDING,
        tools_list_complete: 'complete',
        findings: [finding('mcp_tool_manifest_drift', 'medium', null, null, at)],
        inconclusive: [remark('observed_record_inconsistent', at)],
      });
    },
  ],
  [
    'coarse-6-digest-equal-unknown',
    (c) => {
      coarse(c, observed(tools, { block: { tools_list_complete: 'unknown' } }), approved);
      const at = c.at(OBSERVATION, 'observed', 'tools_list_complete');
      c.review({
        ...coarseReview,
        verdict: COVERAGE,
        tools_list_complete: 'unknown',
        warnings: [remark('manifest_coverage_unknown', at)],
      });
    },
  ],
  [
    'coarse-7-digest-equal-complete',
    (c) => {
      coarse(c, observed(tools), approved);
      c.review({ ...coarseReview, verdict: CLEAN, tools_list_complete: 'complete' });
    },
  ],
  [
    'coarse-7-digest-absent-equal',
    (c) => {
      coarse(c, observed(tools, { block: { manifest_digest: undefined } }), approved);
      c.review({ ...coarseReview, verdict: CLEAN, tools_list_complete: 'complete' });
    },
  ],
  [
    'coarse-server-not-named',
    (c) => {
      coarse(c, observed(tools, { id: 'gitlab' }), approved);
      c.review({
        server: 'gitlab',
        observed: OBSERVATION,
        verdict: INCONCLUSIVE,
        tools_list_complete: 'complete',
        inconclusive: [remark('no_declared_baseline', c.at(OBSERVATION, 'server', 'id'))],
      });
      c.review({
        policy: 'policy.yaml',
        verdict: INCONCLUSIVE,
        inconclusive: [remark('observed_manifest_missing', POLICY_KEY)],
      });
    },
  ],
];
