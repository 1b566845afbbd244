// Semantics 1: how documents are read.
import {
  CLEAN,
  type CaseWriter,
  type Definition,
  finding,
  INCONCLUSIVE,
  PENDING,
  remark,
  top,
} from '../caseWriter';
import type { Located } from '../cases';
import { declared, manifestDigest, observed, ordinary, policy, privileged, withFields } from '../documents';
import { type Json, type Path, withValue } from '../layout';
import { BASELINE, coarse, coarseReview, OBSERVATION, perTool, perToolReview, POLICY } from './setups';

const search = ordinary('search');
const searchNow = ordinary('search', { description: 'Does another thing.' });
const tools = [search];
const approved = manifestDigest(tools);
const other = manifestDigest([searchNow]);
const complete = { tools_list_complete: 'complete' };

/** A document written on one line, as `JSON.stringify` prints it. */
const oneLine = (value: Json) => JSON.stringify(value);

/** The observation cannot be read, so it pairs with nothing and its server's baseline has no observation. */
function unreadableObservation(c: CaseWriter, code: string, at: Located): void {
  c.json(BASELINE, declared(tools));
  c.review({
    declared: BASELINE,
    verdict: INCONCLUSIVE,
    inconclusive: [remark('observed_manifest_missing', c.at(BASELINE, 'server', 'id'))],
  });
  c.review({
    server: null,
    observed: OBSERVATION,
    verdict: INCONCLUSIVE,
    inconclusive: [remark('document_invalid', at)],
  });
  c.problem(code, at);
}

/** The observation says whose it is, but cannot be used: its own review is inconclusive. */
function invalidObservation(c: CaseWriter, code: string, at: Located): void {
  c.json(BASELINE, declared(tools));
  c.review({ ...perToolReview, verdict: INCONCLUSIVE, inconclusive: [remark('document_invalid', at)] });
  c.problem(code, at);
}

/** The baseline says whose it is, but cannot be used. */
function invalidBaseline(c: CaseWriter, code: string, at: Located): void {
  c.json(OBSERVATION, observed(tools));
  c.review({
    ...perToolReview,
    ...complete,
    verdict: INCONCLUSIVE,
    inconclusive: [remark('document_invalid', at)],
  });
  c.problem(code, at);
}

/** A baseline or a policy that cannot be read: a review of its own, and the observation has no baseline. */
function unreadableBaseline(c: CaseWriter, kind: 'declared' | 'policy', code: string, at: Located): void {
  c.json(OBSERVATION, observed(tools));
  const noBaseline = {
    ...complete,
    observed: OBSERVATION,
    verdict: INCONCLUSIVE,
    inconclusive: [remark('no_declared_baseline', c.at(OBSERVATION, 'server', 'id'))],
  };
  const invalid = {
    server: null,
    [kind]: at.path,
    verdict: INCONCLUSIVE,
    inconclusive: [remark('document_invalid', at)],
  };
  for (const review of at.path < OBSERVATION ? [invalid, noBaseline] : [noBaseline, invalid])
    c.review(review);
  c.problem(code, at);
}

