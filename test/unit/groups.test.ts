import assert from 'node:assert/strict';
import type { Severity } from '../../src/engine/reasons';
import type { Finding } from '../../src/engine/verdict/result';
import { countBySeverity, groupFindings } from '../../src/report/groups';
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
import { approved, reportOf, rules, seen } from '../support/report';

const names = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`);

/** The findings over tools whose definitions changed so; a name that ends in `.invite` is privileged. */
function findingsOf(changed: readonly (readonly [name: string, change: Definition | 'added' | 'removed'])[]) {
  const entry = (name: string, definition: Definition) =>
    withFields(
      name.endsWith('.invite') ? privileged(name, definition) : ordinary(name, definition),
      definition,
    );
  const before = changed.flatMap(([name, change]) => (change === 'added' ? [] : [entry(name, {})]));
  const now = changed.flatMap(([name, change]) => {
    if (change === 'removed') return [];
    return [entry(name, change === 'added' ? {} : change)];
  });
  const report = reportOf([
    seen('a.observed.json', observed(now)),
    approved('a.declared.json', declared(before)),
  ]);
  return report.reviews[0]?.findings ?? [];
}

/** Groups in words: single tools by name, groups by their tools. */
const shown = (findings: readonly Finding[]) =>
  groupFindings(findings).map((entry) => [
    entry.kind === 'tool' ? entry.tool : entry.tools.map(({ tool }) => tool),
    entry.what,
    entry.severity,
    entry.privileged,
  ]);

describe('groups of tools', () => {
  const annotations = { annotations: 1 };

  it('are made when more than five changed alike', () => {
    const five = names('t', 5);
    const six = names('t', 6);
    assert.deepEqual(
      shown(findingsOf(five.map((name) => [name, annotations]))),
      five.map((name) => [name, 'annotations', 'low', false]),
    );
    assert.deepEqual(shown(findingsOf(six.map((name) => [name, annotations]))), [
      [six, 'annotations', 'low', false],
    ]);
  });

  it('are told apart by the fields, by what happened, and by privilege', () => {
    const KINDS: readonly (readonly [
      prefix: string,
      change: Definition | 'added' | 'removed',
      what: string,
      Severity,
    ])[] = [
      ['a', annotations, 'annotations', 'low'],
      ['b', { ...annotations, output_schema: 1 }, 'output schema, annotations', 'low'],
      ['c', { description: 'x' }, 'description', 'medium'],
      ['d', { description: 'x', ...annotations }, 'description, annotations', 'medium'],
      ['e', 'added', 'added', 'medium'],
      ['f', 'removed', 'removed', 'medium'],
    ];
    const ordinaryTools = KINDS.flatMap(([prefix, change]) =>
      names(prefix, 6).map((name) => [name, change] as const),
    );
    const privilegedTools = names('g', 6).map((name) => [`${name}.invite`, annotations] as const);
    const groups = groupFindings(findingsOf([...ordinaryTools, ...privilegedTools]));
    assert.deepEqual(
      groups.map((entry) => [entry.kind, entry.what, entry.severity, entry.privileged]),
      [
        ['group', 'annotations', 'medium', true],
        ...['c', 'd', 'e', 'f'].map((prefix) => {
          const [, , what, severity] = KINDS.find(([own]) => own === prefix) ?? [];
          return ['group', what, severity, false];
        }),
        ['group', 'annotations', 'low', false],
        ['group', 'output schema, annotations', 'low', false],
      ],
    );
  });

  it('show what is privileged first, then what is gravest, single tools before groups, then by name', () => {
    const findings = findingsOf([
      ...names('m', 6).map((name) => [name, { description: 'x' }] as const),
      ...names('l', 6).map((name) => [name, annotations] as const),
      ['z', { input_schema: 1 }],
      ['y', { output_schema: 1 }],
      ['x', 'added'],
      ['b.invite', annotations],
      ['a.invite', { output_schema: 1 }],
      ['z.invite', { description: 'x' }],
    ]);
    assert.deepEqual(shown(findings), [
      ['z.invite', 'description', 'high', true],
      ['a.invite', 'output schema', 'medium', true],
      ['b.invite', 'annotations', 'medium', true],
      ['x', 'added', 'medium', false],
      ['z', 'input schema', 'medium', false],
      [names('m', 6), 'description', 'medium', false],
      ['y', 'output schema', 'low', false],
      [names('l', 6), 'annotations', 'low', false],
    ]);
  });

  it('order names by their bytes', () => {
    const findings = findingsOf([
      ['\u{1F511}', annotations],
      ['\u{FF21}', annotations],
    ]);
    assert.deepEqual(
      shown(findings).map(([name]) => name),
      ['\u{FF21}', '\u{1F511}'],
    );
  });

  it('hold every finding of every tool once, one a tool and field', () => {
    const changes = names('t', 7).map(
      (name) => [name, { description: 'x', input_schema: 1, output_schema: 1, annotations: 1 }] as const,
    );
    const findings = findingsOf([...changes, ['other', 'added'], ['invite', 'removed']]);
    const held = groupFindings(findings).flatMap((entry) =>
      entry.kind === 'tool' ? entry.findings : entry.tools.flatMap((tool) => tool.findings),
    );
    assert.equal(held.length, 7 * 4 + 2);
    assert.deepEqual(new Set(held), new Set(findings));
  });

  it('take the gravest of a tool’s findings for the tool', () => {
    const findings = findingsOf([['a', { description: 'x', output_schema: 1 }]]);
    assert.deepEqual(shown(findings), [['a', 'description, output schema', 'medium', false]]);
    assert.deepEqual(
      [...countBySeverity(findings)],
      [
        ['high', 0],
        ['medium', 1],
        ['low', 0],
      ],
    );
  });

  it('leave out what is of no tool, but count it', () => {
    const { reviews } = reportOf([
      seen('a.observed.json', observed([ordinary('a')])),
      rules('policy.yaml', policy({ github: manifestDigest([]) })),
    ]);
    const findings = reviews[0]?.findings ?? [];
    assert.equal(findings.length, 1);
    assert.deepEqual(groupFindings(findings), []);
    assert.equal(countBySeverity(findings).get('medium'), 1);
  });

  it('are told apart by the notes on their findings', () => {
    const before = names('t', 12).map((name) => ordinary(name));
    const now = names('t', 12).map((name, index) => {
      const changed = ordinary(name, annotations);
      return index < 6 ? changed : withFields(changed);
    });
    const withAll = before.map((entry, index) => (index < 6 ? entry : withFields(entry)));
    const { reviews } = reportOf([
      seen('a.observed.json', observed(now)),
      approved('a.declared.json', declared(withAll)),
    ]);
    const groups = groupFindings(reviews[0]?.findings ?? []);
    assert.deepEqual(
      groups.map((entry) => (entry.kind === 'group' ? entry.tools[0]?.findings[0]?.notes : [])),
      [['field_attribution_unavailable'], ['field_attribution_inconsistent']],
    );
  });
});
