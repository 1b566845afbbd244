// Semantics 8: an observed record that contradicts itself.
import { CLEAN, COVERAGE, type Definition, finding, INCONCLUSIVE, PENDING, remark } from '../caseWriter';
import {
  classified,
  declared,
  manifestDigest,
  notObserved,
  observed,
  ordinary,
  policy,
  privileged,
  toolDigest,
} from '../documents';
import type { Json, Path } from '../layout';
import {
  BASELINE,
  bothReview,
  coarse,
  coarseReview,
  OBSERVATION,
  perTool,
  perToolReview,
  POLICY,
} from './setups';

const search = ordinary('search');
const key = privileged('github.add_deploy_key');
const tools = [key, search];
const wrong = manifestDigest([search]);
const duplicates = [search, ordinary('search', { description: 'Another.' })];

/** A record whose entries equal the baseline's, with one contradiction at a path. */
function contradiction(
  name: string,
  record: Json,
  path: Path,
  more: { completeness?: string; tool?: string; baseline?: Json } = {},
): Definition {
  return [
    name,
    (c) => {
      perTool(c, record, more.baseline ?? declared(tools));
      c.review({
        ...perToolReview,
        verdict: INCONCLUSIVE,
        tools_list_complete: more.completeness ?? 'complete',
        inconclusive: [remark('observed_record_inconsistent', c.at(OBSERVATION, ...path), more.tool ?? null)],
      });
    },
  ];
}

/** As above, for a record that the per-tool gate cannot compare; `code` and `where` say what that gate answers. */
function contradictionAnd(
  name: string,
  record: Json,
  paths: readonly Path[],
  gate: { code: string; where: Path; tool?: string },
  completeness: string,
): Definition {
  return [
    name,
    (c) => {
      perTool(c, record, declared(tools));
      const remarks = [
        remark(gate.code, c.at(OBSERVATION, ...gate.where), gate.tool ?? null),
        ...paths.map((path) => remark('observed_record_inconsistent', c.at(OBSERVATION, ...path))),
      ];
      c.review({
        ...perToolReview,
        verdict: INCONCLUSIVE,
        tools_list_complete: completeness,
        inconclusive: remarks,
      });
    },
  ];
}

const block = (name: string) => ['observed', name];
const entryPrivileged = ['observed', 'tool_digests', 0, 'privileged'];
const notSeen = { code: 'inconclusive_manifest_not_observed', where: ['status'] };

function privilege(
  name: string,
  more: { privilege_classification?: string; action_class?: string | null },
  isPrivileged: boolean,
): Definition {
  const entry = { ...(isPrivileged ? key : { ...key, privileged: false }), ...more };
  return contradiction(name, observed([entry]), entryPrivileged, {
    tool: key.name,
    baseline: declared([entry]),
  });
}

