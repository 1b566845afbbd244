import assert from 'node:assert/strict';
import { declared, observed, ordinary, withFields } from '../support/documents';
import { type Json, type Path, withValue } from '../support/layout';
import { readAs } from '../support/read';

const URI = 'file:///a.observed.json';
const record = observed([withFields({ ...ordinary('search'), action_class: null })]);

function readWith(path: Path, value: Json | undefined) {
  return readAs('observed', URI, withValue(record, path, value));
}

describe('the check of a document', () => {
  it('says what was expected, as data', () => {
    const entry = ['observed', 'tool_digests', 0] as const;
    const EXPECTED: readonly (readonly [Path, Json | undefined, string, string])[] = [
      [['status'], 'seen', '$.status', '"observed" | "not_observed" | "ambiguous"'],
      [['status'], undefined, '$.status', '"observed" | "not_observed" | "ambiguous"'],
      [['server'], 1, '$.server', 'object'],
      [['observed', 'tool_digests'], {}, '$.observed.tool_digests', 'array'],
      [['observed', 'tools_list_observed'], 0, '$.observed.tools_list_observed', 'boolean'],
      [[...entry, 'name'], [], '$.observed.tool_digests[0].name', 'string'],
      [[...entry, 'tool_digest'], 'x', '$.observed.tool_digests[0].tool_digest', 'digest'],
      [
        [...entry, 'field_digests', 'annotations'],
        'x',
        '$.observed.tool_digests[0].field_digests.annotations',
        'digest',
      ],
      [['observed', 'tool_count'], -1, '$.observed.tool_count', 'count'],
    ];
    for (const [path, value, printed, expected] of EXPECTED) {
      const [problem, ...more] = readWith(path, value).problems;
      assert.deepEqual(more, []);
      assert.equal(problem?.detail['path'], printed);
      assert.equal(problem.detail['expected'], expected);
      assert.equal(problem.detail['key'], value === undefined ? path.at(-1) : undefined);
    }
  });

  it('takes malformed optional data out and keeps the rest', () => {
    const document = readAs(
      'observed',
      URI,
      withValue(
        withValue(record, ['observed', 'tool_count'], 'many'),
        ['observed', 'tool_digests', 0, 'field_digests', 'description'],
        null,
      ),
    );
    assert.equal(document.problems.length, 2);
    const block = document.content?.manifest.observed;
    assert.equal(block?.tool_count, undefined);
    assert.equal(block?.privileged_tool_count, 0);
    assert.deepEqual(Object.keys(block.tool_digests[0]?.field_digests ?? {}), [
      'input_schema',
      'output_schema',
      'annotations',
    ]);
  });

  it('needs a baseline’s own manifest_digest, but not an observation’s', () => {
    assert.deepEqual(readWith(['observed', 'manifest_digest'], undefined).problems, []);
    const baseline = readAs('declared', URI, withValue(declared([]), ['manifest_digest'], undefined));
    assert.equal(baseline.content, null);
    assert.deepEqual(
      baseline.problems.map(({ code }) => code),
      ['value_missing'],
    );
  });

  it('accepts exactly the digests of the format', () => {
    const hex = '0123456789abcdef'.repeat(4);
    const DIGESTS: readonly (readonly [Json, boolean])[] = [
      [`sha256:${hex}`, true],
      [`sha256:${hex}0`, false],
      [`sha256:${hex.slice(1)}`, false],
      [`sha256:${hex.toUpperCase()}`, false],
      [`SHA256:${hex}`, false],
      [`sha256:${hex}\n`, false],
      [` sha256:${hex}`, false],
      [hex, false],
      ['', false],
      [null, false],
    ];
    for (const [digest, valid] of DIGESTS) {
      const { content } = readWith(['observed', 'tool_digests', 0, 'tool_digest'], digest);
      assert.equal(content !== null, valid, JSON.stringify(digest));
    }
  });

  it('knows the node of each entry', () => {
    const { content, source } = readAs('observed', URI, observed([ordinary('b'), ordinary('a')]));
    const names = content?.entryNodes.map((node) => {
      const { start, end } = content.nodes.rangeAt(['name'], node);
      return source.text.slice(start, end);
    });
    assert.deepEqual(names, ['"b"', '"a"']);
  });
});