const ENCODINGS: readonly Definition[] = [
  [
    'document-bom',
    (c) => {
      const text = oneLine(observed([searchNow]));
      c.text(OBSERVATION, text, Buffer.from(`\u{FEFF}${text}`));
      c.json(BASELINE, declared(tools));
      // On the first line a mark that counted as a character would shift the column.
      const at = c.find(OBSERVATION, '"search"');
      c.review({
        ...perToolReview,
        ...complete,
        verdict: PENDING,
        findings: [
          finding('mcp_tool_changed', 'medium', 'search', false, at, {
            notes: ['field_attribution_unavailable'],
          }),
        ],
      });
    },
  ],
  [
    'document-bom-policy',
    (c) => {
      const text = 'declared_mcp_manifests: { github: { manifest_digest: nothing } }\n';
      c.json(OBSERVATION, observed(tools));
      c.text(POLICY, text, Buffer.from(`\u{FEFF}${text}`));
      const at = c.find(POLICY, 'nothing');
      c.review({
        ...coarseReview,
        ...complete,
        verdict: INCONCLUSIVE,
        inconclusive: [remark('document_invalid', at)],
      });
      c.problem('policy_entry_malformed', at);
    },
  ],
  ...(['utf16le', 'utf16be'] as const).map((encoding): Definition => [
    `document-${encoding}`,
    (c) => {
      const text = `\u{FEFF}${oneLine(observed(tools))}`;
      const bytes = Buffer.from(text, 'utf16le');
      c.text(OBSERVATION, text, encoding === 'utf16le' ? bytes : bytes.swap16());
      unreadableObservation(c, 'encoding_not_utf8', top(OBSERVATION));
    },
  ]),
  [
    'document-utf16le-without-mark',
    (c) => {
      const text = oneLine(declared(tools));
      c.text(BASELINE, text, Buffer.from(text, 'utf16le'));
      unreadableBaseline(c, 'declared', 'encoding_not_utf8', top(BASELINE));
    },
  ],
  [
    'document-utf16le-policy',
    (c) => {
      const text = `\u{FEFF}${policy({ github: approved })}`;
      c.text(POLICY, text, Buffer.from(text, 'utf16le'));
      unreadableBaseline(c, 'policy', 'encoding_not_utf8', top(POLICY));
    },
  ],
  [
    'document-undecodable',
    (c) => {
      const text = oneLine(observed([ordinary('search?')]));
      const bytes = Buffer.from(text);
      bytes[bytes.indexOf('?')] = 0xff;
      c.text(OBSERVATION, text, bytes);
      unreadableObservation(c, 'encoding_not_utf8', top(OBSERVATION));
    },
  ],
];

/** One line of text put before a line of a document in the usual layout. */
function insertLine(value: Json, before: string, line: string): string {
  return JSON.stringify(value, null, 2).replace(before, `${line}\n${before}`) + '\n';
}

const DUPLICATES: readonly Definition[] = [
  [
    'document-duplicate-key-observed',
    (c) => {
      c.text(OBSERVATION, insertLine(observed(tools), '  "status"', '  "status": "ambiguous",'));
      invalidObservation(c, 'duplicate_key', c.find(OBSERVATION, '"status"', 2));
    },
  ],
  [
    'document-duplicate-key-declared',
    (c) => {
      // A person reads the first name, a parser keeps the last.
      c.text(BASELINE, insertLine(declared(tools), '      "name"', '      "name": "find",'));
      invalidBaseline(c, 'duplicate_key', c.find(BASELINE, '"name"', 2));
    },
  ],
  [
    'document-duplicate-key-in-unknown-data',
    (c) => {
      c.text(OBSERVATION, insertLine(observed(tools), '  "status"', '  "note": [{ "a": 1, "a": 1 }],'));
      invalidObservation(c, 'duplicate_key', c.find(OBSERVATION, '"a"', 2));
    },
  ],
  [
    'document-duplicate-key-escaped',
    (c) => {
      c.text(OBSERVATION, insertLine(observed(tools), '  "status"', '  "st\\u0061tus": "ambiguous",'));
      invalidObservation(c, 'duplicate_key', c.find(OBSERVATION, '"status"'));
    },
  ],
  [
    'document-duplicate-schema-key',
    (c) => {
      // Its first schema says observed; that the last says something else must not make it vanish.
      const text = insertLine(observed(tools), '  "status"', '  "schema": "example.other.v1",');
      c.text(OBSERVATION, text);
      invalidObservation(c, 'duplicate_key', c.find(OBSERVATION, '"schema"', 2));
    },
  ],
  [
    'document-duplicate-key-policy-json',
    (c) => {
      const entry = (digest: string) => `    "github": { "manifest_digest": "${digest}" }`;
      c.json(OBSERVATION, observed(tools));
      c.text(
        'policy.json',
        `{\n  "declared_mcp_manifests": {\n${entry(other)},\n${entry(approved)}\n  }\n}\n`,
      );
      const at = c.find('policy.json', '"github"', 2);
      c.review({
        ...complete,
        observed: OBSERVATION,
        policy: 'policy.json',
        verdict: INCONCLUSIVE,
        inconclusive: [remark('document_invalid', at)],
      });
      c.problem('duplicate_key', at);
    },
  ],
  [
    'document-duplicate-key-policy-yaml',
    (c) => {
      c.text(
        POLICY,
        `${policy({ github: other })}${policy({ github: approved }).split('\n').slice(1).join('\n')}`,
      );
      c.json(OBSERVATION, observed(tools));
      const at = c.find(POLICY, 'github', 2);
      c.review({
        ...complete,
        observed: OBSERVATION,
        policy: POLICY,
        verdict: INCONCLUSIVE,
        inconclusive: [remark('document_invalid', at)],
      });
      c.problem('duplicate_key', at);
    },
  ],
];

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
const note = (text: string) => `  "note": ${text},`;

