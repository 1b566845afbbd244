import assert from 'node:assert/strict';
import fc from 'fast-check';
import * as z from 'zod';
import { sha256 } from '../../src/desktop/sha256';
import { planAcceptance, planPromotion, type Promotion, type Refusal } from '../../src/engine/promote/plan';
import { review } from '../../src/engine/verdict/review';
import { cleanEntries, digestOf, ZERO } from '../support/arbitraries';
import { declared, observed, policy } from '../support/documents';
import type { NaiveEntry } from '../support/naiveGates';
import { readAs } from '../support/read';

const OBSERVED = 'file:///w/a.observed.json';
const BASELINE = 'file:///w/a.declared.json';
const POLICY = 'file:///w/policy.yaml';
const PARAMETERS = { numRuns: 120 };

/** Entries in an order of their own, half of them as they were before. */
const change = fc.tuple(cleanEntries, cleanEntries, fc.nat()).chain(([before, other, cut]) => {
  const kept = before.slice(0, cut % (before.length + 1));
  const names = new Set(kept.map(({ name }) => name));
  const now = [...kept, ...other.filter(({ name }) => !names.has(name))];
  return fc.record({
    before: fc.constant(before),
    now: fc.shuffledSubarray(now, { minLength: now.length }),
    order: fc.infiniteStream(fc.nat()),
    layout: fc.constantFrom('two', 'tab', 'line', 'crlf', 'entry'),
    unknown: fc.boolean(),
  });
});

/** What a person may have added, at every level; `tag` tells one entry's from another's. */
const EXTRA = { note: 'June', reviewers: [{ name: 'someone' }], last: null };

function baselineText(before: readonly NaiveEntry[], layout: string, unknown: boolean): string {
  const tools = before.map((entry) => ({ ...entry, ...(unknown ? { by: entry.name, links: [1, {}] } : {}) }));
  const document = { ...(unknown ? EXTRA : {}), ...declared(tools), ...(unknown ? { tail: [[]] } : {}) };
  switch (layout) {
    case 'tab':
      return `${JSON.stringify(document, null, '\t')}\n`;
    case 'line':
      return JSON.stringify(document);
    case 'crlf':
      return JSON.stringify(document, null, 2).replaceAll('\n', '\r\n');
    case 'entry': {
      const head = JSON.stringify({ ...document, tools: undefined }, null, 2).slice(0, -2);
      const lines = tools.map((tool) => `    ${JSON.stringify(tool)}`).join(',\n');
      return `${head},\n  "tools": [${lines === '' ? '' : `\n${lines}\n  `}]\n}\n`;
    }
    default:
      return `${JSON.stringify(document, null, 2)}\n`;
  }
}

const seen = (now: readonly NaiveEntry[]) =>
  readAs('observed', OBSERVED, observed(now.map((one) => ({ ...one }))));
const approved = (text: string) => {
  const document = readAs('declared', BASELINE, text);
  assert.deepEqual(document.problems, []);
  return document;
};

function planned(plan: Promotion | Refusal): Promotion {
  assert.ok(typeof plan !== 'string', `refused: ${JSON.stringify(plan)}`);
  return plan;
}

/** The text of the baseline after a plan. */
function after(plan: Promotion, before: string): string {
  return plan.files.find(({ uri }) => uri === BASELINE)?.after ?? before;
}

const findingsOf = (now: readonly NaiveEntry[], text: string) =>
  review(
    { serverId: 'github', observed: seen(now), declared: [approved(text)], policies: [], others: [] },
    sha256,
  );

const withExtras = z.looseObject({
  note: z.unknown(),
  tail: z.unknown(),
  tools: z.array(
    z.looseObject({ name: z.string(), by: z.string().optional(), links: z.unknown().optional() }),
  ),
});

