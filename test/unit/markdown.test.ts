import assert from 'node:assert/strict';
import fc from 'fast-check';
import { printMarkdown } from '../../src/report/markdown';
import { NOT_COVERED } from '../../src/report/words';
import {
  declared,
  manifestDigest,
  observed,
  ordinary,
  policy,
  privileged,
  withFields,
} from '../support/documents';
import { HOSTILE_NAMES } from '../support/hostile';
import { outsideCode } from '../support/markdown';
import { approved, reportOf, rules, seen } from '../support/report';

const LIMIT = 65_536;
const search = ordinary('search');
const searchNow = ordinary('search', { description: 'Does another thing.' });
const names = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${prefix}${String(index).padStart(5, '0')}`);

describe('a report as Markdown', () => {
  it('begins with the summary, details folded, and ends with what it does not say', () => {
    const text = printMarkdown(
      reportOf([
        seen('a.observed.json', observed([privileged('x.invite'), searchNow])),
        approved('a.declared.json', declared([search])),
        rules('policy.yaml', policy({ other: manifestDigest([]) })),
      ]),
    );
    assert.equal(
      text,
      `### MCP manifest review: needs review

| server | verdict | high | medium | low | observed | baseline |
| --- | --- | ---: | ---: | ---: | --- | --- |
| \`github\` | needs review | 1 | 1 |  | \`a.observed.json\` | \`a.declared.json\` |
| \`other\` | inconclusive |  |  |  |  | \`policy.yaml\` |

Server \`github\`: needs review

<details>
<summary>Details</summary>

- **high** \`x.invite\`: privileged, added (\`a.observed.json:16\`)
- **medium** \`search\`: changed (fields cannot be told) (\`a.observed.json:21\`)

</details>

Server \`other\`: inconclusive

<details>
<summary>Details</summary>

- **inconclusive** Server “\`other\`” has a baseline, but no observed manifest was found. \`observed_manifest_missing\` (\`policy.yaml:2\`)

</details>

<sub>Drift is evidence from digests, not a statement about intent. ${NOT_COVERED}</sub>
`,
    );
  });

  it('of a clean review has nothing to fold', () => {
    const text = printMarkdown(
      reportOf([
        seen('a.observed.json', observed([search])),
        approved('a.declared.json', declared([search])),
      ]),
    );
    assert.match(text, /^### MCP manifest review: no finding\n/);
    assert.ok(!text.includes('<details>'));
    assert.ok(text.includes(NOT_COVERED));
  });

  it('of nothing is inconclusive', () => {
    assert.match(printMarkdown(reportOf([])), /^### .*: inconclusive\n\nNothing to review was found/);
  });

  it('has the problems of documents, with their places', () => {
    const text = printMarkdown(reportOf([seen('b.observed.json', observed([], { status: 'seen' }))]));
    const folded = text.slice(text.indexOf('<summary>Problems of documents</summary>'));
    assert.match(folded, /\n- .*status` must be .* \(`b\.observed\.json:3`\)\n/);
  });

  it('names the first tools of a group and how many more there are', () => {
    const tools = names('t', 50);
    const text = printMarkdown(
      reportOf([
        seen('a.observed.json', observed(tools.map((name) => ordinary(name)))),
        approved('a.declared.json', declared([])),
      ]),
    );
    const [line = '', ...more] = text.split('\n').filter((one) => one.startsWith('- '));
    assert.deepEqual(more, []);
    assert.match(line, /^- \*\*medium\*\* 50 tools: added: `t00000`, .*, `t00039` and 10 more$/);
  });

  it('names every baseline of a conflict', () => {
    const text = printMarkdown(
      reportOf([
        seen('a.observed.json', observed([search])),
        approved('one.declared.json', declared([search])),
        approved('two.declared.json', declared([searchNow])),
      ]),
    );
    assert.match(text, /`declared_manifest_baseline_conflict` \(`one\.[^`]+`, `two\.[^`]+`\)/);
  });
});

describe('foreign names in Markdown', function () {
  this.timeout(60_000);
  const OWN = /<\/?(?:details|summary|sub)>/g;
  const LINE = /^(?:$|### |- \*\*|- |\||<\/?(?:details|summary|sub)>|[A-Za-z0-9 ])/;

  /** Asserts that nothing foreign is left outside code where Markdown, HTML or the forge could take it up. */
  function assertInert(text: string): void {
    const whole = outsideCode(text);
    for (const line of whole.split('\n')) assert.match(line, LINE, text);
    const outside = whole.replaceAll(OWN, '');
    assert.doesNotMatch(outside, /<[a-z!/?]/i, text);
    assert.doesNotMatch(outside, /`/, text);
    assert.doesNotMatch(outside, /[@[\]]/, text);
    assert.doesNotMatch(outside, /https?:|www\.|command:/, text);
    // A forge looks for mentions and references in the text it has made of the entities.
    const read = outside.replace(/&#(\d+);/g, (_match, point: string) => String.fromCodePoint(Number(point)));
    assert.doesNotMatch(read, /@[\w-]|(?:^|[\s(“\w])#\d/m, text);
  }

  /** A report in which a name stands wherever a name can stand. */
  const reportsWith = (name: string) => {
    const path = name.replaceAll('/', '').slice(0, 200);
    const odd = ordinary(name);
    return [
      // A tool of its own line, and the path in the table.
      reportOf([
        seen(`${path}a.observed.json`, observed([odd])),
        approved(`${path}a.declared.json`, declared([])),
      ]),
      // A group.
      reportOf([
        seen('a.observed.json', observed([...names('t', 6).map((one) => ordinary(one)), odd])),
        approved('a.declared.json', declared([])),
      ]),
      // Two names that could finish each other, in a group and in the same place of a list.
      reportOf([
        seen(
          'a.observed.json',
          observed([...['`', '``', 'x`y', '<b>', 'z'].map((one) => ordinary(one)), odd]),
        ),
        approved('a`b.declared.json', declared([])),
      ]),
      // A server’s id, in the table and in a sentence.
      reportOf([seen('a.observed.json', observed([search], { id: name }))]),
      // A tool’s name in a sentence.
      reportOf([
        seen('a.observed.json', observed([odd, odd])),
        approved('a.declared.json', declared([search])),
      ]),
      reportOf([
        seen('a.observed.json', observed([withFields(odd)])),
        approved('a.declared.json', declared([withFields(odd, { description: 'x' })])),
      ]),
      // A key in the problem of a document.
      reportOf([
        seen(
          'a.observed.json',
          JSON.stringify(observed([search])).replace('{', `{${JSON.stringify(name)}:1e400,`),
        ),
        rules('policy.json', JSON.stringify({ declared_mcp_manifests: { [name]: 1 } })),
      ]),
    ];
  };

  for (const name of HOSTILE_NAMES) {
    const title = name.length > 40 ? `${name.slice(0, 3)}… (${name.length} characters)` : name;
    it(`like ${JSON.stringify(title)} are nothing but text`, () => {
      for (const report of reportsWith(name)) {
        const text = printMarkdown(report);
        assertInert(text);
        assert.ok(text.length < LIMIT);
      }
    });
  }

  it('that are empty do not open what another name closes', () => {
    const two = ['', 'x`<img src=x>'].map((name) => ordinary(name));
    const baseline = approved('a.declared.json', declared([]));
    assertInert(printMarkdown(reportOf([seen('a`<b>.observed.json', observed(two)), baseline])));
    const more = [...two, ...names('t', 4).map((name) => ordinary(name))];
    assertInert(printMarkdown(reportOf([seen('a.observed.json', observed(more)), baseline])));
  });

  it('like any other are nothing but text', () => {
    const piece = fc.constantFrom(
      '`',
      '``',
      '|',
      '\\',
      '<',
      '>',
      '&',
      '\n',
      ' ',
      '@a',
      '#1',
      '[',
      '](',
      'www.a.b',
      'x',
    );
    const name = fc.array(piece, { minLength: 1, maxLength: 8 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 8 }), (some) => {
        const tools = [...new Set(some)].map((one) => ordinary(one));
        const documents = [
          seen('a.observed.json', observed(tools)),
          approved('a.declared.json', declared([])),
        ];
        assertInert(printMarkdown(reportOf(documents)));
      }),
      { numRuns: 300 },
    );
  });

  it('keep the table’s columns', () => {
    for (const name of HOSTILE_NAMES.filter((one) => one.length < 200)) {
      const text = printMarkdown(
        reportOf([seen(`a${name.replaceAll('/', '')}.observed.json`, observed([search], { id: name }))]),
      );
      const rows = text.split('\n').filter((line) => line.startsWith('|'));
      for (const row of rows) assert.equal(row.split(/(?<!\\)\|/).length, 9, row);
      assert.equal(rows.length, 3);
    }
  });

  it('show their hidden characters', () => {
    const text = printMarkdown(
      reportOf([
        seen('a.observed.json', observed([ordinary('\u{202E}a\u{200B}\n')], { id: 'i\u{2066}' })),
        approved('a.declared.json', declared([], { id: 'i\u{2066}' })),
      ]),
    );
    for (const shown of ['\\u{202E}a\\u{200B}\\u{A}', 'i\\u{2066}']) assert.ok(text.includes(shown), shown);
  });
});

describe('the length of a comment', () => {
  /** A review of a server with many single findings: tools that no group holds, each by another field and note. */
  const review = (id: string, tools: number) => {
    const fields = ['description', 'input_schema', 'output_schema', 'annotations'];
    const all = names(`${id}-${'x'.repeat(60)}-`, tools);
    const changed = all.slice(0, 5 * 15).map((name, index) => {
      const kinds = fields.filter((_field, bit) => ((Math.floor(index / 5) + 1) >> bit) % 2 === 1);
      const definition = Object.fromEntries(kinds.map((field) => [field, 'x']));
      return [withFields(ordinary(name)), withFields(ordinary(name, definition), definition)] as const;
    });
    return [
      seen(
        `${id}.observed.json`,
        observed(
          changed.map(([, now]) => now),
          { id },
        ),
      ),
      approved(
        `${id}.declared.json`,
        declared(
          changed.map(([before]) => before),
          { id },
        ),
      ),
    ];
  };

  it('is limited, and what is left out is counted', () => {
    const one = printMarkdown(reportOf(review('s000', 75)));
    assert.ok(!one.includes('left out'));
    assert.equal(one.split('\n').filter((line) => line.startsWith('- ')).length, 75);
    const count = 12;
    const text = printMarkdown(reportOf(names('s', count).flatMap((id) => review(id, 75))));
    const folded = text.split('<details>').length - 1;
    assert.ok(text.length <= 60_000 + 200 && folded > 0 && folded < count, `${text.length}, ${folded}`);
    assert.match(text, new RegExp(`\n${count - folded} sections left out: too long .* text and JSON`));
    assert.equal(text.split('\n').filter((line) => line.startsWith('| `s')).length, count);
    assert.ok(text.endsWith('</sub>\n'));
  });

  it('is limited however many reviews there are', () => {
    const documents = names('server-with-an-ordinary-name-', 900).map((id) =>
      seen(`some/folder/of/${id}.observed.json`, observed([search], { id })),
    );
    const text = printMarkdown(reportOf(documents));
    assert.ok(text.length < LIMIT, String(text.length));
    assert.match(text, /left out/);
  });

  it('counts one section that is left out as one', () => {
    const many = Array.from({ length: 700 }, (_, index) => `{"name":"${index}-${'x'.repeat(80)}"}`);
    const broken = seen(
      'a.observed.json',
      JSON.stringify(observed([search])).replace('"tool_digests":[', `"tool_digests":[${many.join(',')},`),
    );
    const text = printMarkdown(reportOf([broken]));
    assert.match(text, /\n1 section left out: /);
    assert.ok(text.length < LIMIT);
  });
});
