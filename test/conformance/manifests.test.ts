import assert from 'node:assert/strict';
import * as z from 'zod';
import { sha256 } from '../../src/desktop/sha256';
import { produce } from '../../src/engine/manifest/produce';
import { printRecord } from '../../src/engine/manifest/record';
import { planPromotion } from '../../src/engine/promote/plan';
import { review } from '../../src/engine/verdict/review';
import { readAs } from '../support/read';
import { readCapture, readShared } from '../support/shared';

const expectedSchema = z.record(
  z.string(),
  z.object({
    status: z.string(),
    manifest_digest: z.string().nullable(),
    tool_count: z.number(),
    tool_digests: z.array(
      z.object({
        name: z.string(),
        tool_digest: z.string(),
        field_digests: z.record(z.string(), z.string()),
      }),
    ),
  }),
);

const expected = Object.entries(readShared(expectedSchema, 'manifests', 'expected-digests.json'));

const byNameAndDigest = (
  a: { name: string; tool_digest: string },
  b: { name: string; tool_digest: string },
) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)) || (a.tool_digest < b.tool_digest ? -1 : 1);

/** The record of a capture, as text. */
const recordOf = (name: string) =>
  printRecord(produce(readCapture(name), name.slice(0, name.indexOf('/')), 'complete', sha256));

describe('captures of real servers', () => {
  it('are all here', () => {
    assert.equal(expected.length, 42);
  });

  for (const [name, { status, manifest_digest, tool_count, tool_digests }] of expected) {
    it(`${name} has the digests of three other implementations`, () => {
      const produced = produce(readCapture(name), 'server', 'complete', sha256);
      assert.equal(produced.status, status);
      assert.equal(produced.observed.manifest_digest, manifest_digest);
      assert.equal(produced.observed.tool_count, tool_count);
      assert.deepEqual(
        produced.observed.tool_digests.map(({ name: tool, tool_digest, field_digests }) => ({
          name: tool,
          tool_digest,
          field_digests,
        })),
        [...tool_digests].sort(byNameAndDigest),
      );
    });
  }
});

describe('consecutive versions', () => {
  const names = expected.map(([name]) => name).sort(byVersion);
  const pairs = names.flatMap((now, index) => {
    const before = names[index - 1];
    return before !== undefined && serverOf(before) === serverOf(now) ? [[before, now] as const] : [];
  });

  it('are compared for every server with several', () => {
    const servers = new Set(names.map(serverOf));
    assert.equal(pairs.length, names.length - servers.size);
    assert.ok(pairs.length > 0);
  });

  for (const [before, now] of pairs) {
    it(`${before} → ${now}`, () => {
      const result = compare(before, now);
      assert.deepEqual([...result.inconclusive, ...result.warnings], []);
      const { added, removed, changed } = difference(before, now);
      const codes = (pattern: RegExp) => result.findings.filter(({ code }) => pattern.test(code));
      assert.deepEqual(
        codes(/added|new_privileged/)
          .map(({ tool }) => tool)
          .sort(),
        added.sort(),
      );
      assert.deepEqual(
        codes(/removed/)
          .map(({ tool }) => tool)
          .sort(),
        removed.sort(),
      );
      // Digests of all fields are there, so every change is told by field.
      const fields = codes(/_changed$/).map(({ tool, field }) => `${tool ?? ''} ${field ?? ''}`);
      assert.deepEqual(fields.sort(), changed.sort());
      assert.equal(
        result.verdict,
        added.length + removed.length + changed.length > 0 ? 'pending_tool_manifest_review' : 'no_finding',
      );
    });
  }

  for (const name of names) {
    it(`${name} is clean against itself`, () => {
      assert.equal(compare(name, name).verdict, 'no_finding');
    });
  }
});

/** A review of one capture against the baseline promoted from another. */
function compare(before: string, now: string) {
  const approved = readAs('observed', 'file:///before.observed.json', recordOf(before));
  const none = { declared: null, policy: null, newBaseline: 'file:///a.declared.json' };
  const plan = planPromotion(approved, none, null, sha256);
  assert.ok(typeof plan !== 'string', `refused: ${JSON.stringify(plan)}`);
  const declared = readAs('declared', 'file:///a.declared.json', plan.files[0]?.after ?? '');
  const observed = readAs('observed', 'file:///a.observed.json', recordOf(now));
  const { serverId } = observed;
  return review({ serverId, observed, declared: [declared], policies: [], others: [] }, sha256);
}

/** What differs between two captures by the digests others have made. */
function difference(before: string, now: string) {
  const tools = (name: string) =>
    new Map(expected.find(([other]) => other === name)?.[1].tool_digests.map((tool) => [tool.name, tool]));
  const [old, current] = [tools(before), tools(now)];
  return {
    added: [...current.keys()].filter((tool) => !old.has(tool)),
    removed: [...old.keys()].filter((tool) => !current.has(tool)),
    changed: [...current.values()].flatMap((tool) => {
      const was = old.get(tool.name)?.field_digests ?? tool.field_digests;
      return Object.keys(was)
        .filter((field) => was[field] !== tool.field_digests[field])
        .map((field) => `${tool.name} ${field}`);
    }),
  };
}

function serverOf(name: string): string {
  return name.slice(0, name.indexOf('/'));
}

function byVersion(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}