const LIMITS: readonly Definition[] = [
  [
    'document-depth-127',
    (c) => {
      c.text(OBSERVATION, insertLine(observed(tools), '  "status"', note(nested(126))));
      c.json(BASELINE, declared(tools));
      c.review({ ...perToolReview, ...complete, verdict: CLEAN });
    },
  ],
  [
    'document-depth-128',
    (c) => {
      c.text(OBSERVATION, insertLine(observed(tools), '  "status"', note(nested(127))));
      const { path, line, column } = c.find(OBSERVATION, '[[');
      unreadableObservation(c, 'nesting_too_deep', { path, line, column: column + 126 });
    },
  ],
  [
    'document-depth-127-policy-yaml',
    (c) => {
      c.json(OBSERVATION, observed(tools));
      c.text(POLICY, policy({ github: approved }, `note: ${nested(126)}\n`));
      c.review({ ...coarseReview, ...complete, verdict: CLEAN });
    },
  ],
  [
    'document-depth-128-policy-yaml',
    (c) => {
      c.json(OBSERVATION, observed(tools));
      c.text(POLICY, policy({ github: approved }, `note: ${nested(127)}\n`));
      const { path, line, column } = c.find(POLICY, '[[');
      const at = { path, line, column: column + 126 };
      c.review({
        ...coarseReview,
        ...complete,
        verdict: INCONCLUSIVE,
        inconclusive: [remark('document_invalid', at)],
      });
      c.problem('nesting_too_deep', at);
    },
  ],
  [
    'document-number-beyond-range',
    (c) => {
      c.text(OBSERVATION, insertLine(observed(tools), '  "status"', note('1e400')));
      invalidObservation(c, 'number_out_of_range', c.find(OBSERVATION, '1e400'));
    },
  ],
  [
    'document-number-beyond-range-negative',
    (c) => {
      c.text(BASELINE, insertLine(declared(tools), '  "tools"', note('[0, -1e400]')));
      invalidBaseline(c, 'number_out_of_range', c.find(BASELINE, '-1e400'));
    },
  ],
  [
    'document-number-beyond-range-policy-yaml',
    (c) => {
      c.json(OBSERVATION, observed(tools));
      c.text(POLICY, policy({ github: approved }, 'note: 1e400\n'));
      const at = c.find(POLICY, '1e400');
      c.review({
        ...coarseReview,
        ...complete,
        verdict: INCONCLUSIVE,
        inconclusive: [remark('document_invalid', at)],
      });
      c.problem('number_out_of_range', at);
    },
  ],
  [
    'document-lone-surrogate-value',
    (c) => {
      const text = JSON.stringify(observed(tools), null, 2).replace('"search"', '"search\\ud83d"');
      c.text(OBSERVATION, `${text}\n`);
      invalidObservation(c, 'lone_surrogate', c.find(OBSERVATION, '"search'));
    },
  ],
  [
    'document-lone-surrogate-key',
    (c) => {
      c.text(BASELINE, insertLine(declared(tools), '  "tools"', '  "\\udd11 note": 1,'));
      invalidBaseline(c, 'lone_surrogate', c.find(BASELINE, '"\\udd11'));
    },
  ],
  [
    'document-surrogate-pair',
    (c) => {
      // An escaped pair is one character, the same as the character itself.
      const name = 'search\u{1F511}';
      const text = JSON.stringify(observed([ordinary(name)]), null, 2).replace('\u{1F511}', '\\ud83d\\udd11');
      c.text(OBSERVATION, `${text}\n`);
      c.json(BASELINE, declared([ordinary(name)]));
      c.review({ ...perToolReview, ...complete, verdict: CLEAN });
    },
  ],
  [
    'document-integer-not-exact',
    (c) => {
      const numbers = '[9007199254740991, -9007199254740991, 9007199254740992, -9007199254740993]';
      c.text(OBSERVATION, insertLine(observed(tools), '  "status"', note(numbers)));
      c.json(BASELINE, declared(tools));
      c.review({ ...perToolReview, ...complete, verdict: CLEAN });
      c.problem('integer_not_exact', c.find(OBSERVATION, '9007199254740992'));
      c.problem('integer_not_exact', c.find(OBSERVATION, '-9007199254740993'));
    },
  ],
  [
    'document-integer-not-exact-policy-yaml',
    (c) => {
      c.json(OBSERVATION, observed(tools));
      c.text(POLICY, policy({ github: approved }, 'note: [9007199254740991, 9007199254740993]\n'));
      c.review({ ...coarseReview, ...complete, verdict: CLEAN });
      c.problem('integer_not_exact', c.find(POLICY, '9007199254740993'));
    },
  ],
];

