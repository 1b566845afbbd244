import assert from 'node:assert/strict';
import { sha256 } from '../../src/desktop/sha256';
import { produce } from '../../src/engine/manifest/produce';
import { printRecord } from '../../src/engine/manifest/record';
import { COMPLETENESS } from '../../src/engine/manifest/schema';
import { review } from '../../src/engine/verdict/review';
import { fieldDigests, manifestDigest, toolDigest } from '../support/documents';
import { readAs } from '../support/read';

const record = (...definitions: unknown[]) => produce(definitions, 'github', 'complete', sha256);
const entries = (...definitions: unknown[]) => record(...definitions).observed.tool_digests;
const parse = (text: string): unknown => JSON.parse(text);

describe('an observed record', () => {
  it('has the keys of the specification in their order, and the four non-claims', () => {
    const printed = printRecord(record({ name: 'github.add_deploy_key', description: null }));
    const fields = fieldDigests({ description: null, input_schema: null });
    const tool = toolDigest('github.add_deploy_key', { description: null, input_schema: null });
    const manifest = manifestDigest([{ name: 'github.add_deploy_key', tool_digest: tool, privileged: true }]);
    assert.equal(
      printed,
      `{
  "schema": "assay.mcp_manifest_observed.v0",
  "status": "observed",
  "server": {
    "id": "github"
  },
  "observed": {
    "manifest_digest": "${manifest}",
    "canonicalization": "assay.mcp_manifest_projection.v0",
    "tool_count": 1,
    "privileged_tool_count": 1,
    "tools_list_observed": true,
    "tools_list_complete": "complete",
    "tool_digests": [
      {
        "name": "github.add_deploy_key",
        "tool_digest": "${tool}",
        "privileged": true,
        "privilege_classification": "classified",
        "action_class": "github_deploy_key",
        "field_digests": {
          "description": "${fields.description}",
          "input_schema": "${fields.input_schema}",
          "output_schema": "${fields.output_schema}",
          "annotations": "${fields.annotations}"
        }
      }
    ]
  },
  "non_claims": [
    "does not judge whether a manifest change is malicious",
    "does not infer tools outside the observed tools/list",
    "does not detect behavior drift under identical metadata",
    "privileged is classifier-derived, not the server's own annotations"
  ]
}
`,
    );
  });

  it('takes the wire’s spelling before the other, also when it is null', () => {
    const digestOf = (definition: object) => entries({ name: 'x', ...definition })[0]?.tool_digest;
    const expected = (input_schema: null | number, output_schema: null | number) =>
      toolDigest('x', { description: null, input_schema, output_schema });
    assert.equal(
      digestOf({ inputSchema: 1, input_schema: 2, outputSchema: 3, output_schema: 4 }),
      expected(1, 3),
    );
    assert.equal(
      digestOf({ inputSchema: null, input_schema: 2, outputSchema: null, output_schema: 4 }),
      expected(null, null),
    );
    assert.equal(digestOf({ input_schema: 2, output_schema: 4 }), expected(2, 4));
    assert.equal(digestOf({}), expected(null, null));
  });

  it('projects an absent and a null field alike, but not what is null inside', () => {
    const bare = entries({ name: 'x' });
    assert.deepEqual(entries({ name: 'x', description: null, annotations: null, inputSchema: null }), bare);
    assert.notEqual(
      entries({ name: 'x', annotations: { title: null } })[0]?.tool_digest,
      bare[0]?.tool_digest,
    );
    assert.notEqual(entries({ name: 'x', description: '' })[0]?.tool_digest, bare[0]?.tool_digest);
    assert.notEqual(entries({ name: 'x', description: 0 })[0]?.tool_digest, bare[0]?.tool_digest);
  });

  it('leaves out what the projection does not cover', () => {
    const more = { title: 'X', icons: [], _meta: {}, execution: {}, arguments: [] };
    assert.deepEqual(entries({ name: 'x', ...more }), entries({ name: 'x' }));
  });

  it('gives what has no name the empty one', () => {
    for (const definition of [{}, { name: 7 }, { name: null }, 'x', null, 7, ['name']]) {
      assert.equal(entries(definition)[0]?.name, '');
    }
    assert.equal(record('a', 'b').status, 'ambiguous');
  });

  it('hashes every key of a schema, inherited names among them', () => {
    const schema = (text: string) =>
      entries(parse(`{"name":"x","inputSchema":{"properties":${text}}}`))[0]?.tool_digest;
    assert.notEqual(schema('{"__proto__":{"type":"string"}}'), schema('{}'));
    assert.notEqual(schema('{"constructor":1}'), schema('{}'));
    assert.equal(entries(parse('{"__proto__":{"name":"x"}}'))[0]?.name, '');
  });

  it('is ambiguous with duplicate names: no digest, all details', () => {
    const { status, observed } = record(
      { name: 'invite' },
      { name: 'b' },
      { name: 'invite', description: 'x' },
    );
    assert.equal(status, 'ambiguous');
    assert.equal(observed.manifest_digest, null);
    assert.equal(observed.tool_count, 3);
    assert.equal(observed.privileged_tool_count, 2);
    assert.equal(observed.tool_digests.length, 3);
  });

  it('lists entries by the bytes of the raw name, then by digest', () => {
    const names = ['\u{1F511}', '\u{FF21}', 'b', 'B'];
    const listed = entries(...names.map((name) => ({ name })));
    assert.deepEqual(
      listed.map(({ name }) => name),
      ['B', 'b', '\u{FF21}', '\u{1F511}'],
    );
    const [first, second] = entries({ name: 'a', description: 'x' }, { name: 'a' });
    assert.ok((first?.tool_digest ?? '') < (second?.tool_digest ?? ''));
    assert.deepEqual(entries({ name: 'a' }, { name: 'a', description: 'x' }), [first, second]);
  });

  it('shows control characters as U+FFFD, except tab, newline and carriage return', () => {
    const shown = (name: string) => entries({ name })[0]?.name;
    assert.equal(
      shown('a\u{0}b\u{1F}c\u{7F}d\u{85}e\u{9F}'),
      'a\u{FFFD}b\u{FFFD}c\u{FFFD}d\u{FFFD}e\u{FFFD}',
    );
    assert.equal(
      shown('a\tb\nc\r\u{A0}\u{200B}\u{202E}\u{1F511}'),
      'a\tb\nc\r\u{A0}\u{200B}\u{202E}\u{1F511}',
    );
    assert.equal(produce([], 'git\u{7}hub', 'unknown', sha256).server.id, 'git\u{FFFD}hub');
  });

  it('decides status, digest and order by raw names', () => {
    const { status, observed } = record({ name: 'a\u{2}' }, { name: 'a\u{1}' });
    assert.equal(status, 'observed');
    assert.deepEqual(
      observed.tool_digests.map(({ name }) => name),
      ['a\u{FFFD}', 'a\u{FFFD}'],
    );
    const definition = { description: null, input_schema: null };
    const raw = ['a\u{1}', 'a\u{2}'].map((name) => ({
      name,
      tool_digest: toolDigest(name, definition),
      privileged: false,
    }));
    assert.equal(observed.manifest_digest, manifestDigest(raw));
    assert.equal(observed.tool_digests[0]?.tool_digest, raw[0]?.tool_digest);
  });

  it('classifies by the raw name and never by annotations', () => {
    const [hint] = entries({ name: 'x', annotations: { destructiveHint: true, privileged: true } });
    assert.equal(hint?.privileged, false);
    assert.equal(entries({ name: 'x.invite\u{7}' })[0]?.privileged, false);
  });

  it('passes on the observer’s claim of completeness', () => {
    for (const completeness of COMPLETENESS) {
      assert.equal(produce([], 'x', completeness, sha256).observed.tools_list_complete, completeness);
    }
  });

  it('refuses what has no canonical form, wherever it stands', () => {
    for (const bad of ['"\\ud83d"', '1e400', '{"\\udd11":1}']) {
      for (const key of ['description', 'inputSchema', 'output_schema', 'annotations']) {
        assert.throws(() => record(parse(`{"name":"x","${key}":[${bad}]}`)));
      }
    }
    assert.throws(() => record({ name: '\ud83d' }));
  });

  it('leaves the definitions as they were', () => {
    const definitions = [{ name: 'b', inputSchema: { b: 1, a: 2 } }, { name: 'a' }];
    const before = structuredClone(definitions);
    record(...definitions);
    assert.deepEqual(definitions, before);
  });

  it('reads back as a consistent observation', () => {
    const read = readAs('observed', 'a', printRecord(record({ name: 'invite' }, { name: 'b' })));
    assert.deepEqual(read.problems, []);
    const { inconclusive } = review(
      { serverId: 'github', observed: read, declared: [], policies: [], others: [] },
      sha256,
    );
    assert.deepEqual(
      inconclusive.map(({ code }) => code),
      ['no_declared_baseline'],
    );
  });
});
