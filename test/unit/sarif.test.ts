import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import Ajv from 'ajv-draft-04';
import addFormats from 'ajv-formats';
import * as z from 'zod';
import { sha256 } from '../../src/desktop/sha256';
import { PROBLEMS } from '../../src/engine/problems';
import { REASONS } from '../../src/engine/reasons';
import type { Report } from '../../src/report/report';
import { printJson } from '../../src/report/json';
import { printSarif } from '../../src/report/sarif';
import { loadCases, reduceReport } from '../support/cases';
import {
  declared,
  type Definition,
  type Entry,
  manifestDigest,
  observed,
  ordinary,
  policy,
  privileged,
  withFields,
} from '../support/documents';
import { HOSTILE_NAMES } from '../support/hostile';
import { reportFolder } from '../support/judge';
import type { Json } from '../support/layout';
import { approved, reportOf, rules, seen } from '../support/report';

const require = createRequire(import.meta.url);
const schema = z
  .record(z.string(), z.unknown())
  .parse(
    JSON.parse(
      readFileSync(require.resolve('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json'), 'utf8'),
    ),
  );
// A pattern of the schema is no expression for Unicode: it has a lone bracket.
const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false });
addFormats(ajv);
const validate = ajv.compile(schema);

const text = z.object({ text: z.string().min(1) });
const location = z.object({
  physicalLocation: z.object({
    artifactLocation: z.object({ uri: z.string(), uriBaseId: z.string() }),
    region: z.object({
      startLine: z.int().min(1),
      startColumn: z.int().min(1),
      endLine: z.int().min(1),
      endColumn: z.int().min(1),
    }),
  }),
  logicalLocations: z.tuple([z.object({ name: z.string() })]).optional(),
});
const log = z.object({
  version: z.literal('2.1.0'),
  runs: z.tuple([
    z.object({
      columnKind: z.literal('utf16CodeUnits'),
      tool: z.object({
        driver: z.object({
          name: z.string(),
          semanticVersion: z.string(),
          rules: z.array(
            z.object({
              id: z.string(),
              shortDescription: text,
              fullDescription: text,
              help: z.object({ text: z.string().min(1), markdown: z.string().min(1) }),
              defaultConfiguration: z.object({ level: z.enum(['error', 'warning', 'note']) }),
            }),
          ),
        }),
      }),
      results: z.array(
        z.object({
          ruleId: z.string(),
          ruleIndex: z.int(),
          level: z.enum(['error', 'warning', 'note']),
          message: text,
          locations: z.tuple([location]),
          relatedLocations: z.array(location).optional(),
          partialFingerprints: z.object({ 'mcpManifestReview/v1': z.string().regex(/^[0-9a-f]{64}$/) }),
        }),
      ),
    }),
  ]),
});
type Result = z.infer<typeof log>['runs'][0]['results'][number];

/** The only run of a report as SARIF, which has to be valid. */
function runOf(report: Report) {
  const printed = printSarif(report, { version: '1.2.3', sha256 });
  assert.ok(printed.endsWith('}\n'));
  const parsed: unknown = JSON.parse(printed);
  assert.ok(validate(parsed), JSON.stringify(validate.errors, null, 2));
  return log.parse(parsed).runs[0];
}

const fingerprintOf = (result: Result) => result.partialFingerprints['mcpManifestReview/v1'];

const search = ordinary('search');
const searchNow = ordinary('search', { description: 'Does another thing.' });
const zero = `sha256:${'0'.repeat(64)}`;

