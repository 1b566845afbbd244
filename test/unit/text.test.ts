import assert from 'node:assert/strict';
import { join } from 'node:path';
import { COLUMNS, count, GLUE, wrap } from '../../src/report/layout';
import { printText, type Style } from '../../src/report/text';
import { loadCases } from '../support/cases';
import {
  declared,
  type Definition,
  manifestDigest,
  observed,
  ordinary,
  policy,
  privileged,
  withFields,
} from '../support/documents';
import { HOSTILE_NAMES } from '../support/hostile';
import { reportFolder } from '../support/judge';
import { approved, reportOf, rules, seen } from '../support/report';

const search = ordinary('search');
const searchNow = ordinary('search', { description: 'Does another thing.' });
const EVERYTHING: Definition = { description: 'x', input_schema: 1, output_schema: 1, annotations: 1 };
const names = (prefix: string, number: number, suffix = '') =>
  Array.from({ length: number }, (_, index) => `${prefix}${index}${suffix}`);

/** A report on tools that all changed in the same fields. */
const changedReport = (tools: readonly string[], definition: Definition) => {
  const entry = tools[0]?.endsWith('invite') ? privileged : ordinary;
  return reportOf([
    seen(
      'artifacts/github.observed.json',
      observed(tools.map((name) => withFields(entry(name, definition), definition))),
    ),
    approved('baselines/github.declared.json', declared(tools.map((name) => withFields(entry(name))))),
  ]);
};

function assertNarrow(text: string): void {
  for (const line of text.split('\n')) {
    // A single word, such as a path, cannot be broken.
    const width = Array.from(line).length;
    assert.ok(width <= 80 || !line.trim().includes(' '), `${width}: ${line}`);
  }
}

/** Shows where emphasis begins and ends. */
const marked: Style = (part, text) => `<${part}>${text}</${part}>`;

describe('a report as text at 80 columns', () => {
  it('stays inside them for one tool, for several and for a group, whatever changed', () => {
    for (const tools of [['search'], ['github.add_deploy_key', 'a.invite'], names('tool_', 112)]) {
      for (const definition of [{ annotations: 1 }, { description: 'x', output_schema: 1 }, EVERYTHING]) {
        assertNarrow(printText(changedReport(tools, definition)));
      }
    }
  });

  it('stays inside them for a group of privileged tools of which everything changed', () => {
    assertNarrow(printText(changedReport(names('team', 6, '.invite'), EVERYTHING)));
  });

  for (const one of loadCases(join(import.meta.dirname, '../../fixtures/cases'))) {
    it(`stays inside them in the case ${one.name}`, async () => {
      assertNarrow(printText(await reportFolder(one)));
    });
  }

  it('gives a long name a line of its own', () => {
    const long = 'x'.repeat(58);
    const text = printText(changedReport([long, 'a'], { description: 'x' }));
    assertNarrow(text);
    const lines = text.split('\n');
    const at = lines.findIndex((line) => line.includes(long));
    assert.match(lines[at] ?? '', /^ {2}medium +x{58}$/);
    assert.match(lines[at + 1] ?? '', /^ {40,}description \(line \d+\)$/);
  });

  it('lines up what changed behind the names', () => {
    const text = printText(
      reportOf([
        seen('a.observed.json', observed([ordinary('a'), ordinary('longer.name'), ordinary('b')])),
        approved('a.declared.json', declared([])),
      ]),
    );
    const columns = text
      .split('\n')
      .flatMap((line) => (line.includes('added') ? [line.indexOf('added')] : []));
    assert.equal(columns.length, 3);
    assert.equal(new Set(columns).size, 1);
  });

  it('says of a removed tool that its line is the baseline’s', () => {
    const text = printText(
      reportOf([seen('a.observed.json', observed([])), approved('a.declared.json', declared([search]))]),
    );
    assert.match(text, /search {2}removed \(baseline, line 9\)/);
  });

  it('puts a group under one heading, with every name', () => {
    const tools = names('tool_', 30);
    const text = printText(changedReport(tools, { annotations: 1 }));
    assert.equal(text.split('\n').filter((line) => /^ {2}low/.test(line)).length, 1);
    assert.match(text, /^ {2}low +30 tools: annotations$/m);
    for (const name of tools) assert.match(text, new RegExp(`[ ]${name}(?:,|$)`, 'm'));
  });

  it('sums up: how many reviews, how many need review, how many are inconclusive', () => {
    const text = printText(
      reportOf([
        seen('a.observed.json', observed([searchNow])),
        approved('a.declared.json', declared([search])),
        seen('b.observed.json', observed([search], { id: 'b' })),
        seen('c.observed.json', observed([search], { id: 'c' })),
        rules('policy.yaml', policy({ c: manifestDigest([]) })),
      ]),
    );
    assert.ok(text.includes('\nneeds review: 3 reviews, 2 need review, 1 inconclusive.\n'));
    assert.match(
      text,
      /\nc: needs review\n {2}c\.observed\.json\n {2}policy\.yaml\n {2}medium +The manifest/,
    );
  });
});

