import assert from 'node:assert/strict';
import { sha256 } from '../../src/desktop/sha256';
import {
  planPromotion,
  type Promotion,
  recomputeBaseline,
  type Refusal,
} from '../../src/engine/promote/plan';
import { readText } from '../../src/engine/manifest/read';
import { pair } from '../../src/workspace/pairing';
import { promotionTarget } from '../../src/workspace/target';
import { review } from '../../src/engine/verdict/review';
import {
  classified,
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
import { type Json, type JsonObject, layOut } from '../support/layout';
import { readAs } from '../support/read';

const OBSERVED = 'file:///w/github.observed.json';
const BASELINE = 'file:///w/github.declared.json';
const POLICY = 'file:///w/policy.yaml';

const search = ordinary('search');
const searchNow = ordinary('search', { description: 'Does another thing.' });
const fetch = ordinary('web.fetch');
const key = privileged('github.add_deploy_key');
const zero = `sha256:${'0'.repeat(64)}`;

interface Documents {
  readonly observed?: Json;
  readonly baseline?: Json;
  readonly policy?: string;
  readonly reviewed?: string;
}

/** Plans a promotion of documents that belong together. */
function plan({
  observed: record = observed([key, searchNow]),
  baseline,
  policy: rules,
  reviewed,
}: Documents) {
  const target = {
    declared: baseline === undefined ? null : readAs('declared', BASELINE, baseline),
    policy: rules === undefined ? null : readAs('policy', POLICY, rules),
    newBaseline: 'file:///w/new.declared.json',
  };
  return planPromotion(readAs('observed', OBSERVED, record), target, reviewed ?? null, sha256);
}

/** As {@link plan}; the plan must not be a refusal. */
function planned(documents: Documents): Promotion {
  const result = plan(documents);
  assert.ok(typeof result !== 'string', `refused: ${JSON.stringify(result)}`);
  return result;
}

/** The text of the only file a promotion writes. */
function written(documents: Documents): string {
  const [file, ...more] = planned(documents).files;
  assert.deepEqual(more, []);
  return file?.after ?? '';
}

/** What a review finds after the files of a promotion are written. */
function verdictAfter(documents: Documents) {
  const record = documents.observed ?? observed([key, searchNow]);
  const read = planned(documents).files.map(({ uri, after }) => readText(uri, after));
  const [{ input } = { input: null }] = pair({
    folder: { uri: 'file:///w', name: 'w' },
    documents: [readAs('observed', OBSERVED, record), ...read.filter((document) => document !== null)],
    pairings: [],
    whole: true,
  });
  assert.ok(input);
  const { verdict, findings, inconclusive, warnings } = review(input, sha256);
  return { verdict, rest: [...findings, ...inconclusive, ...warnings].map(({ code }) => code) };
}

const NO_FINDING = { verdict: 'no_finding', rest: [] };

describe('promoting', () => {
  it('without a baseline makes a new one in the specification’s key order', () => {
    const tools = [
      withFields(classified('github.add_deploy_key', 'github_deploy_key')),
      classified('search', null),
      fetch,
    ];
    const { files, manifestDigest: digest, serverId } = planned({ observed: observed(tools) });
    const [file] = files;
    assert.equal(digest, manifestDigest(tools));
    assert.equal(serverId, 'github');
    assert.deepEqual(files, [{ uri: 'file:///w/new.declared.json', before: null, after: file?.after }]);
    assert.equal(file?.after, layOut(declared(tools)).text);
    assert.deepEqual(verdictAfter({ observed: observed(tools) }), NO_FINDING);
  });

  it('copies only the keys of an entry, none that is unknown', () => {
    const tool: Entry = { ...search, title: 'Search', _meta: {} };
    assert.equal(written({ observed: observed([tool]) }), layOut(declared([search])).text);
  });

  it('tells what it accepts', () => {
    const baseline = declared([ordinary('gone'), privileged('gone.invite'), key, search]);
    const { tools } = planned({
      baseline,
      observed: observed([{ ...key, privileged: false }, searchNow, fetch]),
    });
    assert.deepEqual(tools, [
      { tool: 'github.add_deploy_key', change: 'changed', privileged: true },
      { tool: 'search', change: 'changed', privileged: false },
      { tool: 'web.fetch', change: 'added', privileged: false },
      { tool: 'gone', change: 'removed', privileged: false },
      { tool: 'gone.invite', change: 'removed', privileged: true },
    ]);
  });

  it('over an equal baseline writes nothing', () => {
    const { files, tools } = planned({ observed: observed([search]), baseline: declared([search]) });
    assert.deepEqual([files, tools], [[], []]);
  });

  it('updates the baseline and the policy together', () => {
    const documents = {
      baseline: declared([key, search]),
      policy: policy({ github: manifestDigest([key, search]) }),
    };
    assert.deepEqual(
      planned(documents).files.map(({ uri }) => uri),
      [BASELINE, POLICY],
    );
    assert.deepEqual(verdictAfter(documents), NO_FINDING);
  });

  it('mends a baseline whose digest does not recompute', () => {
    const baseline = declared([search], { more: { manifest_digest: zero } });
    assert.deepEqual(verdictAfter({ baseline }), NO_FINDING);
    assert.deepEqual(verdictAfter({ baseline: declared([search, searchNow]) }), NO_FINDING);
  });

  it('takes the canonicalization along', () => {
    const baseline = declared([search], { more: { canonicalization: 'example.other.v1' } });
    assert.deepEqual(verdictAfter({ baseline }), NO_FINDING);
  });
});

describe('a rewritten baseline', () => {
  const after = (baseline: string, tools: readonly Entry[]) =>
    written({ baseline, observed: observed(tools) });

  it('keeps unknown keys of the document and of its entries', () => {
    const more: JsonObject = { note: 'approved in June', reviewers: [{ name: 'someone' }] };
    const known = { ...search, reviewed_by: 'someone', links: [1, { a: null }] };
    const text = layOut({ ...more, ...declared([key, known]), last: 1.0 }).text;
    const expected = layOut({ ...more, ...declared([key, { ...known, ...searchNow }]), last: 1.0 }).text;
    assert.equal(after(text, [key, searchNow]), expected);
  });

  it('keeps the order of its keys and of its tools; new ones follow the one before them', () => {
    const { schema, server, canonicalization } = declared([]);
    const write = (tools: readonly Entry[]) =>
      layOut({ tools, manifest_digest: manifestDigest(tools), canonicalization, server, schema }).text;
    const [a, b, c, d, e] = ['a', 'b', 'c', 'd', 'e'].map((name) => ordinary(name));
    assert.ok(a && b && c && d && e);
    assert.equal(after(write([d, b]), [a, b, c, d, e]), write([a, d, e, b, c]));
    assert.equal(after(write([d, c, b]), [b, d]), write([d, b]));
  });

  it('keeps entries that stay the same to the letter', () => {
    const odd = `{"privileged":false,  "name": "web.fetch",\n  "tool_digest":"${fetch.tool_digest}" }`;
    const text = layOut(declared([search, fetch])).text.replace(/\{\s+"name": "web\.fetch"[^}]+\}/, odd);
    assert.ok(text.includes(odd));
    const result = after(text, [searchNow, fetch]);
    assert.ok(result.includes(odd));
    assert.notEqual(result, text);
  });

  for (const [name, indent] of [
    ['tabs', '\t'],
    ['four blanks', '    '],
    ['one blank', ' '],
  ] as const) {
    it(`keeps an indentation by ${name}`, () => {
      const write = (tools: readonly Entry[]) => `${JSON.stringify(declared(tools), null, indent)}\n`;
      assert.equal(after(write([key, search]), [key, searchNow, fetch]), write([key, searchNow, fetch]));
      assert.equal(after(write([]), [search]), write([search]));
      assert.equal(after(write([search]), []), write([]));
    });
  }

  it('keeps carriage returns', () => {
    const write = (tools: readonly Entry[]) => layOut(declared(tools)).text.replaceAll('\n', '\r\n');
    const entry = withFields(search);
    assert.equal(after(write([key, entry]), [key, searchNow, fetch]), write([key, searchNow, fetch]));
    assert.equal(after(write([key]), [key, entry]), write([key, entry]));
    assert.equal(after(write([]), [entry]), write([entry]));
  });

  it('keeps a layout on one line', () => {
    const write = (tools: readonly Entry[]) => JSON.stringify(declared(tools));
    assert.equal(after(write([key, search]), [key, searchNow, fetch]), write([key, searchNow, fetch]));
    assert.equal(after(write([]), [search, fetch]), write([search, fetch]));
    assert.equal(after(write([search]), []), write([]));
  });

  it('keeps a line for each entry', () => {
    const write = (tools: readonly Entry[]) => {
      const head = { ...declared(tools), tools: undefined };
      const lines = tools.map((tool) => `    ${JSON.stringify(tool)}`).join(',\n');
      return `${JSON.stringify(head, null, 2).slice(0, -2)},\n  "tools": [\n${lines}\n  ]\n}\n`;
    };
    assert.equal(after(write([key, search]), [key, searchNow, fetch]), write([key, searchNow, fetch]));
  });

  it('ends as it ended, with or without a newline', () => {
    const text = layOut(declared([search])).text;
    assert.ok(after(text, [searchNow]).endsWith('}\n'));
    assert.ok(after(text.trimEnd(), [searchNow]).endsWith('}'));
  });

  it('is a baseline that finds nothing, whatever changed', () => {
    const POOL = [key, search, searchNow, fetch, withFields(ordinary('a')), ordinary('__proto__')];
    const sets = [
      [],
      [search],
      [key, fetch],
      [searchNow, ...POOL.slice(3)],
      POOL.filter((t) => t !== search),
    ];
    for (const before of sets) {
      for (const now of sets) {
        for (const text of [JSON.stringify(declared(before)), layOut(declared(before)).text]) {
          const baseline = readAs('declared', BASELINE, after(text, now) || text);
          assert.deepEqual(baseline.problems, []);
          const { verdict } = review(
            {
              serverId: 'github',
              observed: readAs('observed', OBSERVED, observed(now)),
              declared: [baseline],
              policies: [],
              others: [],
            },
            sha256,
          );
          assert.equal(verdict, 'no_finding');
        }
      }
    }
  });
});