export const RECORD: readonly Definition[] = [
  contradiction(
    'record-digest-does-not-recompute',
    observed(tools, { block: { manifest_digest: wrong } }),
    block('manifest_digest'),
  ),
  [
    'record-digest-edited-to-match-the-policy',
    (c) => {
      // A hand-edited digest must not buy a clean result.
      coarse(c, observed(tools, { block: { manifest_digest: wrong } }), wrong);
      c.review({
        ...coarseReview,
        verdict: INCONCLUSIVE,
        tools_list_complete: 'complete',
        inconclusive: [
          remark('observed_record_inconsistent', c.at(OBSERVATION, 'observed', 'manifest_digest')),
        ],
      });
    },
  ],
  contradiction('record-tool-count', observed(tools, { block: { tool_count: 3 } }), block('tool_count')),
  contradiction(
    'record-privileged-tool-count',
    observed(tools, { block: { privileged_tool_count: 0 } }),
    block('privileged_tool_count'),
  ),
  privilege('record-privileged-but-unclassified', { privilege_classification: 'unclassified' }, true),
  privilege('record-privileged-without-class', { action_class: null }, true),
  privilege('record-not-privileged-but-classified', { privilege_classification: 'classified' }, false),
  privilege('record-not-privileged-with-class', { action_class: 'github_deploy_key' }, false),
  contradiction(
    'record-null-digest-under-observed',
    observed(tools, { block: { manifest_digest: null } }),
    block('manifest_digest'),
  ),
  contradictionAnd(
    'record-digest-under-ambiguous',
    observed(duplicates, { status: 'ambiguous' }),
    [block('manifest_digest')],
    {
      code: 'mcp_manifest_observation_ambiguous',
      where: ['observed', 'tool_digests', 1, 'name'],
      tool: 'search',
    },
    'complete',
  ),
  contradictionAnd(
    'record-digest-under-not-observed',
    notObserved({ block: { manifest_digest: manifestDigest([]) } }),
    [block('manifest_digest')],
    notSeen,
    'unknown',
  ),
  contradictionAnd(
    'record-not-observed-with-entries',
    notObserved({ block: { tool_count: 1, tool_digests: [search] } }),
    [block('tool_digests')],
    notSeen,
    'unknown',
  ),
  contradictionAnd(
    'record-not-observed-with-tools-list-observed',
    notObserved({ block: { tools_list_observed: true } }),
    [block('tools_list_observed')],
    notSeen,
    'unknown',
  ),
  contradictionAnd(
    'record-not-observed-with-completeness',
    notObserved({ block: { tools_list_complete: 'complete' } }),
    [block('tools_list_complete')],
    notSeen,
    'complete',
  ),
  contradictionAnd(
    'record-tools-list-not-observed-under-observed',
    observed(tools, { block: { tools_list_observed: false } }),
    [block('tools_list_observed')],
    { code: 'inconclusive_manifest_not_observed', where: block('tools_list_observed') },
    'complete',
  ),
  contradictionAnd(
    'record-duplicates-are-ambiguity',
    observed(duplicates),
    [],
    {
      code: 'mcp_manifest_observation_ambiguous',
      where: ['observed', 'tool_digests', 1, 'name'],
      tool: 'search',
    },
    'complete',
  ),
  contradictionAnd(
    'record-ambiguous-without-duplicates-is-ambiguity',
    observed(tools, { status: 'ambiguous', block: { manifest_digest: null } }),
    [],
    { code: 'mcp_manifest_observation_ambiguous', where: ['status'] },
    'complete',
  ),
  [
    'record-only-what-is-present',
    (c) => {
      const left = { manifest_digest: undefined, tool_count: undefined, privileged_tool_count: undefined };
      perTool(c, observed(tools, { block: left }), declared(tools));
      c.review({ ...perToolReview, verdict: CLEAN, tools_list_complete: 'complete' });
    },
  ],
  [
    'record-consistent-with-everything-present',
    (c) => {
      const all = [classified('github.add_deploy_key', 'github_deploy_key'), classified('search', null)];
      perTool(c, observed(all), declared(all));
      c.review({ ...perToolReview, verdict: CLEAN, tools_list_complete: 'complete' });
    },
  ],
  [
    'record-digest-of-another-canonicalization',
    (c) => {
      // Only digests of the v0 canonicalization can be recomputed, so nothing contradicts.
      const foreign = { canonicalization: 'example.other_projection.v1', manifest_digest: wrong };
      coarse(c, observed(tools, { block: foreign }), wrong);
      c.review({
        ...coarseReview,
        verdict: INCONCLUSIVE,
        tools_list_complete: 'complete',
        inconclusive: [
          remark('mcp_manifest_canonicalization_mismatch', c.at(OBSERVATION, 'observed', 'canonicalization')),
        ],
      });
    },
  ],
  [
    'record-names-sanitised',
    (c) => {
      // The digest was taken over the raw name, which held a control character.
      const shown = { name: 'sea\u{FFFD}rch', tool_digest: toolDigest('sea\u{7}rch'), privileged: false };
      const raw = manifestDigest([{ ...shown, name: 'sea\u{7}rch' }]);
      coarse(c, observed([shown], { block: { manifest_digest: raw } }), raw);
      const at = c.at(OBSERVATION, 'observed', 'tool_digests', 0, 'name');
      c.review({
        ...coarseReview,
        verdict: COVERAGE,
        tools_list_complete: 'complete',
        warnings: [remark('observed_names_sanitised', at, null)],
      });
    },
  ],
  [
    'record-names-sanitised-counts-still-compared',
    (c) => {
      const shown = { name: 'sea\u{FFFD}rch', tool_digest: toolDigest('sea\u{7}rch'), privileged: false };
      const raw = manifestDigest([{ ...shown, name: 'sea\u{7}rch' }]);
      coarse(c, observed([shown], { block: { manifest_digest: raw, tool_count: 2 } }), raw);
      c.review({
        ...coarseReview,
        verdict: INCONCLUSIVE,
        tools_list_complete: 'complete',
        inconclusive: [remark('observed_record_inconsistent', c.at(OBSERVATION, 'observed', 'tool_count'))],
        warnings: [
          remark('observed_names_sanitised', c.at(OBSERVATION, 'observed', 'tool_digests', 0, 'name'), null),
        ],
      });
    },
  ],
  [
    'record-replacement-character-that-recomputes',
    (c) => {
      // The raw name itself may hold U+FFFD; then the digest recomputes and there is nothing to say.
      const tool = ordinary('sea\u{FFFD}rch');
      coarse(c, observed([tool]), manifestDigest([tool]));
      c.review({ ...coarseReview, verdict: CLEAN, tools_list_complete: 'complete' });
    },
  ],
  [
    'record-several-contradictions',
    (c) => {
      perTool(c, observed(tools, { block: { tool_count: 0, privileged_tool_count: 2 } }), declared(tools));
      c.review({
        ...perToolReview,
        verdict: INCONCLUSIVE,
        tools_list_complete: 'complete',
        inconclusive: ['tool_count', 'privileged_tool_count'].map((name) =>
          remark('observed_record_inconsistent', c.at(OBSERVATION, 'observed', name)),
        ),
      });
    },
  ],
  [
    'record-inconsistent-beside-a-finding',
    (c) => {
      perTool(c, observed(tools, { block: { tool_count: 1 } }), declared([search]));
      c.review({
        ...perToolReview,
        verdict: PENDING,
        tools_list_complete: 'complete',
        findings: [
          finding(
            'mcp_new_privileged_tool',
            'high',
            key.name,
            true,
            c.at(OBSERVATION, 'observed', 'tool_digests', 0, 'name'),
          ),
        ],
        inconclusive: [remark('observed_record_inconsistent', c.at(OBSERVATION, 'observed', 'tool_count'))],
      });
    },
  ],
  [
    'record-inconsistent-without-a-baseline',
    (c) => {
      c.json(OBSERVATION, observed(tools, { block: { tool_count: 1 } }));
      c.review({
        observed: OBSERVATION,
        verdict: INCONCLUSIVE,
        tools_list_complete: 'complete',
        inconclusive: [
          remark('no_declared_baseline', c.at(OBSERVATION, 'server', 'id')),
          remark('observed_record_inconsistent', c.at(OBSERVATION, 'observed', 'tool_count')),
        ],
      });
    },
  ],
  [
    'record-inconsistent-is-silent-under-a-conflict',
    (c) => {
      perTool(c, observed(tools, { block: { tool_count: 1 } }), declared(tools));
      c.text(POLICY, policy({ github: wrong }));
      c.review({
        ...bothReview,
        verdict: INCONCLUSIVE,
        tools_list_complete: 'complete',
        inconclusive: [remark('declared_manifest_baseline_conflict', c.at(BASELINE, 'manifest_digest'))],
      });
    },
  ],
];