/** Names that are keys of every JavaScript object. */
const INHERITED = ['__proto__', 'constructor', 'toString'] as const;

const INHERITED_NAMES: readonly Definition[] = [
  [
    'document-inherited-names-as-tools',
    (c) => {
      const names = [...INHERITED];
      perTool(
        c,
        observed(names.map((name) => ordinary(name, { description: 'New.' }))),
        declared(names.slice(1).map((name) => ordinary(name))),
      );
      const at = (index: number) => c.at(OBSERVATION, 'observed', 'tool_digests', index, 'name');
      const notes = ['field_attribution_unavailable'];
      c.review({
        ...perToolReview,
        ...complete,
        verdict: PENDING,
        findings: [
          finding('mcp_tool_added', 'medium', '__proto__', false, at(0)),
          finding('mcp_tool_changed', 'medium', 'constructor', false, at(1), { notes }),
          finding('mcp_tool_changed', 'medium', 'toString', false, at(2), { notes }),
        ],
      });
    },
  ],
  [
    'document-inherited-names-as-servers',
    (c) => {
      c.json('a.observed.json', observed(tools, { id: '__proto__' }));
      c.json('b.observed.json', observed(tools, { id: 'constructor' }));
      c.json('c.observed.json', observed(tools, { id: 'toString' }));
      c.json('policy.json', {
        declared_mcp_manifests: {
          ['__proto__']: { manifest_digest: approved },
          toString: { manifest_digest: other },
        },
      });
      c.review({
        ...complete,
        server: '__proto__',
        observed: 'a.observed.json',
        policy: 'policy.json',
        verdict: CLEAN,
      });
      c.review({
        ...complete,
        server: 'constructor',
        observed: 'b.observed.json',
        verdict: INCONCLUSIVE,
        inconclusive: [remark('no_declared_baseline', c.at('b.observed.json', 'server', 'id'))],
      });
      const drift = c.at('c.observed.json', 'observed', 'manifest_digest');
      c.review({
        ...complete,
        server: 'toString',
        observed: 'c.observed.json',
        policy: 'policy.json',
        verdict: PENDING,
        findings: [finding('mcp_tool_manifest_drift', 'medium', null, null, drift)],
      });
    },
  ],
  [
    'document-inherited-names-as-servers-yaml',
    (c) => {
      coarse(c, observed(tools, { id: '__proto__' }), approved);
      c.text(POLICY, policy({ ['__proto__']: other, constructor: approved }));
      const drift = c.at(OBSERVATION, 'observed', 'manifest_digest');
      c.review({
        ...coarseReview,
        ...complete,
        server: '__proto__',
        verdict: PENDING,
        findings: [finding('mcp_tool_manifest_drift', 'medium', null, null, drift)],
      });
      c.review({
        server: 'constructor',
        policy: POLICY,
        verdict: INCONCLUSIVE,
        inconclusive: [remark('observed_manifest_missing', { path: POLICY, line: 4, column: 3 })],
      });
    },
  ],
  [
    'document-inherited-names-as-unknown-keys',
    (c) => {
      const strange = { ['__proto__']: { status: 'not_observed' }, constructor: null, hasOwnProperty: 1 };
      perTool(c, observed(tools, { more: strange }), declared(tools, { more: strange }));
      c.review({ ...perToolReview, ...complete, verdict: CLEAN });
    },
  ],
];

