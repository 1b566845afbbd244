import assert from 'node:assert/strict';
import { sha256 } from '../../src/desktop/sha256';
import { readText } from '../../src/engine/manifest/read';
import { planAcceptance, type Promotion, type Refusal } from '../../src/engine/promote/plan';
import { review } from '../../src/engine/verdict/review';
import { pair } from '../../src/workspace/pairing';
import {
  declared,
  type Entry,
  manifestDigest,
  notObserved,
  observed,
  ordinary,
  policy,
  privileged,
  withFields,
} from '../support/documents';
import { type Json, layOut } from '../support/layout';
import { readAs } from '../support/read';

const OBSERVED = 'file:///w/github.observed.json';
const BASELINE = 'file:///w/github.declared.json';
const POLICY = 'file:///w/policy.yaml';

const zero = `sha256:${'0'.repeat(64)}`;
const search = ordinary('search');
const searchNow = withFields(ordinary('search', { description: 'Does another thing.' }));
const fetch = ordinary('web.fetch');
const key = privileged('github.add_deploy_key');
const gone = ordinary('gone');

interface Documents {
  readonly observed?: Json;
  readonly baseline?: Json | null;
  readonly policy?: string;
  readonly reviewed?: string;
}

/** Plans accepting tools; unless it is said otherwise one is changed, one is new and one is gone. */
function plan(tools: readonly string[], documents: Documents = {}) {
  const {
    observed: record = observed([key, searchNow, fetch]),
    baseline = declared([search, gone, fetch]),
    policy: rules,
    reviewed,
  } = documents;
  const target = {
    declared: baseline === null ? null : readAs('declared', BASELINE, baseline),
    policy: rules === undefined ? null : readAs('policy', POLICY, rules),
    newBaseline: 'file:///w/new.declared.json',
  };
  return planAcceptance(readAs('observed', OBSERVED, record), target, tools, reviewed ?? null, sha256);
}

function planned(tools: readonly string[], documents?: Documents): Promotion {
  const result = plan(tools, documents);
  assert.ok(typeof result !== 'string', `refused: ${JSON.stringify(result)}`);
  return result;
}

/** The text of the only file that accepting writes; empty when there is none. */
function written(tools: readonly string[], documents?: Documents): string {
  const [file, ...more] = planned(tools, documents).files;
  assert.deepEqual(more, []);
  return file?.after ?? '';
}

const baselineOf = (...tools: readonly Entry[]) => layOut(declared(tools)).text;

describe('accepting a tool', () => {
  it('replaces its entry alone', () => {
    assert.equal(written(['search']), baselineOf(searchNow, gone, fetch));
  });

  it('adds it and moves no other', () => {
    assert.equal(written([key.name]), baselineOf(search, gone, fetch, key));
  });

  it('removes it', () => {
    assert.equal(written(['gone']), baselineOf(search, fetch));
  });

  it('of several takes them all at once, in whatever order they are named', () => {
    const all = ['gone', key.name, 'search'];
    assert.equal(written(all), baselineOf(searchNow, fetch, key));
    assert.equal(written([...all].reverse()), written(all));
  });

  it('that is named twice takes it once', () => {
    for (const tool of ['search', key.name, 'gone']) assert.equal(written([tool, tool]), written([tool]));
  });

  it('that is as approved, or none at all, writes nothing', () => {
    for (const tools of [['web.fetch'], []]) {
      const { files, tools: changes, manifestDigest: digest } = planned(tools);
      assert.deepEqual([files, changes], [[], []]);
      assert.equal(digest, manifestDigest([search, gone, fetch]));
    }
  });

  it('recomputes the digest of what is then approved, and tells what it accepts', () => {
    const { manifestDigest: digest, tools, serverId } = planned(['search', 'gone', key.name]);
    assert.equal(digest, manifestDigest([key, searchNow, fetch]));
    assert.equal(serverId, 'github');
    assert.deepEqual(tools, [
      { tool: 'search', change: 'changed', privileged: false },
      { tool: key.name, change: 'added', privileged: true },
      { tool: 'gone', change: 'removed', privileged: false },
    ]);
  });

  it('leaves every other finding as it was', () => {
    const codes = (baseline: string) =>
      review(
        {
          serverId: 'github',
          observed: readAs('observed', OBSERVED, observed([key, searchNow, fetch])),
          declared: [readAs('declared', BASELINE, baseline)],
          policies: [],
          others: [],
        },
        sha256,
      ).findings.map(({ code, tool }) => [tool, code]);
    const all = codes(baselineOf(search, gone, fetch));
    assert.equal(all.length, 3);
    for (const tool of ['search', 'gone', key.name]) {
      assert.deepEqual(
        codes(written([tool])),
        all.filter(([name]) => name !== tool),
      );
    }
  });

  it('keeps the unknown keys of the document and of the entry', () => {
    const before = { note: 'June', ...declared([{ ...search, by: 'someone' }, gone, fetch]), last: 1.0 };
    const after = { note: 'June', ...declared([{ ...searchNow, by: 'someone' }, gone, fetch]), last: 1.0 };
    assert.equal(written(['search'], { baseline: before }), layOut(after).text);
  });

  it('updates the policy together with the baseline', () => {
    const before = manifestDigest([search, gone, fetch]);
    const rules = `# approved\n${policy({ other: zero, github: before })}`;
    const { files, manifestDigest: digest } = planned(['search', 'gone'], { policy: rules });
    assert.equal(digest, manifestDigest([searchNow, fetch]));
    assert.deepEqual(files, [
      {
        uri: BASELINE,
        before: layOut(declared([search, gone, fetch])).text,
        after: baselineOf(searchNow, fetch),
      },
      { uri: POLICY, before: rules, after: rules.replace(before, digest) },
    ]);
    const documents = [
      readAs('observed', OBSERVED, observed([searchNow, fetch])),
      ...files.map(({ uri, after }) => readText(uri, after)),
    ];
    const [paired] = pair({
      folder: { uri: 'file:///w', name: 'w' },
      documents: documents.filter((document) => document !== null),
      pairings: [],
      whole: false,
    });
    assert.ok(paired);
    assert.equal(review(paired.input, sha256).verdict, 'no_finding');
  });

  it('takes what an incomplete observation shows, and no more', () => {
    for (const completeness of ['partial', 'unknown']) {
      const record = observed([key, searchNow], { block: { tools_list_complete: completeness } });
      assert.equal(
        written(['search', key.name], { observed: record }),
        baselineOf(searchNow, gone, fetch, key),
      );
      assert.equal(plan(['gone'], { observed: record }), 'removal_not_observed');
      assert.equal(plan(['search', 'gone'], { observed: record }), 'removal_not_observed');
    }
  });

  it('is bound to the observation that was reviewed', () => {
    const reviewed = manifestDigest([key, searchNow, fetch]);
    assert.equal(written(['gone'], { reviewed }), baselineOf(search, fetch));
    assert.equal(plan(['gone'], { reviewed: zero }), 'observation_changed');
  });

  it('may have a name that objects inherit', () => {
    const odd = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', ''].map((name) => ordinary(name));
    const documents = { observed: observed(odd), baseline: declared([]) };
    const names = odd.map(({ name }) => name);
    assert.equal(written(names, documents), baselineOf(...odd));
    assert.equal(written(names, { observed: observed([]), baseline: declared(odd) }), baselineOf());
    assert.equal(plan(['__proto__']), 'tool_unknown');
  });
});