describe('promoting any clean observation', function () {
  this.timeout(60_000);
  it('leaves nothing to find, in any baseline of any layout', () => {
    fc.assert(
      fc.property(change, ({ before, now, layout, unknown }) => {
        const text = baselineText(before, layout, unknown);
        const target = { declared: approved(text), policy: null, newBaseline: '' };
        const plan = planned(planPromotion(seen(now), target, null, sha256));
        assert.equal(plan.manifestDigest, digestOf(now));
        const result = after(plan, text);
        const { verdict, findings, inconclusive, warnings } = findingsOf(now, result);
        assert.deepEqual([verdict, findings, inconclusive, warnings], ['no_finding', [], [], []]);
        // Once more there is nothing to write.
        const again = { ...target, declared: approved(result) };
        assert.deepEqual(planned(planPromotion(seen(now), again, null, sha256)).files, []);
      }),
      PARAMETERS,
    );
  });

  it('leaves nothing to find where there was no baseline, and in a policy beside one', () => {
    fc.assert(
      fc.property(change, ({ before, now, layout }) => {
        const fresh = planned(
          planPromotion(seen(now), { declared: null, policy: null, newBaseline: BASELINE }, null, sha256),
        );
        assert.equal(findingsOf(now, after(fresh, '')).verdict, 'no_finding');
        const text = baselineText(before, layout, false);
        const rules = policy({ other: ZERO, github: digestOf(before) }, '# approved\n');
        const target = { declared: approved(text), policy: readAs('policy', POLICY, rules), newBaseline: '' };
        const plan = planned(planPromotion(seen(now), target, null, sha256));
        const written = plan.files.find(({ uri }) => uri === POLICY)?.after ?? rules;
        assert.equal(written, policy({ other: ZERO, github: digestOf(now) }, '# approved\n'));
        const { verdict } = review(
          {
            serverId: 'github',
            observed: seen(now),
            declared: [approved(after(plan, text))],
            policies: [readAs('policy', POLICY, written)],
            others: [],
          },
          sha256,
        );
        assert.equal(verdict, 'no_finding');
      }),
      PARAMETERS,
    );
  });

  it('keeps the unknown keys of the document, and of every entry that stays', () => {
    fc.assert(
      fc.property(change, ({ before, now, layout }) => {
        const text = baselineText(before, layout, true);
        const target = { declared: approved(text), policy: null, newBaseline: '' };
        const plan = planned(planPromotion(seen(now), target, null, sha256));
        const parsed = withExtras.parse(JSON.parse(after(plan, text)));
        assert.deepEqual([parsed.note, parsed.tail], ['June', [[]]]);
        const stayed = new Set(before.map(({ name }) => name));
        for (const { name, by, links } of parsed.tools) {
          assert.deepEqual([by, links], stayed.has(name) ? [name, [1, {}]] : [undefined, undefined]);
        }
        assert.deepEqual(new Set(parsed.tools.map(({ name }) => name)), new Set(now.map(({ name }) => name)));
      }),
      PARAMETERS,
    );
  });
});

describe('accepting any findings one by one', function () {
  this.timeout(60_000);
  it('gives the digest of promoting all, in whatever order they are accepted', () => {
    fc.assert(
      fc.property(change, ({ before, now, layout, unknown, order }) => {
        let text = baselineText(before, layout, unknown);
        const target = { declared: approved(text), policy: null, newBaseline: '' };
        const promoted = planned(planPromotion(seen(now), target, null, sha256));
        for (;;) {
          const { findings } = findingsOf(now, text);
          const tools = [...new Set(findings.flatMap(({ tool }) => (tool === null ? [] : [tool])))];
          if (tools.length === 0) break;
          const [tool = ''] = tools.slice(order.next().value % tools.length);
          const one = { ...target, declared: approved(text) };
          const plan = planned(planAcceptance(seen(now), one, [tool], digestOf(now), sha256));
          assert.deepEqual(
            plan.tools.map((accepted) => accepted.tool),
            [tool],
          );
          text = after(plan, text);
          // Of this tool there is nothing left to find, of the others all.
          assert.deepEqual(
            findingsOf(now, text).findings.map(({ code, tool: name }) => [code, name]),
            findings.filter((finding) => finding.tool !== tool).map(({ code, tool: name }) => [code, name]),
          );
        }
        const last = approved(text).content?.manifest;
        assert.equal(last?.manifest_digest, promoted.manifestDigest);
        assert.equal(
          digestOf(
            last.tools.map(({ name, tool_digest, privileged }) => ({ name, tool_digest, privileged })),
          ),
          promoted.manifestDigest,
        );
      }),
      PARAMETERS,
    );
  });
});