const KINDS: readonly Definition[] = [
  [
    'document-no-kind-is-ignored',
    (c) => {
      perTool(c, observed(tools), declared(tools));
      c.json('package.observed.json', { name: 'not a manifest', schema: 'example.other.v1' });
      c.json('list.declared.json', ['assay']);
      c.json('.mcp/servers.json', { servers: { github: { command: 'npx' } } });
      c.text('broken.observed.json', '{ "name": not a manifest }\n');
      c.text('code-policy.yaml', 'rules: [one, two]\n');
      c.text('broken-policy.yaml', 'rules: [one, two\n');
      c.review({ ...perToolReview, ...complete, verdict: CLEAN });
    },
  ],
  [
    'document-kind-is-not-the-name',
    (c) => {
      // A baseline under an observation's name and the other way round: what they say counts.
      c.json('a.declared.json', observed([searchNow]));
      c.json('a.observed.json', declared(tools));
      c.review({
        ...complete,
        observed: 'a.declared.json',
        declared: 'a.observed.json',
        verdict: PENDING,
        findings: [
          finding(
            'mcp_tool_changed',
            'medium',
            'search',
            false,
            c.at('a.declared.json', 'observed', 'tool_digests', 0, 'name'),
            { notes: ['field_attribution_unavailable'] },
          ),
        ],
      });
    },
  ],
  [
    'document-unparseable-observed',
    (c) => {
      const text = JSON.stringify(observed(tools), null, 2).replace('"observed",', 'observed,');
      c.text(OBSERVATION, `${text}\n`);
      unreadableObservation(c, 'json_syntax', c.find(OBSERVATION, 'observed,'));
    },
  ],
  [
    'document-unparseable-declared',
    (c) => {
      const text = JSON.stringify(declared(tools), null, 2).replace('false', 'no');
      c.text(BASELINE, `${text}\n`);
      unreadableBaseline(c, 'declared', 'json_syntax', c.find(BASELINE, 'no\n'));
    },
  ],
  [
    'document-unparseable-policy-json',
    (c) => {
      c.text('policy.json', '{\n  "declared_mcp_manifests": {\n    github: {}\n  }\n}\n');
      unreadableBaseline(c, 'policy', 'json_syntax', c.find('policy.json', 'github'));
    },
  ],
  [
    'document-unparseable-policy-yaml',
    (c) => {
      c.text(POLICY, `${policy({ github: approved })}]\n`);
      unreadableBaseline(c, 'policy', 'yaml_syntax', c.find(POLICY, ']'));
    },
  ],
  [
    'document-comment-is-not-json',
    (c) => {
      c.text(OBSERVATION, insertLine(observed(tools), '  "status"', '  // approved in June'));
      unreadableObservation(c, 'json_syntax', c.find(OBSERVATION, '//'));
    },
  ],
  [
    'document-policy-several-yaml-documents',
    (c) => {
      c.text(POLICY, `${policy({ github: approved })}---\nnote: second\n`);
      unreadableBaseline(c, 'policy', 'yaml_several_documents', c.find(POLICY, '---'));
    },
  ],
  [
    'document-policy-map-is-a-list',
    (c) => {
      c.text('policy.json', '{ "declared_mcp_manifests": [] }\n');
      unreadableBaseline(c, 'policy', 'value_malformed', c.find('policy.json', '[]'));
    },
  ],
  [
    'document-policy-map-is-empty-yaml',
    (c) => {
      c.text(POLICY, 'declared_mcp_manifests:\n');
      c.json(OBSERVATION, observed(tools));
      const at = c.find(POLICY, 'declared_mcp_manifests');
      c.review({
        ...complete,
        observed: OBSERVATION,
        verdict: INCONCLUSIVE,
        inconclusive: [remark('no_declared_baseline', c.at(OBSERVATION, 'server', 'id'))],
      });
      c.review({
        server: null,
        policy: POLICY,
        verdict: INCONCLUSIVE,
        inconclusive: [remark('document_invalid', at)],
      });
      c.problem('value_malformed', at);
    },
  ],
];

