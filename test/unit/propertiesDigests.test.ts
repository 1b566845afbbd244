import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { sha256 } from '../../src/desktop/sha256';
import {
  digestManifest,
  digestTool,
  type Field,
  FIELDS,
  type ToolProjection,
} from '../../src/engine/canon/digests';
import { produce } from '../../src/engine/manifest/produce';

const hash = (value: unknown) =>
  `sha256:${createHash('sha256')
    .update(canonicalize(value) ?? '', 'utf8')
    .digest('hex')}`;

const PARAMETERS = { numRuns: 300 };
const json = fc.jsonValue({ stringUnit: 'binary', maxDepth: 3 });
const anyTool: fc.Arbitrary<ToolProjection> = fc.record(
  {
    name: fc.string({ unit: 'binary' }),
    description: json,
    input_schema: json,
    output_schema: json,
    annotations: json,
  },
  { noNullPrototype: true },
);
const anyField = fc.constantFrom(...FIELDS);
const definitions = fc.array(
  fc.record(
    { name: fc.string({ unit: 'binary', maxLength: 3 }), description: json, inputSchema: json },
    { requiredKeys: ['name'], noNullPrototype: true },
  ),
  { maxLength: 6 },
);

/** Puts the keys of every object in another order; what is said stays the same. */
function reversed(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(reversed);
  const entries = Object.entries(value).map(([key, child]): [string, unknown] => [key, reversed(child)]);
  return Object.fromEntries(entries.reverse());
}

const digestsOf = (tool: ToolProjection) => digestTool(tool, sha256);

describe('digests of any tool', function () {
  this.timeout(60_000);
  it('are those of its projections, canonicalised whole', () => {
    fc.assert(
      fc.property(anyTool, (tool) => {
        const { toolDigest, fieldDigests } = digestsOf(tool);
        assert.equal(toolDigest, hash(tool));
        for (const field of FIELDS) {
          const preimage = { projection: 'assay.mcp_tool_field.v0', field, value: tool[field] };
          assert.equal(fieldDigests[field], hash(preimage));
        }
      }),
      PARAMETERS,
    );
  });

  it('do not depend on the order of keys', () => {
    fc.assert(
      fc.property(anyTool, (tool) => {
        const other = { ...tool };
        for (const field of FIELDS) Object.assign(other, { [field]: reversed(tool[field]) });
        assert.deepEqual(digestsOf(other), digestsOf(tool));
      }),
      PARAMETERS,
    );
  });

  it('are told apart by the field they are of, whatever its value', () => {
    fc.assert(
      fc.property(json, fc.string(), (value, name) => {
        const tool = {
          name,
          description: value,
          input_schema: value,
          output_schema: value,
          annotations: value,
        };
        const { toolDigest, fieldDigests } = digestsOf(tool);
        assert.equal(new Set([toolDigest, ...Object.values(fieldDigests)]).size, FIELDS.length + 1);
      }),
      PARAMETERS,
    );
  });

  it('change exactly where a field changes: the tool’s, and that field’s', () => {
    fc.assert(
      fc.property(anyTool, anyField, json, (tool, field, value) => {
        fc.pre(canonicalize(value) !== canonicalize(tool[field]));
        assertChanged(tool, { ...tool, [field]: value }, [field]);
      }),
      PARAMETERS,
    );
  });

  it('change exactly where one byte of a field changes', () => {
    const text = fc.string({ minLength: 1, unit: 'grapheme-ascii' });
    fc.assert(
      fc.property(anyTool, anyField, text, fc.nat(), (tool, field, before, place) => {
        const at = place % before.length;
        const changed = String.fromCharCode(before.charCodeAt(at) ^ 1);
        const after = before.slice(0, at) + changed + before.slice(at + 1);
        const wrap = (value: string) => (place % 2 === 0 ? value : { deep: [{ value }] });
        assertChanged({ ...tool, [field]: wrap(before) }, { ...tool, [field]: wrap(after) }, [field]);
      }),
      PARAMETERS,
    );
  });

  it('of a renamed tool change for the tool alone: a name is no field', () => {
    fc.assert(
      fc.property(anyTool, fc.string({ unit: 'binary' }), (tool, name) => {
        fc.pre(name !== tool.name);
        assertChanged(tool, { ...tool, name }, []);
      }),
      PARAMETERS,
    );
  });

  function assertChanged(before: ToolProjection, after: ToolProjection, fields: readonly Field[]): void {
    const [old, now] = [digestsOf(before), digestsOf(after)];
    assert.notEqual(now.toolDigest, old.toolDigest);
    assert.deepEqual(
      FIELDS.filter((field) => now.fieldDigests[field] !== old.fieldDigests[field]),
      fields,
    );
    const other = { name: 'other', tool_digest: old.toolDigest };
    const manifest = (name: string, tool_digest: string) =>
      digestManifest([other, { name, tool_digest }], sha256);
    assert.notEqual(manifest(before.name, old.toolDigest), manifest(after.name, now.toolDigest));
  }
});

