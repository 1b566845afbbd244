import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { sha256 } from '../../src/desktop/sha256';
import { canonicalText, digestManifest, digestTool, FIELDS } from '../../src/engine/canon/digests';
import { compareUtf8 } from '../../src/engine/canon/order';

const hash = (text: string) => `sha256:${createHash('sha256').update(text, 'utf8').digest('hex')}`;

const tool = {
  name: 'search',
  description: 'Finds – things',
  input_schema: { type: 'object', properties: { b: 1, a: [1e21, -0] } },
  output_schema: null,
  annotations: null,
};

describe('digests', () => {
  it('hash a tool over its canonical projection', () => {
    const preimage =
      '{"annotations":null,"description":"Finds – things",' +
      '"input_schema":{"properties":{"a":[1e+21,0],"b":1},"type":"object"},"name":"search","output_schema":null}';
    assert.equal(digestTool(tool, sha256).toolDigest, hash(preimage));
  });

  it('hash a field under its own name and projection', () => {
    const { fieldDigests } = digestTool(tool, sha256);
    const preimage = (field: string, value: string) =>
      hash(`{"field":"${field}","projection":"assay.mcp_tool_field.v0","value":${value}}`);
    assert.deepEqual(fieldDigests, {
      description: preimage('description', '"Finds – things"'),
      input_schema: preimage('input_schema', '{"properties":{"a":[1e+21,0],"b":1},"type":"object"}'),
      output_schema: preimage('output_schema', 'null'),
      annotations: preimage('annotations', 'null'),
    });
  });

  it('of equal values in different fields differ', () => {
    for (const value of [null, 'x', {}]) {
      const all = { description: value, input_schema: value, output_schema: value, annotations: value };
      const digests = Object.values(digestTool({ name: 'x', ...all }, sha256).fieldDigests);
      assert.equal(new Set(digests).size, FIELDS.length);
    }
  });

  it('compose as if each preimage were canonicalised whole', () => {
    const anyTool = fc.record({
      name: fc.string({ unit: 'binary' }),
      description: fc.jsonValue({ stringUnit: 'binary' }),
      input_schema: fc.jsonValue({ stringUnit: 'binary' }),
      output_schema: fc.jsonValue(),
      annotations: fc.jsonValue(),
    });
    fc.assert(
      fc.property(anyTool, (any) => {
        const { toolDigest, fieldDigests } = digestTool(any, sha256);
        assert.equal(toolDigest, hash(canonicalize(any) ?? ''));
        for (const field of FIELDS) {
          const preimage = { projection: 'assay.mcp_tool_field.v0', field, value: any[field] };
          assert.equal(fieldDigests[field], hash(canonicalize(preimage) ?? ''));
        }
      }),
    );
  });

  it('do not depend on the order of keys, but on the order of arrays', () => {
    const with_ = (input_schema: unknown) => digestTool({ ...tool, input_schema }, sha256).toolDigest;
    assert.equal(with_({ a: 1, b: { c: 1, d: 2 } }), with_({ b: { d: 2, c: 1 }, a: 1 }));
    assert.notEqual(with_({ required: ['a', 'b'] }), with_({ required: ['b', 'a'] }));
  });

  it('reach keys that objects inherit', () => {
    const schema: unknown = JSON.parse('{"__proto__":{"type":"string"},"constructor":1,"toString":2}');
    assert.equal(canonicalText(schema), '{"__proto__":{"type":"string"},"constructor":1,"toString":2}');
  });

  it('refuse what has no canonical form', () => {
    for (const value of ['\ud83d', { '\udd11': 1 }, ['a', { b: '\ud83dx' }], Infinity, NaN, undefined]) {
      assert.throws(() => canonicalText(value));
      assert.throws(() => digestTool({ ...tool, annotations: value }, sha256));
    }
    assert.throws(() => digestManifest([{ name: '\ud83d', tool_digest: 'sha256:0' }], sha256));
  });
});

describe('the manifest digest', () => {
  const entry = (name: string, tool_digest: string) => ({ name, tool_digest });

  it('hashes name and digest of each tool under the projection', () => {
    const preimage =
      '{"projection":"assay.mcp_manifest_projection.v0",' +
      '"tools":[{"name":"a","tool_digest":"sha256:2"},{"name":"b","tool_digest":"sha256:1"}]}';
    const entries = [
      { ...entry('b', 'sha256:1'), privileged: true },
      { ...entry('a', 'sha256:2'), privileged: false },
    ];
    assert.equal(digestManifest(entries, sha256), hash(preimage));
  });

  it('of no tools is a digest all the same', () => {
    const preimage = '{"projection":"assay.mcp_manifest_projection.v0","tools":[]}';
    assert.equal(digestManifest([], sha256), hash(preimage));
  });

  it('sorts names by their bytes, not by UTF-16 units', () => {
    // U+FF21 is EF BC A1 and U+1F511 is F0 9F 94 91; as UTF-16 the second begins with D83D and would come first.
    const preimage =
      '{"projection":"assay.mcp_manifest_projection.v0",' +
      '"tools":[{"name":"\u{FF21}","tool_digest":"sha256:1"},{"name":"\u{1F511}","tool_digest":"sha256:2"}]}';
    assert.equal(
      digestManifest([entry('\u{1F511}', 'sha256:2'), entry('\u{FF21}', 'sha256:1')], sha256),
      hash(preimage),
    );
  });

  it('sorts equal names by digest', () => {
    const preimage =
      '{"projection":"assay.mcp_manifest_projection.v0",' +
      '"tools":[{"name":"a","tool_digest":"sha256:1"},{"name":"a","tool_digest":"sha256:2"}]}';
    assert.equal(digestManifest([entry('a', 'sha256:2'), entry('a', 'sha256:1')], sha256), hash(preimage));
  });

  it('does not depend on the order of entries, and leaves them as they are', () => {
    const entries = fc.array(
      fc.record(
        { name: fc.string({ unit: 'binary', maxLength: 3 }), tool_digest: fc.constantFrom('1', '2') },
        { noNullPrototype: true },
      ),
    );
    fc.assert(
      fc.property(entries, (some) => {
        const before = structuredClone(some);
        const digest = digestManifest(some, sha256);
        assert.deepEqual(some, before);
        assert.equal(digestManifest([...some].reverse(), sha256), digest);
      }),
    );
  });
});

describe('the order of strings', () => {
  it('is that of their UTF-8 bytes', () => {
    const text = fc.string({ unit: 'binary', maxLength: 4 });
    fc.assert(
      fc.property(text, text, (a, b) => {
        assert.equal(Math.sign(compareUtf8(a, b)), Buffer.compare(Buffer.from(a), Buffer.from(b)));
      }),
    );
  });

  it('is total where UTF-16 would differ', () => {
    const sorted = [
      '',
      'A',
      'a',
      'aa',
      '\u{7F}',
      'é',
      '\u{D7FF}',
      '\u{E000}',
      '\u{FFFF}',
      '\u{10000}',
      '\u{10FFFF}',
    ];
    assert.deepEqual([...sorted].reverse().sort(compareUtf8), sorted);
  });
});