describe('a report as SARIF', () => {
  for (const one of loadCases(join(import.meta.dirname, '../../fixtures/cases'))) {
    it(`is valid in the case ${one.name}, and says what the case expects`, async () => {
      const report = await reportFolder(one);
      const { results, tool } = runOf(report);
      const { reviews, problems } = reduceReport(JSON.parse(printJson(report)));
      const LEVELS = new Map([
        ['high', 'error'],
        ['medium', 'warning'],
        ['low', 'note'],
      ]);
      const expected = [
        ...reviews.flatMap((review) => [
          ...review.findings.map((f) => [f.reason_code, LEVELS.get(f.severity), f.path, f.line, f.column]),
          ...review.inconclusive.map((i) => [i.reason_code, 'warning', i.path, i.line, i.column]),
          ...review.warnings.map((w) => [w.reason_code, 'note', w.path, w.line, w.column]),
        ]),
        ...problems.map((p) => {
          const kind = Object.entries(PROBLEMS).find(([code]) => code === p.code)?.[1];
          const level = kind === 'ignored' ? 'warning' : kind === 'caution' ? 'note' : 'error';
          return [p.code, level, p.path, p.line, p.column];
        }),
      ];
      const actual = results.map(({ ruleId, level, locations: [{ physicalLocation: at }] }) => {
        const { startLine, startColumn } = at.region;
        return [ruleId, level, decodeURIComponent(at.artifactLocation.uri), startLine, startColumn];
      });
      const inOrder = (rows: unknown[][]) => rows.map((row) => JSON.stringify(row)).sort();
      assert.deepEqual(inOrder(actual), inOrder(expected));
      for (const { ruleId, ruleIndex } of results) assert.equal(tool.driver.rules[ruleIndex]?.id, ruleId);
      assert.equal(new Set(results.map(fingerprintOf)).size, results.length, 'fingerprints are told apart');
    });
  }

  it('of nothing is valid too', () => {
    assert.deepEqual(runOf(reportOf([])).results, []);
  });

  it('has one rule a code, each with help', () => {
    const { driver } = runOf(reportOf([])).tool;
    assert.equal(driver.name, 'mcp-manifest-review');
    assert.equal(driver.semanticVersion, '1.2.3');
    assert.deepEqual(
      driver.rules.map(({ id }) => id),
      [...Object.keys(REASONS), ...Object.keys(PROBLEMS)],
    );
    for (const { id, help, shortDescription, fullDescription } of driver.rules) {
      assert.ok(help.markdown.includes(`\`${id}\``), id);
      for (const part of [help.text, fullDescription.text]) assert.match(part, /\S.*[.”]$/);
      assert.doesNotMatch(shortDescription.text, /_/);
    }
  });

  it('has regions that are the values themselves, in UTF-16 units', () => {
    const before = ordinary('\u{1F511}', { description: 'x' });
    const source = JSON.stringify(observed([ordinary('\u{1F511}')]));
    const { results } = runOf(
      reportOf([seen('a.observed.json', source), approved('a.declared.json', declared([before]))]),
    );
    const [result] = results;
    assert.ok(result);
    const { startLine, startColumn, endLine, endColumn } = result.locations[0].physicalLocation.region;
    assert.deepEqual([startLine, endLine], [1, 1]);
    assert.equal(source.slice(startColumn - 1, endColumn - 1), '"\u{1F511}"');
    const [related] = result.relatedLocations ?? [];
    assert.equal(related?.physicalLocation.artifactLocation.uri, 'a.declared.json');
  });

  it('writes paths as relative addresses', () => {
    for (const path of [
      'a b/#1 100%.observed.json',
      'ü/a?b.observed.json',
      'a:b.observed.json',
      '[x].observed.json',
    ]) {
      const { results } = runOf(reportOf([seen(path, observed([search]))]));
      const uri = results[0]?.locations[0].physicalLocation.artifactLocation.uri ?? '';
      assert.equal(new URL(uri, 'https://example.com/root/').href, `https://example.com/root/${uri}`);
      assert.equal(decodeURIComponent(uri), path);
    }
  });

  for (const name of HOSTILE_NAMES) {
    it(`shows ${JSON.stringify(name.slice(0, 30))} as text, wherever it stands`, () => {
      const odd = ordinary(name);
      const path = name.replaceAll('/', '').slice(0, 100);
      const reports = [
        reportOf([
          seen(`${path}.observed.json`, observed([odd], { id: name })),
          approved(`${path}.declared.json`, declared([], { id: name })),
        ]),
        reportOf([seen('a.observed.json', observed([odd, odd])), approved('a.declared.json', declared([]))]),
        reportOf([rules('policy.json', JSON.stringify({ declared_mcp_manifests: { [name]: 1 } }))]),
      ];
      for (const report of reports) {
        const { results } = runOf(report);
        assert.ok(results.length > 0);
        for (const { message, locations } of results) {
          for (const shown of [message.text, locations[0].logicalLocations?.[0].name ?? '']) {
            assert.doesNotMatch(shown, /[\u{0}-\u{1F}\u{202E}\u{200B}\u{2028}]/u);
          }
          // An unescaped bracket begins a link, a single brace a placeholder (SARIF 3.11.5 and 3.11.6).
          const rest = message.text.replace(/\\[\\[\]]/g, '').replace(/\{\{|\}\}/g, '');
          assert.doesNotMatch(rest, /[[\]{}\\]/, message.text);
        }
      }
    });
  }
});