describe('a rewritten policy', () => {
  const tools = [search];
  const now = manifestDigest(tools);
  const after = (text: string, uri = POLICY) => {
    const target = { declared: null, policy: readAs('policy', uri, text), newBaseline: '' };
    const result = planPromotion(readAs('observed', OBSERVED, observed(tools)), target, null, sha256);
    return typeof result === 'string' ? result : (result.files[0]?.after ?? null);
  };

  it('changes the one digest and nothing else', () => {
    const write = (digest: string) => `# Approved baselines
mcp_manifest_partial_observation: warning # lenient
declared_mcp_manifests:

  gitlab: { manifest_digest: "${zero}" } # other
  github:
    # v0.0.63, approved in June
    approved_by: someone
    manifest_digest: ${digest} # the digest
...
`;
    for (const quote of ['', '"', "'"]) {
      assert.equal(after(write(quote + zero + quote)), write(quote + now + quote));
    }
    const crlf = write(`"${zero}"`).replaceAll('\n', '\r\n');
    assert.equal(after(crlf), crlf.replace(/(someone\r\n.*)sha256:0+/, `$1${now}`));
  });

  it('may be JSON', () => {
    const write = (digest: string) =>
      `{"declared_mcp_manifests":{"a":{"manifest_digest":"${zero}"},\n\t"github" : {"x":1, "manifest_digest" : "${digest}"} }}`;
    assert.equal(after(write(zero), 'file:///w/policy.json'), write(now));
  });

  it('that says so already is left as it is', () => {
    assert.equal(after(policy({ github: now })), null);
  });

  it('is not written to where an alias shares the digest', () => {
    const shared = [
      `declared_mcp_manifests:\n  gitlab: &x\n    manifest_digest: "${zero}"\n  github: *x\n`,
      `declared_mcp_manifests:\n  github: &x\n    manifest_digest: "${zero}"\n  gitlab: *x\n`,
      `d: &d "${zero}"\ndeclared_mcp_manifests:\n  github:\n    manifest_digest: *d\n`,
      `declared_mcp_manifests:\n  github:\n    manifest_digest: &d "${zero}"\n`,
    ];
    for (const text of shared) assert.equal(after(text), 'policy_entry_shared', text);
  });

  it('is not written to where the digest is not written out plainly', () => {
    assert.equal(
      after(`declared_mcp_manifests:\n  github:\n    manifest_digest: >-\n      ${zero}\n`),
      'policy_entry_shared',
    );
    assert.equal(
      after(`declared_mcp_manifests:\n  github:\n    manifest_digest: "\\x73${zero.slice(1)}"\n`),
      'policy_entry_shared',
    );
  });
});