describe('emphasis in a text report', () => {
  const report = reportOf([
    seen(
      'a.observed.json',
      observed([searchNow, privileged('x.invite')], { block: { tools_list_complete: 'unknown' } }),
    ),
    approved('a.declared.json', declared([search, ordinary('gone')])),
    seen('b.observed.json', observed([search], { id: 'b', block: { tools_list_complete: 'unknown' } })),
    approved('b.declared.json', declared([search], { id: 'b' })),
    seen('c.observed.json', observed([], { id: 'c', status: 'seen' })),
  ]);

  it('is given to titles, severities, labels and places', () => {
    const text = printText(report, marked);
    for (const part of [
      '<title>github: needs review</title>',
      '<quiet>a.observed.json</quiet>',
      '<quiet>a.declared.json</quiet>',
      '<medium>medium      </medium>',
      '<high>high        </high>',
      '<inconclusive>inconclusive</inconclusive>',
      '<warning>warning</warning>',
      '<quiet>manifest_coverage_unknown</quiet>',
      '<title>Problems of documents</title>',
      '<quiet>c.observed.json:3:13</quiet>',
      '<title>needs review: 3 reviews, 1 needs review, 1 inconclusive.</title>',
    ]) {
      assert.ok(text.includes(part), `${part} in ${text}`);
    }
  });

  it('adds nothing but itself', () => {
    const text = printText(report, marked).replace(
      /<\/?(?:title|quiet|high|medium|low|inconclusive|warning)>/g,
      '',
    );
    assert.equal(text, printText(report));
  });

  it('is none without a style, and none is let in by a name', () => {
    assert.doesNotMatch(printText(report), /\u{1B}/u);
    for (const name of HOSTILE_NAMES) {
      const text = printText(
        reportOf([
          seen('a.observed.json', observed([ordinary(name)], { id: name })),
          approved('a.declared.json', declared([], { id: name })),
        ]),
      );

      assert.doesNotMatch(text, /[^\n\P{Cc}]|[\u{202A}-\u{202E}\u{200B}\u{2028}]/u);
    }
  });
});

describe('breaking text into lines', () => {
  it('fills lines to the width and no further', () => {
    assert.deepEqual(wrap('aa bb cc', 5), ['aa bb', 'cc']);
    assert.deepEqual(wrap('aa bb cc', 4), ['aa', 'bb', 'cc']);
    assert.deepEqual(wrap('aaaaaa b', 3), ['aaaaaa', 'b']);
    assert.deepEqual(wrap('', 3), ['']);
    assert.equal(COLUMNS, 80);
  });

  it('does not break at glue, which is a blank in the end', () => {
    assert.deepEqual(wrap(`aa (line${GLUE}7)`, 6), ['aa', '(line 7)']);
  });

  it('counts with the noun', () => {
    assert.deepEqual(
      [0, 1, 2].map((number) => count(number, 'tool')),
      ['0 tools', '1 tool', '2 tools'],
    );
  });
});