describe('the digest of any manifest', function () {
  this.timeout(60_000);
  const entries = fc.array(
    fc.record(
      { name: fc.string({ unit: 'binary', maxLength: 2 }), tool_digest: fc.constantFrom('1', '2') },
      { noNullPrototype: true },
    ),
    { maxLength: 8 },
  );

  it('is that of its projection, sorted by UTF-8 bytes', () => {
    fc.assert(
      fc.property(entries, (some) => {
        const bytes = (text: string) => Buffer.from(text);
        const tools = [...some].sort(
          (a, b) =>
            Buffer.compare(bytes(a.name), bytes(b.name)) ||
            Buffer.compare(bytes(a.tool_digest), bytes(b.tool_digest)),
        );
        const whole = { projection: 'assay.mcp_manifest_projection.v0', tools };
        assert.equal(digestManifest(some, sha256), hash(whole));
      }),
      PARAMETERS,
    );
  });

  it('does not depend on the order of entries', () => {
    const shuffled = entries.chain((some) =>
      fc.tuple(fc.constant(some), fc.shuffledSubarray(some, { minLength: some.length })),
    );
    fc.assert(
      fc.property(shuffled, ([some, other]) => {
        assert.equal(digestManifest(other, sha256), digestManifest(some, sha256));
      }),
      PARAMETERS,
    );
  });

  it('is another when an entry is left out, repeated or changed', () => {
    fc.assert(
      fc.property(entries, fc.nat(), (some, place) => {
        fc.pre(some.length > 0);
        const at = place % some.length;
        const digest = digestManifest(some, sha256);
        const [entry] = some.slice(at);
        assert.ok(entry);
        const rest = some.filter((_entry, index) => index !== at);
        const others = [
          rest,
          [...some, entry],
          [...rest, { ...entry, name: `${entry.name}x` }],
          [...rest, { ...entry, tool_digest: `${entry.tool_digest}x` }],
        ];
        for (const other of others) assert.notEqual(digestManifest(other, sha256), digest);
      }),
      PARAMETERS,
    );
  });
});

describe('the record of any definitions', function () {
  this.timeout(60_000);
  it('does not depend on their order, nor on the order of their keys', () => {
    fc.assert(
      fc.property(definitions, (some) => {
        const record = produce(some, 'x', 'complete', sha256);
        assert.deepEqual(produce([...some].reverse(), 'x', 'complete', sha256), record);
        assert.deepEqual(produce(some.map(reversed), 'x', 'complete', sha256), record);
      }),
      PARAMETERS,
    );
  });

  it('is the same through the text of a capture', () => {
    fc.assert(
      fc.property(definitions, (some) => {
        const parsed: unknown = JSON.parse(JSON.stringify(some));
        assert.ok(Array.isArray(parsed));
        assert.deepEqual(produce(parsed, 'x', 'complete', sha256), produce(some, 'x', 'complete', sha256));
      }),
      PARAMETERS,
    );
  });

  it('has the digest of every tool and field, by the projections', () => {
    fc.assert(
      fc.property(definitions, (some) => {
        const { tool_digests } = produce(some, 'x', 'complete', sha256).observed;
        const expected = some.map(({ name, description = null, inputSchema = null }) => ({
          tool: hash({
            name,
            description,
            input_schema: inputSchema,
            output_schema: null,
            annotations: null,
          }),
          description: hash({
            projection: 'assay.mcp_tool_field.v0',
            field: 'description',
            value: description,
          }),
        }));
        const pairs = tool_digests.map(({ tool_digest, field_digests }) => [
          tool_digest,
          field_digests.description,
        ]);
        assert.deepEqual(
          pairs.map((one) => one.join()).sort(),
          expected.map(({ tool, description }) => [tool, description].join()).sort(),
        );
      }),
      PARAMETERS,
    );
  });
});