describe('promoting is refused', () => {
  const duplicates = [search, searchNow];
  const sanitised = observed([ordinary('a\u{FFFD}')], { block: { manifest_digest: zero } });
  const REFUSALS: readonly (readonly [Refusal, string, Documents])[] = [
    ['observed_invalid', 'when the document is invalid', { observed: observed([], { status: 'seen' }) }],
    ['not_observed', 'when nothing was observed', { observed: notObserved() }],
    [
      'not_observed',
      'when no tools/list was observed',
      { observed: observed([search], { block: { tools_list_observed: false } }) },
    ],
    [
      'names_not_unique',
      'when the status is ambiguous',
      { observed: observed(duplicates, { status: 'ambiguous', block: { manifest_digest: null } }) },
    ],
    ['names_not_unique', 'when names repeat', { observed: observed(duplicates) }],
    [
      'observed_inconsistent',
      'when a count is wrong',
      { observed: observed([search], { block: { tool_count: 2 } }) },
    ],
    [
      'observed_inconsistent',
      'when the digest does not recompute',
      { observed: observed([search], { block: { manifest_digest: zero } }) },
    ],
    ['digest_not_recomputable', 'when names were sanitised', { observed: sanitised }],
    [
      'canonicalization_unknown',
      'when the canonicalization is another',
      { observed: observed([search], { block: { canonicalization: 'example.other.v1' } }) },
    ],
    [
      'observation_incomplete',
      'when pages are missing',
      { observed: observed([search], { block: { tools_list_complete: 'partial' } }) },
    ],
    [
      'observation_incomplete',
      'when completeness is unknown',
      { observed: observed([search], { block: { tools_list_complete: 'unknown' } }) },
    ],
    ['observation_changed', 'when another digest was reviewed', { reviewed: zero }],
    [
      'baseline_invalid',
      'when the baseline is invalid',
      { baseline: declared([], { more: { canonicalization: 5 } }) },
    ],
    ['server_differs', 'when the baseline is another server’s', { baseline: declared([], { id: 'gitlab' }) }],
    ['policy_invalid', 'when the policy is invalid', { policy: `${policy({ github: zero })}]` }],
    ['policy_invalid', 'when the policy’s entry is malformed', { policy: policy({ github: 'x' }) }],
    ['policy_invalid', 'when the policy has no entry', { policy: policy({ gitlab: zero }) }],
  ];
  for (const [refusal, when, documents] of REFUSALS) {
    it(when, () => {
      assert.equal(plan(documents), refusal);
    });
  }

  it('when one of two baselines cannot be written, and then neither is', () => {
    assert.equal(plan({ baseline: declared([search]), policy: policy({ github: 'x' }) }), 'policy_invalid');
  });

  it('but not when the digest that was reviewed still holds', () => {
    const reviewed = manifestDigest([key, searchNow]);
    assert.equal(planned({ reviewed }).manifestDigest, reviewed);
  });

  it('but not for an observation without a digest of its own', () => {
    const record = observed([search], { block: { manifest_digest: undefined } });
    assert.equal(planned({ observed: record }).manifestDigest, manifestDigest([search]));
  });
});

