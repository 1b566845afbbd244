import assert from 'node:assert/strict';
import { type Problem, PROBLEMS } from '../../src/engine/problems';
import { REASONS } from '../../src/engine/reasons';
import { showHidden, showName } from '../../src/report/escape';
import { explain } from '../../src/report/explain';
import { printJson } from '../../src/report/json';
import { fill, message } from '../../src/report/messages';
import { PROBLEM_PAGES, problemMessage } from '../../src/report/problemWords';
import { REPORT_NON_CLAIMS } from '../../src/report/report';
import { printText } from '../../src/report/text';
import { NOT_COVERED, REASON_WORDS } from '../../src/report/words';
import { reduceReport } from '../support/cases';
import { declared, manifestDigest, observed, ordinary, policy, privileged } from '../support/documents';
import { approved, reportOf, rules, seen } from '../support/report';

const search = ordinary('search');
const searchNow = ordinary('search', { description: 'Does another thing.' });

const FORBIDDEN = /\b(safe|unsafe|malicious|trusted|trust|secure|attack|dangerous|benign|verified)\b/i;

describe('words', () => {
  for (const code of Object.keys(REASONS)) {
    it(`of ${code} are whole and judge no one`, () => {
      const words = Object.entries(REASON_WORDS).find(([key]) => key === code)?.[1];
      assert.ok(words);
      const { title, message: sentence, means, limits, remedy } = words;
      for (const text of [sentence, means, limits, remedy]) assert.match(text, /\S.*[.”]$/);
      for (const text of [title, sentence, means, limits, remedy]) assert.doesNotMatch(text, FORBIDDEN);
      const page = explain(code) ?? '';
      for (const text of [`\`${code}\``, title, means, limits, remedy, NOT_COVERED]) {
        assert.ok(page.includes(text), text);
      }
    });
  }

  for (const code of Object.keys(PROBLEMS)) {
    it(`of ${code} are whole and judge no one`, () => {
      const words = Object.entries(PROBLEM_PAGES).find(([key]) => key === code)?.[1];
      assert.ok(words);
      const { title, why, remedy } = words;
      for (const text of [why, remedy]) assert.match(text, /\S.*\.$/);
      for (const text of [title, why, remedy]) {
        assert.doesNotMatch(text, FORBIDDEN);
        assert.ok(explain(code)?.includes(text));
      }
    });
  }

  it('of findings say that a change needs review', () => {
    for (const [code, words] of Object.entries(REASON_WORDS)) {
      const isFinding = Object.entries(REASONS).some(([key, { kind }]) => key === code && kind === 'finding');
      if (isFinding) assert.match(words.message, /needs? review/, code);
    }
  });

  it('of the same title tell nothing apart that a list must tell apart', () => {
    const titles = Object.entries(REASON_WORDS).map(([, { title }]) => title);
    const twice = titles.filter((title, index) => titles.indexOf(title) !== index);
    // The two gates name the same thing by two codes.
    assert.deepEqual(twice, ['Duplicate tool names']);
  });

  it('of an unknown code are none', () => {
    for (const code of ['', 'mcp_tool', '__proto__', 'toString']) assert.equal(explain(code), undefined);
  });

  it('say what a clean result leaves open', () => {
    for (const part of ['title', 'icons', '_meta', 'execution']) assert.ok(NOT_COVERED.includes(part));
    assert.equal(REPORT_NON_CLAIMS.length, 5);
    assert.equal(
      REPORT_NON_CLAIMS[4],
      'does not cover title, icons, _meta, execution or other fields outside the v0 projection',
    );
  });
});

describe('messages of problems', () => {
  const say = (code: Problem['code'], detail: Problem['detail'] = {}) =>
    problemMessage({ code, start: 0, end: 0, detail });

  it('name the encoding', () => {
    assert.match(say('encoding_not_utf8', { encoding: 'UTF-16BE' }), /UTF-16BE/);
    assert.doesNotMatch(say('encoding_not_utf8', { encoding: 'unknown' }), /unknown/);
  });

  it('name the path of what cannot be reproduced', () => {
    const path = '$.observed.tool_digests[3]';
    for (const code of ['nesting_too_deep', 'number_out_of_range', 'lone_surrogate'] as const) {
      assert.ok(say(code, { path, limit: 127 }).includes(path), code);
    }
  });

  it('name what is missing or wrong and what was expected', () => {
    assert.match(
      say('value_missing', { path: '$.a', key: 'status', expected: 'string' }),
      /“status”.*a string/,
    );
    assert.match(say('value_malformed', { path: '$.a.b', expected: 'digest' }), /\$\.a\.b.*sha256/);
    assert.match(
      say('optional_value_ignored', { path: '$.a.b', expected: '"x" | "y"' }),
      /\$\.a\.b.*"x" or "y"/,
    );
    assert.match(say('duplicate_key', { key: 'status' }), /“status”/);
    assert.match(say('file_too_large', { size: 30_000_000, limit: 20_000_000 }), /30\.0 MB.*20\.0 MB/);
    assert.match(say('file_unreadable', { reason: 'permission is denied' }), /permission is denied/);
  });

  it('show the hidden characters of what they name', () => {
    assert.ok(say('duplicate_key', { key: 'a\u{200B}' }).includes('a\\u{200B}'));
    assert.ok(say('policy_entry_malformed', { server: '\u{202E}x' }).includes('\\u{202E}x'));
  });

  it('say that two texts can share a digest', () => {
    assert.match(say('integer_not_exact'), /same digest/);
  });
});

