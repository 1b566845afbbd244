// Semantics 6: the validity checks in their order, then the finding matrix of the specification.
import { CLEAN, COVERAGE, type Definition, finding, INCONCLUSIVE, PENDING, remark } from '../caseWriter';
import type { Located } from '../cases';
import { declared, type Entry, notObserved, observed, ordinary, policy, privileged } from '../documents';
import { BASELINE, OBSERVATION, perTool, perToolReview, POLICY } from './setups';

const tools = [ordinary('get_issue'), ordinary('search')];
const search = ordinary('search');
const searchNow = ordinary('search', { description: 'Does another thing.' });
const key = privileged('github.add_deploy_key');
const keyNow = privileged('github.add_deploy_key', { description: 'Does another thing.' });
const duplicates = [search, searchNow];
const wrong = 'sha256:0000000000000000000000000000000000000000000000000000000000000000';
const foreign = 'example.other_projection.v1';

const pairing = { observed: OBSERVATION, declared: BASELINE };

export const VALIDITY: readonly Definition[] = [
  [
    'validity-1-digest-mismatch',
    (c) => {
      perTool(c, observed(tools), declared(tools, { more: { manifest_digest: wrong } }));
      const at = c.at(BASELINE, 'manifest_digest');
      c.review({
        ...perToolReview,
        verdict: INCONCLUSIVE,
        tools_list_complete: 'complete',
        inconclusive: [remark('declared_manifest_digest_mismatch', at)],
      });
    },
  ],
  [
    'validity-1-before-2-duplicates',
    (c) => {
      perTool(c, observed(tools), declared(duplicates, { more: { manifest_digest: wrong } }));
      const at = c.at(BASELINE, 'manifest_digest');
      c.review({
        ...perToolReview,
        verdict: INCONCLUSIVE,
        tools_list_complete: 'complete',
        inconclusive: [remark('declared_manifest_digest_mismatch', at)],
      });
    },
  ],
  [
    'validity-1-before-5-not-observed',
    (c) => {
      perTool(c, notObserved(), declared(tools, { more: { manifest_digest: wrong } }));
      const at = c.at(BASELINE, 'manifest_digest');
      c.review({
        ...perToolReview,
        verdict: INCONCLUSIVE,
        tools_list_complete: 'unknown',
        inconclusive: [remark('declared_manifest_digest_mismatch', at)],
      });
    },
  ],
  [
    'validity-2-duplicate-names',
    (c) => {
      perTool(c, observed(tools), declared(duplicates));
      const at = c.at(BASELINE, 'tools', 1, 'name');
      c.review({
        ...perToolReview,
        verdict: INCONCLUSIVE,
        tools_list_complete: 'complete',
        inconclusive: [remark('declared_mcp_manifest_ambiguous', at, 'search')],
      });
    },
  ],
  [
    'validity-2-before-4-canonicalization',
    (c) => {
      perTool(c, observed(tools), declared(duplicates, { more: { canonicalization: foreign } }));
      const at = c.at(BASELINE, 'tools', 1, 'name');
      c.review({
        ...perToolReview,
        verdict: INCONCLUSIVE,
        tools_list_complete: 'complete',
        inconclusive: [remark('declared_mcp_manifest_ambiguous', at, 'search')],
      });
    },
  ],
  [
    'validity-3-server-mismatch',
    (c) => {
      perTool(c, observed(tools), declared(tools, { id: 'gitlab' }));
      c.json('pairing.json', pairing);
      c.review({
        ...perToolReview,
        verdict: INCONCLUSIVE,
        tools_list_complete: 'complete',
        inconclusive: [remark('mcp_manifest_server_mismatch', c.at(OBSERVATION, 'server', 'id'))],
      });
    },
  ],
  [
    'validity-3-before-4-canonicalization',
    (c) => {
      perTool(c, observed(tools), declared(tools, { id: 'gitlab', more: { canonicalization: foreign } }));
      c.json('pairing.json', pairing);
      c.review({
        ...perToolReview,
        verdict: INCONCLUSIVE,
        tools_list_complete: 'complete',
        inconclusive: [remark('mcp_manifest_server_mismatch', c.at(OBSERVATION, 'server', 'id'))],
      });
    },
  ],
  [
    'validity-4-canonicalization',
    (c) => {
      perTool(c, observed(tools), declared(tools, { more: { canonicalization: foreign } }));
      c.review({
        ...perToolReview,
        verdict: INCONCLUSIVE,
        tools_list_complete: 'complete',
        inconclusive: [
          remark('mcp_manifest_canonicalization_mismatch', c.at(OBSERVATION, 'observed', 'canonicalization')),
        ],
      });
    },
  ],
  [
    'validity-4-before-5-not-observed',
    (c) => {
      perTool(c, notObserved({ block: { canonicalization: foreign } }), declared(tools));
      c.review({
        ...perToolReview,
        verdict: INCONCLUSIVE,
        tools_list_complete: 'unknown',
        inconclusive: [
          remark('mcp_manifest_canonicalization_mismatch', c.at(OBSERVATION, 'observed', 'canonicalization')),
        ],
      });
    },
  ],
  [
    'validity-5-not-observed',
    (c) => {
      perTool(c, notObserved(), declared(tools));
      c.review({
        ...perToolReview,
        verdict: INCONCLUSIVE,
        tools_list_complete: 'unknown',
        inconclusive: [remark('inconclusive_manifest_not_observed', c.at(OBSERVATION, 'status'))],
      });
    },
  ],
  [
    'validity-5-tools-list-not-observed',
    (c) => {
      perTool(c, observed(tools, { block: { tools_list_observed: false } }), declared(tools));
      const at = c.at(OBSERVATION, 'observed', 'tools_list_observed');
      c.review({
        ...perToolReview,
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
    'validity-5-before-6-ambiguous',
    (c) => {
      const block = { manifest_digest: null, tools_list_observed: false };
      perTool(c, observed(duplicates, { status: 'ambiguous', block }), declared(tools));
      const at = c.at(OBSERVATION, 'observed', 'tools_list_observed');
      c.review({
        ...perToolReview,
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
    'validity-6-ambiguous',
    (c) => {
      perTool(
        c,
        observed(duplicates, { status: 'ambiguous', block: { manifest_digest: null } }),
        declared(tools),
      );
      const at = c.at(OBSERVATION, 'observed', 'tool_digests', 1, 'name');
      c.review({
        ...perToolReview,
        verdict: INCONCLUSIVE,
        tools_list_complete: 'complete',
        inconclusive: [remark('mcp_manifest_observation_ambiguous', at, 'search')],
      });
    },
  ],
  [
    'validity-6-ambiguous-without-duplicates',
    (c) => {
      perTool(c, observed(tools, { status: 'ambiguous', block: { manifest_digest: null } }), declared(tools));
      c.review({
        ...perToolReview,
        verdict: INCONCLUSIVE,
        tools_list_complete: 'complete',
        inconclusive: [remark('mcp_manifest_observation_ambiguous', c.at(OBSERVATION, 'status'))],
      });
    },
  ],
  [
    'validity-6-duplicates-under-observed',
    (c) => {
      perTool(c, observed(duplicates), declared(tools));
      const at = c.at(OBSERVATION, 'observed', 'tool_digests', 1, 'name');
      c.review({
        ...perToolReview,
        verdict: INCONCLUSIVE,
        tools_list_complete: 'complete',
        inconclusive: [remark('mcp_manifest_observation_ambiguous', at, 'search')],
      });
    },
  ],
  [
    'validity-same-foreign-canonicalization',
    (c) => {
      // Both sides name the same projection, so the per-tool check passes; digests of entries compare as they are.
      perTool(
        c,
        observed(tools, { block: { canonicalization: foreign } }),
        declared(tools, { more: { canonicalization: foreign } }),
      );
      c.review({ ...perToolReview, verdict: CLEAN, tools_list_complete: 'complete' });
    },
  ],
];

const nameAt = (index: number) => ['observed', 'tool_digests', index, 'name'] as const;

/** A changed tool without field digests: the finding, and what it says of privilege. */
function changed(
  name: string,
  now: Entry,
  before: Entry,
  code: string,
  severity: string,
  isPrivileged: boolean,
): Definition {
  return [
    name,
    (c) => {
      perTool(c, observed([now]), declared([before]));
      c.review({
        ...perToolReview,
        verdict: PENDING,
        tools_list_complete: 'complete',
        findings: [
          finding(code, severity, now.name, isPrivileged, c.at(OBSERVATION, ...nameAt(0)), {
            notes: ['field_attribution_unavailable'],
          }),
        ],
      });
    },
  ];
}

/** A tool on one side only, under each completeness. */
function incomplete(
  name: string,
  completeness: string,
  now: readonly Entry[],
  expected: (at: (index: number) => Located) => ReturnType<typeof finding>[],
): Definition {
  return [
    name,
    (c) => {
      perTool(c, observed(now, { block: { tools_list_complete: completeness } }), declared([key, search]));
      const coverage = c.at(OBSERVATION, 'observed', 'tools_list_complete');
      const findings = expected((index) => c.at(OBSERVATION, ...nameAt(index)));
      const missing = !now.some((tool) => tool.name === key.name);
      c.review({
        ...perToolReview,
        verdict: findings.length > 0 ? PENDING : INCONCLUSIVE,
        tools_list_complete: completeness,
        findings,
        inconclusive: missing ? [remark('inconclusive_manifest_partial_observation', coverage)] : [],
      });
    },
  ];
}

const add = ordinary('web.fetch');
const addKey = privileged('slack.invite');
const unavailable = { notes: ['field_attribution_unavailable'] };

export const MATRIX: readonly Definition[] = [
  [
    'matrix-added',
    (c) => {
      perTool(c, observed([search, add]), declared([search]));
      c.review({
        ...perToolReview,
        verdict: PENDING,
        tools_list_complete: 'complete',
        findings: [finding('mcp_tool_added', 'medium', 'web.fetch', false, c.at(OBSERVATION, ...nameAt(1)))],
      });
    },
  ],
  [
    'matrix-added-privileged',
    (c) => {
      perTool(c, observed([search, addKey]), declared([search]));
      const at = c.at(OBSERVATION, ...nameAt(1));
      c.review({
        ...perToolReview,
        verdict: PENDING,
        tools_list_complete: 'complete',
        findings: [finding('mcp_new_privileged_tool', 'high', 'slack.invite', true, at)],
      });
    },
  ],
  [
    'matrix-removed',
    (c) => {
      perTool(c, observed([key]), declared([key, search]));
      c.review({
        ...perToolReview,
        verdict: PENDING,
        tools_list_complete: 'complete',
        findings: [finding('mcp_tool_removed', 'medium', 'search', false, c.at(BASELINE, 'tools', 1))],
      });
    },
  ],
  [
    'matrix-removed-privileged',
    (c) => {
      perTool(c, observed([search]), declared([key, search]));
      const at = c.at(BASELINE, 'tools', 0);
      c.review({
        ...perToolReview,
        verdict: PENDING,
        tools_list_complete: 'complete',
        findings: [finding('mcp_privileged_tool_removed', 'high', 'github.add_deploy_key', true, at)],
      });
    },
  ],
  incomplete('matrix-removed-partial', 'partial', [search], () => []),
  incomplete('matrix-removed-unknown', 'unknown', [search], () => []),
  incomplete('matrix-removed-and-added-partial', 'partial', [search, addKey], (at) => [
    finding('mcp_new_privileged_tool', 'high', 'slack.invite', true, at(1)),
  ]),
  incomplete('matrix-removed-and-changed-unknown', 'unknown', [searchNow], (at) => [
    finding('mcp_tool_changed', 'medium', 'search', false, at(0), unavailable),
  ]),
  incomplete('matrix-added-partial', 'partial', [key, search, add], (at) => [
    finding('mcp_tool_added', 'medium', 'web.fetch', false, at(2)),
  ]),
  incomplete('matrix-changed-partial', 'partial', [keyNow, search], (at) => [
    finding('mcp_privileged_tool_changed', 'high', 'github.add_deploy_key', true, at(0), unavailable),
  ]),
  incomplete('matrix-changed-unknown', 'unknown', [key, searchNow], (at) => [
    finding('mcp_tool_changed', 'medium', 'search', false, at(1), unavailable),
  ]),
  changed('matrix-changed', searchNow, search, 'mcp_tool_changed', 'medium', false),
  changed('matrix-changed-privileged', keyNow, key, 'mcp_privileged_tool_changed', 'high', true),
  changed(
    'matrix-changed-privileged-in-observation-only',
    keyNow,
    { ...key, privileged: false },
    'mcp_privileged_tool_changed',
    'high',
    true,
  ),
  changed(
    'matrix-changed-privileged-in-baseline-only',
    { ...keyNow, privileged: false },
    key,
    'mcp_privileged_tool_changed',
    'high',
    true,
  ),
  [
    'matrix-renamed',
    (c) => {
      perTool(c, observed([ordinary('find')]), declared([search]));
      c.review({
        ...perToolReview,
        verdict: PENDING,
        tools_list_complete: 'complete',
        findings: [
          finding('mcp_tool_added', 'medium', 'find', false, c.at(OBSERVATION, ...nameAt(0))),
          finding('mcp_tool_removed', 'medium', 'search', false, c.at(BASELINE, 'tools', 0)),
        ],
      });
    },
  ],
  [
    'matrix-equal',
    (c) => {
      // Order does not matter: the baseline lists the same tools the other way round.
      perTool(c, observed([key, search]), declared([search, key]));
      c.review({ ...perToolReview, verdict: CLEAN, tools_list_complete: 'complete' });
    },
  ],
  [
    'matrix-equal-unknown',
    (c) => {
      perTool(c, observed([search], { block: { tools_list_complete: 'unknown' } }), declared([search]));
      const at = c.at(OBSERVATION, 'observed', 'tools_list_complete');
      c.review({
        ...perToolReview,
        verdict: COVERAGE,
        tools_list_complete: 'unknown',
        warnings: [remark('manifest_coverage_unknown', at)],
      });
    },
  ],
  [
    'matrix-equal-partial',
    (c) => {
      perTool(c, observed([search], { block: { tools_list_complete: 'partial' } }), declared([search]));
      const at = c.at(OBSERVATION, 'observed', 'tools_list_complete');
      c.review({
        ...perToolReview,
        verdict: INCONCLUSIVE,
        tools_list_complete: 'partial',
        inconclusive: [remark('inconclusive_manifest_partial_observation', at)],
      });
    },
  ],
  [
    'matrix-equal-partial-policy-warning',
    (c) => {
      // The policy's leniency is the coarse gate's alone, and this policy names no server.
      perTool(c, observed([search], { block: { tools_list_complete: 'partial' } }), declared([search]));
      c.text(POLICY, `mcp_manifest_partial_observation: warning\n${policy({}).trimEnd()} {}\n`);
      const at = c.at(OBSERVATION, 'observed', 'tools_list_complete');
      c.review({
        ...perToolReview,
        verdict: INCONCLUSIVE,
        tools_list_complete: 'partial',
        inconclusive: [remark('inconclusive_manifest_partial_observation', at)],
      });
    },
  ],
  [
    'matrix-order-of-tools',
    (c) => {
      // By UTF-8 bytes a name in U+FF00 comes before one outside the BMP; by UTF-16 units it would be the other way.
      const now = ['\u{1F511}', '\u{FF21}', 'b', 'B', 'a.b'].map((name) => ordinary(name));
      perTool(c, observed(now), declared([]));
      const added = (index: number, name: string) =>
        finding('mcp_tool_added', 'medium', name, false, c.at(OBSERVATION, ...nameAt(index)));
      c.review({
        ...perToolReview,
        verdict: PENDING,
        tools_list_complete: 'complete',
        findings: [
          added(3, 'B'),
          added(4, 'a.b'),
          added(2, 'b'),
          added(1, '\u{FF21}'),
          added(0, '\u{1F511}'),
        ],
      });
    },
  ],
];
