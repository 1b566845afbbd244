import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { sha256 } from '../../src/desktop/sha256';
import { canonicalText, digestManifest, digestTool } from '../../src/engine/canon/digests';
import { produce } from '../../src/engine/manifest/produce';
import { printRecord } from '../../src/engine/manifest/record';
import { COMPLETENESS } from '../../src/engine/manifest/schema';
import { recomputeBaseline } from '../../src/engine/promote/plan';
import { review } from '../../src/engine/verdict/review';
import { notObserved, policy } from '../support/documents';
import type { Json } from '../support/layout';
import { readAs } from '../support/read';
import { readShared, sharedPath } from '../support/shared';

const json: z.ZodType<Json> = z.json();
const projection = z.object({
  name: z.string(),
  description: json,
  input_schema: json,
  output_schema: json,
  annotations: json,
});

describe('RFC 8785 vectors', () => {
  const vectors = readShared(z.record(z.string(), z.unknown()), 'vectors', 'rfc8785.json');
  const vector = z.object({ input: z.string(), expected: z.string() });
  const named = Object.entries(vectors).filter(([name]) => !name.startsWith('_'));

  it('are all here', () => {
    assert.equal(named.length, 31);
  });

  for (const [name, value] of named) {
    it(name, () => {
      const { input, expected } = vector.parse(value);
      const parsed: unknown = JSON.parse(input);
      assert.equal(canonicalText(parsed), expected);
    });
  }
});

describe('the canonicalization example', () => {
  const example = readShared(
    z.object({
      per_tool: z.object({
        projection,
        expected_tool_digest: z.string(),
        expected_field_digests: z.record(z.string(), z.string()),
      }),
      manifest: z.object({ tools: z.array(projection), expected_manifest_digest: z.string() }),
    }),
    'vectors',
    'assay',
    'canonicalization_example.json',
  );

  it('has our tool digest and field digests', () => {
    const { toolDigest, fieldDigests } = digestTool(example.per_tool.projection, sha256);
    assert.equal(toolDigest, example.per_tool.expected_tool_digest);
    assert.deepEqual(fieldDigests, example.per_tool.expected_field_digests);
  });

  it('has our manifest digest, produced and recomputed', () => {
    const { tools, expected_manifest_digest: expected } = example.manifest;
    const { observed } = produce(tools, 'github', 'complete', sha256);
    assert.equal(observed.manifest_digest, expected);
    assert.equal(digestManifest(observed.tool_digests, sha256), expected);
  });
});

describe('declared baselines', () => {
  for (const name of [
    'declared_per_tool_baseline.json',
    'declared_per_tool_baseline_readonly_annotation.json',
  ]) {
    it(`${name} is valid and recomputes`, () => {
      const text = readFileSync(sharedPath('vectors', 'assay', name), 'utf8');
      const baseline = readAs('declared', `file:///${name}`, text);
      assert.deepEqual(baseline.problems, []);
      const stated = baseline.content?.manifest.manifest_digest;
      assert.ok(stated);
      assert.equal(recomputeBaseline(baseline, sha256)?.digest, stated);
    });
  }
});

describe('per-tool cases', () => {
  const { cases } = readShared(
    z.object({
      cases: z.array(
        z.object({
          id: z.string(),
          observed: json,
          declared: json,
          expected: z.object({
            findings: z.array(z.object({ name: z.string(), reason_code: z.string() })),
            inconclusive: z.array(z.string()),
          }),
        }),
      ),
    }),
    'vectors',
    'assay',
    'granular_diff_cases.json',
  );

  it('are all here', () => {
    assert.equal(cases.length, 17);
  });

  for (const one of cases) {
    it(one.id, () => {
      const observed = readAs('observed', 'file:///a.observed.json', one.observed);
      const declared = readAs('declared', 'file:///a.declared.json', one.declared);
      assert.deepEqual([...observed.problems, ...declared.problems], []);
      const { serverId } = observed;
      const result = review({ serverId, observed, declared: [declared], policies: [], others: [] }, sha256);
      assert.deepEqual(
        result.findings.map(({ tool, code }) => ({ name: tool, reason_code: code })),
        one.expected.findings,
      );
      // The vectors list what the gate says; an incomplete observation beside a finding says nothing more here.
      assert.deepEqual(
        result.inconclusive.map(({ code }) => code),
        one.expected.inconclusive,
      );
    });
  }
});

describe('coarse cases', () => {
  const { cases } = readShared(
    z.object({
      cases: z.array(
        z.object({
          id: z.string(),
          baseline_manifest_digest: z.string(),
          observed: z.object({
            tools: z.array(z.unknown()),
            tools_list_observed: z.boolean(),
            tools_list_complete: z.enum(COMPLETENESS),
          }),
          expected_verdict: z.string(),
        }),
      ),
    }),
    'vectors',
    'assay',
    'verdict_corpus.json',
  );

  it('are all here', () => {
    assert.equal(cases.length, 13);
  });

  for (const { id, baseline_manifest_digest: pinned, observed: given, expected_verdict: expected } of cases) {
    it(id, () => {
      // The corpus holds tool definitions; a producer makes the record of them.
      const record = given.tools_list_observed
        ? printRecord(produce(given.tools, 'github', given.tools_list_complete, sha256))
        : notObserved();
      const observed = readAs('observed', 'file:///a.observed.json', record);
      const rules = readAs('policy', 'file:///policy.yaml', policy({ github: pinned }));
      const result = review(
        { serverId: 'github', observed, declared: [], policies: [rules], others: [] },
        sha256,
      );
      const [reason, ...more] = result.inconclusive.map(({ code }) => code);
      assert.deepEqual(more, []);
      assert.equal(reason ?? result.verdict, expected);
      if (expected === 'pending_tool_manifest_review') {
        assert.deepEqual(
          result.findings.map(({ code }) => code),
          ['mcp_tool_manifest_drift'],
        );
      }
    });
  }
});