describe('the target of a promotion', () => {
  const target = (path: string, ...others: ReturnType<typeof readText>[]) => {
    const documents = [readText(`file:///w/${path}`, layOut(observed([search])).text), ...others];
    const [paired] = pair({
      folder: { uri: 'file:///w', name: 'w' },
      documents: documents.filter((document) => document !== null),
      pairings: [],
      whole: true,
    });
    assert.ok(paired);
    return promotionTarget({ ...paired, result: review(paired.input, sha256) });
  };

  it('is a new file beside the observation when nothing applies', () => {
    const NAMES: readonly (readonly [string, string])[] = [
      ['a.observed.json', 'a.declared.json'],
      ['x/github.mcp.json', 'x/github.mcp.declared.json'],
      ['a.OBSERVED.JSON', 'a.declared.json'],
      ['notes', 'notes.declared.json'],
    ];
    for (const [name, expected] of NAMES) {
      assert.deepEqual(target(name), { declared: null, policy: null, newBaseline: `file:///w/${expected}` });
    }
  });

  it('is every baseline that applies', () => {
    const baseline = readAs('declared', BASELINE, declared([search]));
    const rules = readAs('policy', POLICY, policy({ github: zero }));
    const found = target('a.observed.json', baseline, rules);
    assert.ok(typeof found !== 'string');
    assert.equal(found.declared, baseline);
    assert.equal(found.policy, rules);
  });

  it('is none when baselines that are as near disagree', () => {
    const one = readAs('declared', 'file:///w/1.declared.json', declared([search]));
    const two = readAs('declared', 'file:///w/2.declared.json', declared([fetch]));
    assert.equal(target('a.observed.json', one, two), 'several_baselines');
  });

  it('is none without an observation', () => {
    const documents = [readAs('declared', BASELINE, declared([search]))];
    const [paired] = pair({ folder: { uri: 'file:///w', name: 'w' }, documents, pairings: [], whole: true });
    assert.ok(paired);
    assert.equal(promotionTarget({ ...paired, result: review(paired.input, sha256) }), 'not_observed');
  });
});

describe('a baseline’s digest recomputed', () => {
  it('is that of its tools, and stands where the stated one stands', () => {
    const text = layOut(declared([key, search], { more: { manifest_digest: zero } })).text;
    const found = recomputeBaseline(readAs('declared', BASELINE, text), sha256);
    assert.equal(found?.digest, manifestDigest([key, search]));
    assert.equal(text.slice(found.at.start, found.at.end), `"${zero}"`);
  });

  it('is nothing for an invalid document', () => {
    assert.equal(
      recomputeBaseline(readAs('declared', BASELINE, declared([], { more: { tools: 1 } })), sha256),
      null,
    );
  });
});
