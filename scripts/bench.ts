// `npm run bench`: one JSON line a figure, each with its ratio to a floor measured in the same run.
import { canonicalText } from '../src/engine/canon/digests';
import { visit } from 'jsonc-parser';
import { sha256 } from '../src/desktop/sha256';
import { isCaptureError, readCapture } from '../src/engine/manifest/capture';
import { own } from '../src/engine/manifest/check';
import { produce } from '../src/engine/manifest/produce';
import { printRecord } from '../src/engine/manifest/record';
import { readText } from '../src/engine/manifest/read';
import { planPromotion } from '../src/engine/promote/plan';
import { review } from '../src/engine/verdict/review';

const ROUNDS = 15;

/** Tool definitions of about 1.2 KB each, as servers write them; `changed` of them differ in their description. */
function definitions(count: number, changed = 0): unknown[] {
  return Array.from({ length: count }, (_, index) => ({
    name: `service_${index % 37}.operation_${index}`,
    description: `Operation ${index}${index < changed ? ', second edition' : ''}. ${'It does what its name says and no more. '.repeat(6)}`,
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(
        ['owner', 'repository', 'page', 'filter', 'since'].map((name) => [
          name,
          { type: 'string', description: `The ${name} the operation works on`, minLength: 1, maxLength: 200 },
        ]),
      ),
      required: ['owner', 'repository'],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: true },
  }));
}

interface Pair {
  readonly observed: string;
  readonly declared: string;
}

function pairOf(count: number): Pair {
  const before = printRecord(produce(definitions(count), 'bench', 'complete', sha256));
  const observed = printRecord(produce(definitions(count, count / 50), 'bench', 'complete', sha256));
  const document = readText('before.observed.json', before);
  if (document?.kind !== 'observed') throw new Error('The bench makes no observed manifest.');
  const plan = planPromotion(document, { declared: null, policy: null, newBaseline: 'new' }, null, sha256);
  const declared = typeof plan === 'string' ? undefined : plan.files[0]?.after;
  if (declared === undefined) throw new Error('The bench makes no baseline.');
  return { observed, declared };
}

function judge({ observed, declared }: Pair) {
  const seen = readText('bench.observed.json', observed);
  const approved = readText('bench.declared.json', declared);
  if (seen?.kind !== 'observed' || approved?.kind !== 'declared') throw new Error('The bench reads nothing.');
  return {
    seen,
    approved,
    result: review(
      { serverId: 'bench', observed: seen, declared: [approved], policies: [], others: [] },
      sha256,
    ),
  };
}

/**
 * The least time each of several tasks takes, in milliseconds. They take turns, so that what else the machine does
 * falls on all of them alike.
 */
function leastTimes<Name extends string>(tasks: Readonly<Record<Name, () => unknown>>): Record<Name, number> {
  const least = Object.fromEntries(Object.keys(tasks).map((name) => [name, Infinity])) as Record<
    Name,
    number
  >;
  for (let round = 0; round < ROUNDS; round++) {
    for (const name in tasks) {
      const start = performance.now();
      tasks[name]();
      least[name] = Math.min(least[name], performance.now() - start);
    }
  }
  return least;
}

function print(figure: string, value: number, unit: string, floor: number, limit: number): void {
  const ratio = value / floor;
  const round = (number: number) => Math.round(number * 100) / 100;
  process.stdout.write(
    `${JSON.stringify({ figure, value: round(value), unit, floor: round(floor), ratio: round(ratio), limit, holds: ratio <= limit })}\n`,
  );
}

const large = pairOf(10_000);
const small = pairOf(1_000);
const texts = [large.observed, large.declared];

if (globalThis.gc !== undefined) {
  globalThis.gc();
  globalThis.gc();
  const before = process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers;
  // The texts themselves are counted: a copy stands in for the file that was read.
  const held = judge({ observed: copyOf(large.observed), declared: copyOf(large.declared) });
  globalThis.gc();
  globalThis.gc();
  const retained = process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers - before;
  print(
    'memory retained by a review',
    retained / 1e6,
    'MB',
    (large.observed.length + large.declared.length) / 1e6,
    3,
  );
  if (held.result.findings.length === 0) throw new Error('The bench finds nothing.');
}

const capture = JSON.stringify({ tools: definitions(10_000) });

const times = leastTimes({
  review: () => judge(large),
  parse: () => texts.map((text) => JSON.parse(text) as unknown),
  visit: () => {
    for (const text of texts) visit(text, {});
  },
  smallReview: () => judge(small),
  produce: () => produceFromText(capture),
  canonicalize: () => {
    const tools = own(JSON.parse(capture), 'tools');
    return Array.isArray(tools) ? sha256(tools.map((tool) => canonicalText(tool)).join('')) : '';
  },
});
print('review of 10,000 tools, text to findings', times.review, 'ms', times.parse + times.visit, 2);
print('growth from 1,000 to 10,000 tools', times.review, 'ms', times.smallReview, 11);
print('produce of 10,000 tools, text to record', times.produce, 'ms', times.canonicalize, 2.2);

function produceFromText(text: string): string {
  const capture = readCapture(text);
  if (isCaptureError(capture)) throw new Error('The bench reads no capture.');
  return printRecord(produce(capture.definitions, 'bench', 'complete', sha256));
}

function copyOf(text: string): string {
  return Buffer.from(text).toString();
}