describe('hidden characters', () => {
  it('are shown, never taken out', () => {
    const HIDDEN = [
      0x0, 0x7, 0x9, 0xa, 0xd, 0x1b, 0x7f, 0x85, 0xa0, 0xad, 0x61c, 0x115f, 0x180e, 0x2003, 0x200b, 0x200d,
      0x200e, 0x2028, 0x2029, 0x202a, 0x202e, 0x2060, 0x2066, 0x2069, 0x3000, 0x3164, 0xe000, 0xfe0f, 0xfeff,
      0xfff9, 0xffff, 0xe0001, 0xe0041, 0xe007f, 0xe0100, 0x10ffff,
    ];
    for (const point of HIDDEN) {
      const text = `a${String.fromCodePoint(point)}b`;
      assert.equal(showHidden(text), `a\\u{${point.toString(16).toUpperCase()}}b`);
    }
    assert.equal(showHidden('\ud83d'), '\\u{D83D}');
  });

  it('are not what people read', () => {
    for (const text of [
      'search',
      'Ünïcödé – “quotes”',
      '日本語',
      'עברית',
      '\u{1F511}',
      'a b',
      '$(x) [y](z) `<b>`',
      'e\u{301}',
    ]) {
      assert.equal(showHidden(text), text);
    }
  });

  it('are shown before a name is shortened, and no character is split', () => {
    assert.equal(showName('ab\u{200B}', 20), 'ab\\u{200B}');
    assert.equal(showName('\u{1F511}'.repeat(5), 5), '\u{1F511}'.repeat(5));
    assert.equal(showName('\u{1F511}'.repeat(6), 5), `${'\u{1F511}'.repeat(4)}…`);
  });

  it('of a tool and a server are shown in messages, and nothing in them is a pattern', () => {
    assert.equal(
      fill('“{tool}” of “{server}”', { tool: '$& {server}', server: 'x\u{202E}' }),
      '“$& {server}” of “x\\u{202E}”',
    );
    assert.equal(fill('“{tool}”', {}), '“(empty)”');
  });
});

describe('a report as text', () => {
  it('says of each review what was found, how bad and where', () => {
    const text = printText(
      reportOf([
        seen('a.observed.json', observed([privileged('x.invite'), searchNow])),
        approved('a.declared.json', declared([search])),
      ]),
    );
    const lines = text.split('\n');
    assert.deepEqual(lines.slice(0, 3), ['github: needs review', '  a.observed.json', '  a.declared.json']);
    const [high = '', medium = '', ...rest] = lines.slice(3);
    assert.match(high, /^ {2}high +x\.invite +privileged, added \(line 16\)$/);
    assert.match(medium, /^ {2}medium +search +changed \(fields cannot be told\) \(line 21\)$/);
    assert.equal(rest[0], '');
    assert.ok(lines.includes('needs review: 1 review, 1 needs review, 0 inconclusive.'));
    assert.ok(rest.join(' ').includes(NOT_COVERED));
    assert.doesNotMatch(text, FORBIDDEN);
  });

  it('says why there is no answer in a paragraph, with its code and its places', () => {
    const record = observed([search], { block: { tool_count: 2 } });
    const lines = printText(
      reportOf([seen('a.observed.json', record), approved('a.declared.json', declared([search]))]),
    ).split('\n');
    const indent = ' '.repeat(16);
    const at = lines.findIndex((line) => line.startsWith('  inconclusive  '));
    const code = lines.indexOf(`${indent}observed_record_inconsistent`);
    const sentence = lines.slice(at, code).map((line) => line.slice(indent.length));
    assert.equal(sentence.join(' '), REASON_WORDS.observed_record_inconsistent.message);
    assert.ok(sentence.length > 1);
    assert.deepEqual(lines.slice(code + 1, code + 3), [`${indent}a.observed.json:10:19`, '']);
  });

  it('shows the hidden characters of every foreign name', () => {
    const hidden = '\u{202E}\u{200B}\u{7}';
    const text = printText(
      reportOf([
        seen(`a${hidden}.observed.json`, observed([ordinary(`tool${hidden}\n`)], { id: `id${hidden}` })),
        approved('a.declared.json', declared([], { id: `id${hidden}` })),
      ]),
    );
    for (const name of ['a', 'tool', 'id']) assert.ok(text.includes(`${name}\\u{202E}\\u{200B}\\u{7}`), name);
    assert.doesNotMatch(text, /[\u{202E}\u{200B}\u{7}]/u);
  });

  it('names both baselines of a conflict', () => {
    const text = printText(
      reportOf([
        seen('a.observed.json', observed([search])),
        approved('one.declared.json', declared([search])),
        approved('two.declared.json', declared([searchNow])),
      ]),
    );
    assert.ok(text.includes('declared_manifest_baseline_conflict'));
    for (const path of ['one.declared.json', 'two.declared.json']) assert.ok(text.includes(path), path);
  });

  it('lists problems by place, with what is wrong', () => {
    const text = printText(
      reportOf([
        seen('b.observed.json', observed([], { status: 'seen' })),
        seen('a.observed.json', '{ "schema": "assay.mcp_manifest_observed.v0" nothing'),
      ]),
    );
    const problems = text.slice(text.indexOf('Problems')).split('\n').slice(0, 6);
    const [title, first = '', firstAt, second = '', secondAt, end] = problems;
    assert.deepEqual(
      [title, firstAt, secondAt, end].map((line) => line?.trim()),
      ['Problems of documents', 'a.observed.json:1:46', 'b.observed.json:3:13', ''],
    );
    assert.match(first, /^ +This is not valid JSON: .+\.$/);
    assert.match(second, /^ +\$\.status must be .+\.$/);
  });

  it('of nothing is inconclusive', () => {
    assert.match(printText(reportOf([])), /^Nothing to review .*inconclusive/i);
  });
});