const BAD_ENTRIES: readonly (readonly [string, Json])[] = [
  ['upper-case', { manifest_digest: approved.toUpperCase().replace('SHA256', 'sha256') }],
  ['too-short', { manifest_digest: approved.slice(0, -1) }],
  ['without-prefix', { manifest_digest: approved.slice(7) }],
  ['null', { manifest_digest: null }],
  ['not-a-map', approved],
];

const POLICY_ENTRIES: readonly Definition[] = [
  ...BAD_ENTRIES.map(([name, entry]): Definition => [
    `document-policy-entry-${name}`,
    (c) => {
      // One bad entry disables only itself.
      c.json('a.observed.json', observed(tools, { id: 'a' }));
      c.json('b.observed.json', observed([searchNow], { id: 'b' }));
      c.json('policy.json', { declared_mcp_manifests: { a: entry, b: { manifest_digest: approved } } });
      const map = ['declared_mcp_manifests', 'a'];
      const at =
        typeof entry === 'string'
          ? c.key('policy.json', ...map)
          : c.at('policy.json', ...map, 'manifest_digest');
      c.review({
        ...complete,
        server: 'a',
        observed: 'a.observed.json',
        policy: 'policy.json',
        verdict: INCONCLUSIVE,
        inconclusive: [remark('document_invalid', at)],
      });
      const drift = c.at('b.observed.json', 'observed', 'manifest_digest');
      c.review({
        ...complete,
        server: 'b',
        observed: 'b.observed.json',
        policy: 'policy.json',
        verdict: PENDING,
        findings: [finding('mcp_tool_manifest_drift', 'medium', null, null, drift)],
      });
      c.problem('policy_entry_malformed', at);
    },
  ]),
  [
    'document-policy-entry-without-digest-yaml',
    (c) => {
      c.json('a.observed.json', observed(tools, { id: 'a' }));
      c.json('b.observed.json', observed(tools, { id: 'b' }));
      c.text(POLICY, `${policy({ b: approved })}  a:\n    approved_by: someone\n`);
      const at = c.find(POLICY, 'a:\n    approved_by');
      c.review({
        ...complete,
        server: 'a',
        observed: 'a.observed.json',
        policy: POLICY,
        verdict: INCONCLUSIVE,
        inconclusive: [remark('document_invalid', at)],
      });
      c.review({ ...complete, server: 'b', observed: 'b.observed.json', policy: POLICY, verdict: CLEAN });
      c.problem('policy_entry_malformed', at);
    },
  ],
  [
    'document-policy-yaml-anchors-and-quotes',
    (c) => {
      // YAML says the same digest in many ways.
      c.json('a.observed.json', observed(tools, { id: 'a' }));
      c.json('b.observed.json', observed(tools, { id: '12' }));
      c.json('c.observed.json', observed(tools, { id: 'c' }));
      const lines = [
        'declared_mcp_manifests: # approved in June',
        `  a: &first { manifest_digest: ${approved} }`,
        `  12: { manifest_digest: '${approved}' }`,
        '  "c": *first',
      ];
      c.text(POLICY, `${lines.join('\n')}\n`);
      for (const [server, file] of [
        ['a', 'a'],
        ['12', 'b'],
        ['c', 'c'],
      ] as const) {
        c.review({ ...complete, server, observed: `${file}.observed.json`, policy: POLICY, verdict: CLEAN });
      }
    },
  ],
  [
    'document-policy-partial-value-malformed-json',
    (c) => {
      c.json(OBSERVATION, observed(tools, { block: { tools_list_complete: 'partial' } }));
      c.json('policy.json', {
        mcp_manifest_partial_observation: true,
        declared_mcp_manifests: { github: { manifest_digest: approved } },
      });
      const at = c.at(OBSERVATION, 'observed', 'tools_list_complete');
      c.review({
        observed: OBSERVATION,
        policy: 'policy.json',
        verdict: INCONCLUSIVE,
        tools_list_complete: 'partial',
        inconclusive: [remark('inconclusive_manifest_partial_observation', at)],
      });
      c.problem('optional_value_ignored', c.at('policy.json', 'mcp_manifest_partial_observation'));
    },
  ],
  [
    'document-policy-partial-value-malformed',
    (c) => {
      // It counts as absent, so that it cannot turn an inconclusive into less.
      const head = 'mcp_manifest_partial_observation: ignore\n';
      coarse(c, observed(tools, { block: { tools_list_complete: 'partial' } }), approved, head);
      const at = c.at(OBSERVATION, 'observed', 'tools_list_complete');
      c.review({
        ...coarseReview,
        verdict: INCONCLUSIVE,
        tools_list_complete: 'partial',
        inconclusive: [remark('inconclusive_manifest_partial_observation', at)],
      });
      c.problem('optional_value_ignored', c.find(POLICY, 'ignore'));
    },
  ],
];

