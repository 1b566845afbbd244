// Field attribution (specification, "Consumer rules", "Severity"; semantics 7).
import { CLEAN, COVERAGE, type Definition, finding, PENDING, remark } from '../caseWriter';
import {
  declared,
  type Definition as Tool,
  type Entry,
  observed,
  ordinary,
  privileged,
  withFields,
} from '../documents';
import { OBSERVATION, perTool, perToolReview } from './setups';

const FIELDS = ['description', 'input_schema', 'output_schema', 'annotations'] as const;
const nameAt = ['observed', 'tool_digests', 0, 'name'] as const;
const fieldAt = (field: string) => ['observed', 'tool_digests', 0, 'field_digests', field] as const;

const CHANGES = {
  description: 'Does another thing.',
  input_schema: { type: 'object', required: ['q'] },
  output_schema: { type: 'string' },
  annotations: { readOnlyHint: true },
} as const;

const make = { ordinary, privileged };
type Kind = keyof typeof make;
const NAMES = { ordinary: 'search', privileged: 'github.add_deploy_key' } as const;

function full(kind: Kind, definition: Tool = {}, only?: readonly string[]): Entry {
  return withFields(make[kind](NAMES[kind], definition), definition, only);
}

function severity(field: (typeof FIELDS)[number], kind: Kind, level: string): Definition {
  return [
    `severity-${field.replace('_', '-')}-${kind}`,
    (c) => {
      const definition = { [field]: CHANGES[field] };
      perTool(c, observed([full(kind, definition)]), declared([full(kind)]));
      const code = `mcp_tool_${field}_changed`;
      const at = c.at(OBSERVATION, ...fieldAt(field));
      c.review({
        ...perToolReview,
        verdict: PENDING,
        tools_list_complete: 'complete',
        findings: [finding(code, level, NAMES[kind], kind === 'privileged', at, { field })],
      });
    },
  ];
}

/** A changed tool whose fields cannot be told: one finding of the tool with a note. */
function untold(name: string, now: Entry, before: Entry, note: string): Definition {
  return [
    name,
    (c) => {
      perTool(c, observed([now]), declared([before]));
      const isPrivileged = now.privileged || before.privileged;
      const code = isPrivileged ? 'mcp_privileged_tool_changed' : 'mcp_tool_changed';
      const level = isPrivileged ? 'high' : 'medium';
      c.review({
        ...perToolReview,
        verdict: PENDING,
        tools_list_complete: 'complete',
        findings: [
          finding(code, level, now.name, isPrivileged, c.at(OBSERVATION, ...nameAt), { notes: [note] }),
        ],
      });
    },
  ];
}

/** The tool digest is equal and a field digest is not: a warning for that tool, no finding. */
function guard(name: string, now: Entry, before: Entry, field: string): Definition {
  return [
    name,
    (c) => {
      perTool(c, observed([now]), declared([before]));
      c.review({
        ...perToolReview,
        verdict: COVERAGE,
        tools_list_complete: 'complete',
        warnings: [remark('field_attribution_inconsistent', c.at(OBSERVATION, ...fieldAt(field)), now.name)],
      });
    },
  ];
}

const changed = { description: CHANGES.description };
const three = FIELDS.slice(0, 3);
/** The tool digest of one definition with the field digests of another. */
const mixed = (kind: Kind, tool: Tool, fields: Tool, only?: readonly string[]) =>
  withFields(make[kind](NAMES[kind], tool), fields, only);