describe('a report as JSON', () => {
  it('has the keys of the contract, always all of them', () => {
    const documents = [
      seen('a.observed.json', observed([searchNow], { block: { tools_list_complete: 'unknown' } })),
      approved('a.declared.json', declared([search])),
      rules('policy.yaml', policy({ other: manifestDigest([search]) })),
    ];
    const at = { path: 'a.observed.json', line: 16, column: 17 };
    const parsed: unknown = JSON.parse(printJson(reportOf(documents)));
    // More keys may follow; these are always there.
    assert.ok(typeof parsed === 'object' && parsed !== null && 'schema' in parsed && 'non_claims' in parsed);
    assert.equal(parsed.schema, 'mcp_manifest_review.v0');
    assert.deepEqual(parsed.non_claims, REPORT_NON_CLAIMS);
    assert.deepEqual(reduceReport(parsed), {
      verdict: 'pending_tool_manifest_review',
      reviews: [
        {
          server: { id: 'github' },
          observed: 'a.observed.json',
          declared: 'a.declared.json',
          policy: null,
          verdict: 'pending_tool_manifest_review',
          tools_list_complete: 'unknown',
          findings: [
            {
              reason_code: 'mcp_tool_changed',
              severity: 'medium',
              tool: 'search',
              field: null,
              privileged: false,
              notes: ['field_attribution_unavailable'],
              ...at,
            },
          ],
          inconclusive: [],
          warnings: [],
        },
        {
          server: { id: 'other' },
          observed: null,
          declared: null,
          policy: 'policy.yaml',
          verdict: 'inconclusive',
          tools_list_complete: null,
          findings: [],
          inconclusive: [
            { reason_code: 'observed_manifest_missing', tool: null, path: 'policy.yaml', line: 2, column: 3 },
          ],
          warnings: [],
        },
      ],
      problems: [],
    });
  });

  it('has problems with a code and a message', () => {
    const broken = [seen('a.observed.json', observed([], { status: 'seen' }))];
    const report: unknown = JSON.parse(printJson(reportOf(broken)));
    assert.ok(typeof report === 'object' && report !== null && 'problems' in report);
    const [problem] = broken[0]?.problems ?? [];
    assert.ok(problem);
    assert.deepEqual(report.problems, [
      {
        path: 'a.observed.json',
        line: 3,
        column: 13,
        code: 'value_malformed',
        message: problemMessage(problem),
      },
    ]);
  });

  it('keeps raw names and ends with a newline', () => {
    const text = printJson(reportOf([seen('a.observed.json', observed([], { id: 'x\u{202E}' }))]));
    assert.ok(text.endsWith('}\n'));
    assert.ok(text.includes('"x\u{202E}"'));
  });
});

describe('a message', () => {
  it('carries the notes that stand on a finding', () => {
    const [found] =
      reportOf([
        seen('a.observed.json', observed([searchNow])),
        approved('a.declared.json', declared([search])),
      ]).reviews[0]?.findings ?? [];
    assert.ok(found);
    assert.equal(
      message(found, 'github'),
      [
        fill(REASON_WORDS.mcp_tool_changed.message, { tool: 'search' }),
        fill(REASON_WORDS.field_attribution_unavailable.message, { tool: 'search' }),
      ].join(' '),
    );
  });
});
