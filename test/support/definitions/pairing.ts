// Semantics 9: which files belong together.
import {
  CLEAN,
  type CaseWriter,
  COVERAGE,
  type Definition,
  finding,
  INCONCLUSIVE,
  PENDING,
  remark,
} from '../caseWriter';
import { declared, manifestDigest, observed, ordinary, policy } from '../documents';
import type { Json } from '../layout';

const search = ordinary('search');
const fetch = ordinary('web.fetch');
const tools = [search];
const more = [search, fetch];
const approved = manifestDigest(tools);
const digestAt = ['manifest_digest'] as const;
const complete = { tools_list_complete: 'complete' };

function write(c: CaseWriter, files: Readonly<Record<string, Json>>): void {
  for (const [path, value] of Object.entries(files)) c.json(path, value);
}

const driftIn = (c: CaseWriter, path: string) =>
  finding('mcp_tool_manifest_drift', 'medium', null, null, c.at(path, 'observed', 'manifest_digest'));

const addedIn = (c: CaseWriter, path: string) =>
  finding('mcp_tool_added', 'medium', 'web.fetch', false, c.at(path, 'observed', 'tool_digests', 1, 'name'));

export const PAIRING: readonly Definition[] = [
  [
    'pairing-by-server-id',
    (c) => {
      // File names say nothing; the ids inside do.
      write(c, {
        'one.observed.json': observed(tools, { id: 'github' }),
        'two.observed.json': observed(more, { id: 'gitlab' }),
        'one.declared.json': declared(more, { id: 'gitlab' }),
        'two.declared.json': declared(tools, { id: 'github' }),
      });
      c.review({ ...complete, observed: 'one.observed.json', declared: 'two.declared.json', verdict: CLEAN });
      c.review({
        ...complete,
        server: 'gitlab',
        observed: 'two.observed.json',
        declared: 'one.declared.json',
        verdict: CLEAN,
      });
    },
  ],
  [
    'pairing-nearest-baseline',
    (c) => {
      write(c, {
        'github.declared.json': declared(tools),
        'services/a/github.observed.json': observed(tools),
        'services/github.declared.json': declared(tools),
      });
      c.review({
        ...complete,
        observed: 'services/a/github.observed.json',
        declared: 'services/github.declared.json',
        verdict: CLEAN,
      });
    },
  ],
  [
    'pairing-other-baseline-differs',
    (c) => {
      // The nearer file approves what was observed, the one at the top does not.
      write(c, {
        'github.declared.json': declared(tools),
        'services/github.observed.json': observed(more),
        'services/github.declared.json': declared(more),
      });
      c.review({
        ...complete,
        observed: 'services/github.observed.json',
        declared: 'services/github.declared.json',
        verdict: COVERAGE,
        warnings: [remark('other_baseline_differs', c.at('github.declared.json', ...digestAt))],
      });
    },
  ],
  [
    'pairing-other-baseline-differs-beside-a-finding',
    (c) => {
      write(c, {
        'github.declared.json': declared(more),
        'services/github.observed.json': observed(more),
        'services/github.declared.json': declared(tools),
      });
      c.review({
        ...complete,
        observed: 'services/github.observed.json',
        declared: 'services/github.declared.json',
        verdict: PENDING,
        findings: [addedIn(c, 'services/github.observed.json')],
        warnings: [remark('other_baseline_differs', c.at('github.declared.json', ...digestAt))],
      });
    },
  ],
  [
    'pairing-other-policy-differs',
    (c) => {
      write(c, { 'services/github.observed.json': observed(more) });
      c.text('policy.yaml', policy({ github: approved }));
      c.text('services/policy.yaml', policy({ github: manifestDigest(more) }));
      c.review({
        ...complete,
        observed: 'services/github.observed.json',
        policy: 'services/policy.yaml',
        verdict: COVERAGE,
        warnings: [remark('other_baseline_differs', { path: 'policy.yaml', line: 3, column: 22 })],
      });
    },
  ],
  [
    'pairing-tie-with-different-digests',
    (c) => {
      write(c, {
        'github.observed.json': observed(tools),
        'new.declared.json': declared(more),
        'old.declared.json': declared(tools),
      });
      c.review({
        ...complete,
        observed: 'github.observed.json',
        declared: 'new.declared.json',
        verdict: INCONCLUSIVE,
        inconclusive: [remark('declared_manifest_baseline_conflict', c.at('new.declared.json', ...digestAt))],
      });
    },
  ],
  [
    'pairing-tie-below-the-observation',
    (c) => {
      // Neither folder holds the observation: both have the same path in common with it.
      write(c, {
        'github.observed.json': observed(tools),
        'new/github.declared.json': declared(more),
        'old/deeper/github.declared.json': declared(tools),
      });
      c.review({
        ...complete,
        observed: 'github.observed.json',
        declared: 'new/github.declared.json',
        verdict: INCONCLUSIVE,
        inconclusive: [
          remark('declared_manifest_baseline_conflict', c.at('new/github.declared.json', ...digestAt)),
        ],
      });
    },
  ],
  [
    'pairing-tie-of-policies',
    (c) => {
      write(c, { 'github.observed.json': observed(tools) });
      c.text('a.policy.yaml', policy({ github: manifestDigest(more) }));
      c.text('b.policy.yaml', policy({ github: approved }));
      c.review({
        ...complete,
        observed: 'github.observed.json',
        policy: 'a.policy.yaml',
        verdict: INCONCLUSIVE,
        inconclusive: [
          remark('declared_manifest_baseline_conflict', { path: 'a.policy.yaml', line: 3, column: 22 }),
        ],
      });
    },
  ],
  [
    'pairing-tie-with-equal-digests',
    (c) => {
      // The first path applies; the other says the same and adds nothing.
      write(c, {
        'a.declared.json': declared(tools),
        'b.declared.json': declared(tools),
        'github.observed.json': observed(more),
      });
      c.review({
        ...complete,
        observed: 'github.observed.json',
        declared: 'a.declared.json',
        verdict: PENDING,
        findings: [addedIn(c, 'github.observed.json')],
      });
    },
  ],
  [
    'pairing-several-observations',
    (c) => {
      write(c, {
        'github.declared.json': declared(tools),
        'monday.observed.json': observed(tools),
        'tuesday.observed.json': observed(more),
      });
      c.review({
        ...complete,
        observed: 'monday.observed.json',
        declared: 'github.declared.json',
        verdict: CLEAN,
      });
      c.review({
        ...complete,
        observed: 'tuesday.observed.json',
        declared: 'github.declared.json',
        verdict: PENDING,
        findings: [addedIn(c, 'tuesday.observed.json')],
      });
    },
  ],
  [
    'pairing-each-observation-has-its-nearest',
    (c) => {
      write(c, {
        'a/github.declared.json': declared(tools),
        'a/github.observed.json': observed(tools),
        'b/github.declared.json': declared(more),
        'b/github.observed.json': observed(more),
      });
      c.review({
        ...complete,
        observed: 'a/github.observed.json',
        declared: 'a/github.declared.json',
        verdict: COVERAGE,
        warnings: [remark('other_baseline_differs', c.at('b/github.declared.json', ...digestAt))],
      });
      c.review({
        ...complete,
        observed: 'b/github.observed.json',
        declared: 'b/github.declared.json',
        verdict: COVERAGE,
        warnings: [remark('other_baseline_differs', c.at('a/github.declared.json', ...digestAt))],
      });
    },
  ],
  [
    'pairing-nearest-of-each-kind',
    (c) => {
      // The per-tool baseline is near, the policy at the top: both apply, and they agree.
      write(c, {
        'services/github.declared.json': declared(tools),
        'services/github.observed.json': observed(tools),
      });
      c.text('policy.yaml', policy({ github: approved }));
      c.review({
        ...complete,
        observed: 'services/github.observed.json',
        declared: 'services/github.declared.json',
        policy: 'policy.yaml',
        verdict: CLEAN,
      });
    },
  ],
  [
    'pairing-default-names',
    (c) => {
      write(c, {
        '.mcp/approved.json': declared(tools, { id: 'a' }),
        '.mcp/deep/down/seen.json': observed(tools, { id: 'a' }),
        'security/.mcp/rules.json': { declared_mcp_manifests: { b: { manifest_digest: approved } } },
        'x/y.observed.json': observed(more, { id: 'b' }),
      });
      c.text('our-policy-2026.yml', policy({ c: approved }));
      c.json('z.observed.json', observed(tools, { id: 'c' }));
      // Not watched: another name, another ending.
      c.json('observed.json', observed(more, { id: 'a' }));
      c.json('a.declared.jsonc', declared(more, { id: 'a' }));
      c.review({
        ...complete,
        server: 'a',
        observed: '.mcp/deep/down/seen.json',
        declared: '.mcp/approved.json',
        verdict: CLEAN,
      });
      c.review({
        ...complete,
        server: 'b',
        observed: 'x/y.observed.json',
        policy: 'security/.mcp/rules.json',
        verdict: PENDING,
        findings: [driftIn(c, 'x/y.observed.json')],
      });
      c.review({
        ...complete,
        server: 'c',
        observed: 'z.observed.json',
        policy: 'our-policy-2026.yml',
        verdict: CLEAN,
      });
    },
  ],
  [
    'pairing-by-hand-with-an-invalid-policy',
    (c) => {
      write(c, {
        'github.observed.json': observed(tools),
        'pairing.json': { observed: 'github.observed.json', policy: 'policy.yaml' },
      });
      c.text('policy.yaml', `${policy({ github: approved })}]\n`);
      const at = c.find('policy.yaml', ']');
      c.review({
        ...complete,
        observed: 'github.observed.json',
        policy: 'policy.yaml',
        verdict: INCONCLUSIVE,
        inconclusive: [remark('document_invalid', at)],
      });
      c.problem('yaml_syntax', at);
    },
  ],
  [
    'pairing-by-hand',
    (c) => {
      // The named baseline wins over the nearer one, which is named in turn because it says something else.
      write(c, {
        'elsewhere/github.declared.json': declared(more),
        'github.declared.json': declared(tools),
        'github.observed.json': observed(more),
        'pairing.json': { observed: 'github.observed.json', declared: 'elsewhere/github.declared.json' },
      });
      c.review({
        ...complete,
        observed: 'github.observed.json',
        declared: 'elsewhere/github.declared.json',
        verdict: COVERAGE,
        warnings: [remark('other_baseline_differs', c.at('github.declared.json', ...digestAt))],
      });
    },
  ],
];