/** A required value, where it stands, and a value of the wrong type for it. */
type Required = readonly [label: string, path: Path, wrong: Json];

const ENTRY: readonly Required[] = [
  ['name', ['name'], 7],
  ['tool-digest', ['tool_digest'], approved.slice(0, -1)],
  ['privileged', ['privileged'], 'no'],
];

const OBSERVED_KEYS: readonly Required[] = [
  ['status', ['status'], 'seen'],
  ['server', ['server'], 'github'],
  ['server-id', ['server', 'id'], 7],
  ['observed', ['observed'], []],
  ['canonicalization', ['observed', 'canonicalization'], null],
  ['tools-list-observed', ['observed', 'tools_list_observed'], 'true'],
  ['tools-list-complete', ['observed', 'tools_list_complete'], true],
  ['tool-digests', ['observed', 'tool_digests'], {}],
  ...ENTRY.map(([label, path, wrong]): Required => [
    `entry-${label}`,
    ['observed', 'tool_digests', 0, ...path],
    wrong,
  ]),
];

const DECLARED_KEYS: readonly Required[] = [
  ['server', ['server'], 'github'],
  ['server-id', ['server', 'id'], null],
  ['canonicalization', ['canonicalization'], 0],
  ['manifest-digest', ['manifest_digest'], null],
  ['tools', ['tools'], {}],
  ...ENTRY.map(([label, path, wrong]): Required => [`entry-${label}`, ['tools', 0, ...path], wrong]),
];

/** Where a missing value is shown: at the key around it, at the bracket of an entry or of the document. */
function around(c: CaseWriter, file: string, path: Path): Located {
  const parent = path.slice(0, -1);
  if (parent.length === 0) return top(file);
  return typeof parent.at(-1) === 'number' ? c.at(file, ...parent) : c.key(file, ...parent);
}

function required(kind: 'observed' | 'declared', [label, path, wrong]: Required): Definition[] {
  const file = kind === 'observed' ? OBSERVATION : BASELINE;
  const document = kind === 'observed' ? observed(tools) : declared(tools);
  const named = path[0] !== 'server';
  const fill = (c: CaseWriter, code: string, value: Json | undefined) => {
    c.json(file, withValue(document, path, value));
    const at = value === undefined ? around(c, file, path) : c.at(file, ...path);
    if (kind === 'observed') (named ? invalidObservation : unreadableObservation)(c, code, at);
    else if (named) invalidBaseline(c, code, at);
    else unreadableBaseline(c, 'declared', code, at);
  };
  return [
    [
      `document-${kind}-without-${label}`,
      (c) => {
        fill(c, 'value_missing', undefined);
      },
    ],
    [
      `document-${kind}-wrong-${label}`,
      (c) => {
        fill(c, 'value_malformed', wrong);
      },
    ],
  ];
}

/** Optional data that is malformed: a problem at its place, and it counts as absent. */
function optional(label: string, path: Path, value: Json): Definition {
  return [
    `document-optional-${label}`,
    (c) => {
      const entry = { ...ordinary('search'), privilege_classification: 'unclassified', action_class: null };
      perTool(c, withValue(observed([entry]), path, value), declared(tools));
      c.review({ ...perToolReview, ...complete, verdict: CLEAN });
      c.problem('optional_value_ignored', c.at(OBSERVATION, ...path));
    },
  ];
}