describe('the fingerprint of a result', () => {
  /** Reverses every list of entries and the keys of every object, and drops all white space. */
  const reordered = (value: Json): Json => {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((item: Json) => reordered(item)).reverse();
    const entries = Object.entries(value).map(([key, child]): [string, Json | undefined] => [
      key,
      child === undefined ? child : reordered(child),
    ]);
    return Object.fromEntries(entries.reverse());
  };

  /** What identifies each result, by what it is about. */
  const identities = (report: Report) =>
    runOf(report)
      .results.map((result) =>
        JSON.stringify([
          result.ruleId,
          result.locations[0].logicalLocations?.[0].name ?? null,
          result.message.text,
          fingerprintOf(result),
        ]),
      )
      .sort();

  const all: Definition = { description: 'x', input_schema: 1, output_schema: 1, annotations: 1 };
  const before = [
    withFields(search),
    withFields(privileged('x.invite')),
    ordinary('old'),
    withFields(ordinary('a')),
    ordinary('half'),
  ];
  const now: Entry[] = [
    withFields(ordinary('search', all), all),
    withFields(privileged('x.invite', { description: 'x' }), { description: 'x' }),
    ordinary('new'),
    privileged('y.invite'),
    withFields(ordinary('a'), { annotations: 1 }),
    ordinary('half', { description: 'x' }),
  ];

  it('survives another order of tools and keys, and another layout', () => {
    const record = observed(now, { block: { tool_count: 7 } });
    const first = reportOf([seen('a.observed.json', record), approved('a.declared.json', declared(before))]);
    const second = reportOf([
      seen('a.observed.json', JSON.stringify(reordered(record))),
      approved('a.declared.json', JSON.stringify(reordered(declared(before)), null, '\t')),
    ]);
    assert.ok(runOf(first).results.length >= 10);
    assert.deepEqual(identities(second), identities(first));
  });

  it('survives lines that are added above', () => {
    const report = (head: object, comment: string) =>
      reportOf([
        seen('a.observed.json', { ...head, ...observed(now) }),
        approved('a.declared.json', { ...head, ...declared(before) }),
        rules('far/policy.yaml', comment + policy({ github: zero, other: zero })),
        seen('b.observed.json', { ...head, ...observed(now, { id: 'other' }) }),
      ]);
    assert.deepEqual(identities(report({ note: [1, 2] }, '# note\n\n')), identities(report({}, '')));
  });

  it('of a document’s problem survives them too', () => {
    const odd: Entry = { ...ordinary('odd'), action_class: 7 };
    const record = observed([search, odd, ordinary('big')]);
    const withBig = (value: Json) =>
      JSON.stringify(value).replace('"name":"big"', '"name":"big","note":9007199254740993');
    const first = reportOf([seen('a.observed.json', withBig(record))]);
    const second = reportOf([
      seen('a.observed.json', withBig(observed([ordinary('new'), search, odd, ordinary('big')]))),
    ]);
    const ofProblems = (report: Report) =>
      runOf(report)
        .results.filter(({ ruleId }) => Object.hasOwn(PROBLEMS, ruleId))
        .map((result) => [result.ruleId, fingerprintOf(result)]);
    assert.equal(ofProblems(first).length, 2);
    assert.deepEqual(ofProblems(second), ofProblems(first));
  });

  it('is another when something else was observed', () => {
    const one = (definition: Definition) => {
      const entry = withFields(ordinary('search', definition), definition);
      return runOf(
        reportOf([
          seen('a.observed.json', observed([entry])),
          approved('a.declared.json', declared([withFields(search)])),
          rules('policy.yaml', policy({ github: manifestDigest([withFields(search)]) })),
        ]),
      ).results.map((result) => [result.ruleId, fingerprintOf(result)] as const);
    };
    const first = one({ description: 'x' });
    const second = one({ description: 'y' });
    assert.deepEqual(
      first.map(([rule]) => rule),
      ['mcp_tool_manifest_drift', 'mcp_tool_description_changed'],
    );
    assert.deepEqual(
      second.map(([rule]) => rule),
      first.map(([rule]) => rule),
    );
    const known = new Set(first.map(([, fingerprint]) => fingerprint));
    assert.ok(second.every(([, fingerprint]) => !known.has(fingerprint)));
    // A change of another field leaves the finding about this one what it was.
    const third = one({ description: 'x', annotations: 1 });
    assert.equal(third[1]?.[1], first[1]?.[1]);
    assert.notEqual(third[0]?.[1], first[0]?.[1]);
  });

  it('is another for another tool, server, path, code and field', () => {
    const fingerprints = [
      reportOf([
        seen('a.observed.json', observed([searchNow, ordinary('other', { description: 'x' })])),
        approved('a.declared.json', declared([search, ordinary('other')])),
      ]),
      reportOf([
        seen('a.observed.json', observed([privileged('search', { description: 'Does another thing.' })])),
        approved('a.declared.json', declared([search])),
      ]),
      reportOf([
        seen('b.observed.json', observed([searchNow])),
        approved('b.declared.json', declared([search])),
      ]),
      reportOf([
        seen('a.observed.json', observed([searchNow], { id: 'x' })),
        approved('a.declared.json', declared([search], { id: 'x' })),
      ]),
    ].flatMap((report) => runOf(report).results.map(fingerprintOf));
    assert.equal(new Set(fingerprints).size, fingerprints.length);
  });
});