describe('accepting a tool is refused', () => {
  const foreign = { canonicalization: 'example.other.v1' };
  const inBaseline = declared([search, gone, fetch]);
  const shared = `declared_mcp_manifests:\n  a: &x\n    manifest_digest: "${zero}"\n  github: *x\n`;
  const REFUSALS: readonly (readonly [Refusal, when: string, Documents, tools?: string[]])[] = [
    ['observed_invalid', 'when the observation is invalid', { observed: observed([], { status: 'seen' }) }],
    ['not_observed', 'when nothing was observed', { observed: notObserved() }],
    [
      'not_observed',
      'when no tools/list was observed',
      { observed: observed([searchNow], { block: { tools_list_observed: false } }) },
    ],
    ['names_not_unique', 'when observed names repeat', { observed: observed([search, searchNow]) }],
    [
      'names_not_unique',
      'when the observation is ambiguous',
      { observed: observed([searchNow], { status: 'ambiguous', block: { manifest_digest: null } }) },
    ],
    [
      'canonicalization_unknown',
      'when the observation has another canonicalization',
      { observed: observed([searchNow], { block: foreign }) },
    ],
    [
      'observed_inconsistent',
      'when the observation contradicts itself',
      { observed: observed([searchNow], { block: { tool_count: 2 } }) },
    ],
    [
      'observed_inconsistent',
      'when the observed digest does not recompute',
      { observed: observed([searchNow], { block: { manifest_digest: zero } }) },
    ],
    [
      'digest_not_recomputable',
      'when observed names were sanitised',
      { observed: observed([searchNow, ordinary('a\u{FFFD}')], { block: { manifest_digest: zero } }) },
    ],
    ['observation_changed', 'when another observation was reviewed', { reviewed: zero }],
    ['baseline_missing', 'without a baseline', { baseline: null }],
    ['baseline_missing', 'with a policy alone', { baseline: null, policy: policy({ github: zero }) }],
    [
      'baseline_invalid',
      'when the baseline is invalid',
      { baseline: declared([search], { more: { tools: 1 } }) },
    ],
    [
      'baseline_invalid',
      'when the baseline’s digest does not recompute',
      { baseline: declared([search], { more: { manifest_digest: zero } }) },
    ],
    ['baseline_invalid', 'when the baseline’s names repeat', { baseline: declared([search, searchNow]) }],
    [
      'server_differs',
      'when the baseline is another server’s',
      { baseline: declared([search], { id: 'gitlab' }) },
    ],
    [
      'canonicalization_unknown',
      'when the baseline has another canonicalization',
      { baseline: declared([search], { more: foreign }) },
    ],
    ['policy_invalid', 'when the policy is invalid', { policy: `${policy({ github: zero })}]` }],
    ['policy_invalid', 'when the policy’s entry is malformed', { policy: policy({ github: 'x' }) }],
    ['policy_invalid', 'when the policy does not name the server', { policy: policy({ gitlab: zero }) }],
    ['policy_entry_shared', 'when the policy’s digest is shared', { policy: shared }],
    ['tool_unknown', 'when nobody knows the tool', { baseline: inBaseline }, ['nobody']],
    ['tool_unknown', 'when nobody knows one of the tools', { baseline: inBaseline }, ['search', 'nobody']],
    [
      'removal_not_observed',
      'when a missing tool may be on a page not seen',
      { observed: observed([searchNow], { block: { tools_list_complete: 'unknown' } }) },
      ['gone'],
    ],
  ];
  for (const [refusal, when, documents, tools = ['search']] of REFUSALS) {
    it(`${when}: ${refusal}`, () => {
      assert.equal(plan(tools, documents), refusal);
    });
  }
});