const entryPath = ['observed', 'tool_digests', 0] as const;

const OPTIONAL: readonly Definition[] = [
  optional('manifest-digest', ['observed', 'manifest_digest'], 'sha256:abc'),
  optional('tool-count', ['observed', 'tool_count'], '1'),
  optional('tool-count-negative', ['observed', 'tool_count'], -1),
  optional('privileged-tool-count', ['observed', 'privileged_tool_count'], 0.5),
  optional('privilege-classification', [...entryPath, 'privilege_classification'], 'trusted by us'),
  optional('action-class', [...entryPath, 'action_class'], 5),
  ...(['null', 'a list', 'one null'] as const).map((what): Definition => [
    `document-optional-field-digests-${what.replace(' ', '-')}`,
    (c) => {
      // Without all four on both sides no field can be named, but the tool is still found to have changed.
      const changed = { description: 'Does another thing.' };
      const full = withFields(searchNow, changed);
      const path = [...entryPath, 'field_digests', ...(what === 'one null' ? ['description'] : [])];
      const record = withValue(observed([full]), path, what === 'a list' ? [] : null);
      perTool(c, record, declared([withFields(search)]));
      c.review({
        ...perToolReview,
        ...complete,
        verdict: PENDING,
        findings: [
          finding('mcp_tool_changed', 'medium', 'search', false, c.at(OBSERVATION, ...entryPath, 'name'), {
            notes: ['field_attribution_unavailable'],
          }),
        ],
      });
      c.problem('optional_value_ignored', c.at(OBSERVATION, ...path));
    },
  ]),
  [
    'document-optional-malformed-does-not-hide-drift',
    (c) => {
      const record = observed([searchNow], { block: { manifest_digest: 'sha256:abc' } });
      coarse(c, record, approved);
      const at = c.at(OBSERVATION, 'observed', 'manifest_digest');
      c.review({
        ...coarseReview,
        ...complete,
        verdict: PENDING,
        findings: [finding('mcp_tool_manifest_drift', 'medium', null, null, at)],
      });
      c.problem('optional_value_ignored', at);
    },
  ],
  [
    'document-unknown-keys',
    (c) => {
      const entry = { ...privileged('invite'), title: 'Invite', _meta: { a: [1, null] } };
      perTool(
        c,
        observed([entry], { more: { non_claims: [], later: { x: 1 } }, block: { later: true } }),
        declared([entry], { more: { note: 'approved', reviewers: ['someone'] } }),
      );
      c.review({ ...perToolReview, ...complete, verdict: CLEAN });
    },
  ],
  [
    'document-empty-tools',
    (c) => {
      perTool(c, observed([]), declared([]));
      c.review({ ...perToolReview, ...complete, verdict: CLEAN });
    },
  ],
  [
    'document-several-problems',
    (c) => {
      const broken = withValue(
        withValue(observed(tools), ['status'], undefined),
        [...entryPath, 'name'],
        null,
      );
      c.json(OBSERVATION, withValue(broken, ['observed', 'tool_count'], 'many'));
      c.json(BASELINE, declared(tools));
      c.review({
        ...perToolReview,
        verdict: INCONCLUSIVE,
        inconclusive: [remark('document_invalid', top(OBSERVATION))],
      });
      c.problem('value_missing', top(OBSERVATION));
      c.problem('optional_value_ignored', c.at(OBSERVATION, 'observed', 'tool_count'));
      c.problem('value_malformed', c.at(OBSERVATION, ...entryPath, 'name'));
    },
  ],
];

export const DOCUMENTS: readonly Definition[] = [
  ...ENCODINGS,
  ...DUPLICATES,
  ...LIMITS,
  ...INHERITED_NAMES,
  ...KINDS,
  ...POLICY_ENTRIES,
  ...OBSERVED_KEYS.flatMap((key) => required('observed', key)),
  ...DECLARED_KEYS.flatMap((key) => required('declared', key)),
  ...OPTIONAL,
];