export const FIELD_CASES: readonly Definition[] = [
  severity('description', 'ordinary', 'medium'),
  severity('description', 'privileged', 'high'),
  severity('input_schema', 'ordinary', 'medium'),
  severity('input_schema', 'privileged', 'high'),
  severity('annotations', 'ordinary', 'low'),
  severity('annotations', 'privileged', 'medium'),
  severity('output_schema', 'ordinary', 'low'),
  severity('output_schema', 'privileged', 'medium'),
  [
    'field-all-four-in-order',
    (c) => {
      perTool(c, observed([full('ordinary', CHANGES)]), declared([full('ordinary')]));
      const one = (field: string, level: string) =>
        finding(`mcp_tool_${field}_changed`, level, 'search', false, c.at(OBSERVATION, ...fieldAt(field)), {
          field,
        });
      c.review({
        ...perToolReview,
        verdict: PENDING,
        tools_list_complete: 'complete',
        findings: [
          one('description', 'medium'),
          one('input_schema', 'medium'),
          one('output_schema', 'low'),
          one('annotations', 'low'),
        ],
      });
    },
  ],
  [
    'field-privileged-in-baseline-only',
    (c) => {
      const now = { ...full('privileged', changed), privileged: false };
      perTool(c, observed([now]), declared([full('privileged')]));
      const at = c.at(OBSERVATION, ...fieldAt('description'));
      c.review({
        ...perToolReview,
        verdict: PENDING,
        tools_list_complete: 'complete',
        findings: [
          finding('mcp_tool_description_changed', 'high', now.name, true, at, { field: 'description' }),
        ],
      });
    },
  ],
  [
    'field-partial-observation',
    (c) => {
      const block = { tools_list_complete: 'partial' };
      perTool(c, observed([full('ordinary', changed)], { block }), declared([full('ordinary')]));
      const at = c.at(OBSERVATION, ...fieldAt('description'));
      c.review({
        ...perToolReview,
        verdict: PENDING,
        tools_list_complete: 'partial',
        findings: [
          finding('mcp_tool_description_changed', 'medium', 'search', false, at, { field: 'description' }),
        ],
      });
    },
  ],
  untold(
    'field-unavailable-in-observation',
    ordinary('search', changed),
    full('ordinary'),
    'field_attribution_unavailable',
  ),
  untold(
    'field-unavailable-in-baseline',
    full('ordinary', changed),
    ordinary('search'),
    'field_attribution_unavailable',
  ),
  untold(
    'field-unavailable-privileged',
    privileged(NAMES.privileged, changed),
    privileged(NAMES.privileged),
    'field_attribution_unavailable',
  ),
  untold(
    'field-partial-in-observation',
    full('ordinary', changed, three),
    full('ordinary'),
    'field_attribution_unavailable',
  ),
  untold(
    'field-partial-in-baseline',
    full('ordinary', changed),
    full('ordinary', {}, three),
    'field_attribution_unavailable',
  ),
  untold(
    'field-inconsistent-none-differs',
    mixed('ordinary', changed, {}),
    full('ordinary'),
    'field_attribution_inconsistent',
  ),
  untold(
    'field-inconsistent-none-differs-privileged',
    mixed('privileged', changed, {}),
    full('privileged'),
    'field_attribution_inconsistent',
  ),
  guard('field-guard-equal-tool-digest', mixed('ordinary', {}, changed), full('ordinary'), 'description'),
  guard(
    'field-guard-partial-field-digests',
    mixed('privileged', {}, CHANGES, ['annotations']),
    full('privileged', {}, ['input_schema', 'annotations']),
    'annotations',
  ),
  guard(
    'field-guard-several-fields-one-warning',
    mixed('ordinary', {}, CHANGES),
    full('ordinary'),
    'description',
  ),
  [
    'field-guard-nothing-on-both-sides',
    (c) => {
      const now = mixed('ordinary', {}, changed, ['description']);
      perTool(c, observed([now]), declared([full('ordinary', {}, ['annotations'])]));
      c.review({ ...perToolReview, verdict: CLEAN, tools_list_complete: 'complete' });
    },
  ],
  [
    'field-guard-and-coverage',
    (c) => {
      const now = mixed('ordinary', {}, changed);
      perTool(
        c,
        observed([now], { block: { tools_list_complete: 'unknown' } }),
        declared([full('ordinary')]),
      );
      c.review({
        ...perToolReview,
        verdict: COVERAGE,
        tools_list_complete: 'unknown',
        warnings: [
          remark('manifest_coverage_unknown', c.at(OBSERVATION, 'observed', 'tools_list_complete')),
          remark('field_attribution_inconsistent', c.at(OBSERVATION, ...fieldAt('description')), 'search'),
        ],
      });
    },
  ],
];

/** Semantics 3: each row of the privilege table, through the privileged value of what is found. */
const LEAVES: readonly (readonly [actionClass: string, leaves: readonly string[]])[] = [
  ['github_deploy_key', ['add_deploy_key', 'create_deploy_key']],
  ['slack_add_member', ['add_member', 'invite']],
  [
    'workspace_admin',
    ['grant_admin', 'change_role', 'invite_external', 'modify_org_policy', 'create_workspace_token'],
  ],
];
/** Names that come near the table and are not in it: other case, more text, the leaf before the last dot. */
const NOT_PRIVILEGED = [
  'Invite',
  'invite.',
  'invite.me',
  'invite_all',
  'reinvite',
  'slack_invite',
  'slack/invite',
];

function added(name: string, tools: readonly Entry[]): Definition {
  return [
    name,
    (c) => {
      perTool(c, observed(tools), declared([]));
      c.review({
        ...perToolReview,
        verdict: PENDING,
        tools_list_complete: 'complete',
        findings: tools.map((tool, index) =>
          finding(
            tool.privileged ? 'mcp_new_privileged_tool' : 'mcp_tool_added',
            tool.privileged ? 'high' : 'medium',
            tool.name,
            tool.privileged,
            c.at(OBSERVATION, 'observed', 'tool_digests', index, 'name'),
          ),
        ),
      });
    },
  ];
}

const entryOf = (name: string, actionClass: string | null): Entry => ({
  ...ordinary(name),
  privileged: actionClass !== null,
  privilege_classification: actionClass === null ? 'unclassified' : 'classified',
  action_class: actionClass,
});
const byName = (a: Entry, b: Entry) => (a.name < b.name ? -1 : 1);

export const PRIVILEGE: readonly Definition[] = [
  ...LEAVES.map(([actionClass, leaves]) =>
    added(
      `privilege-${actionClass.replaceAll('_', '-')}`,
      leaves
        .flatMap((leaf) => [entryOf(leaf, actionClass), entryOf(`a.b.${leaf}`, actionClass)])
        .sort(byName),
    ),
  ),
  added('privilege-unclassified', NOT_PRIVILEGED.map((name) => entryOf(name, null)).sort(byName)),
];
