// `npm run fuzz`: reads and reviews many mutated documents. Three things must never happen: that anything throws; that
// a review has no finding although the mutated document does not say what the clean one says; and, the other way round,
// that a document which still says it is not clean. What saying the same means exactly stands in test/support/clean.ts.
import { parseArgs } from 'node:util';
import { sha256 } from '../src/desktop/sha256';
import { isCaptureError, readCapture } from '../src/engine/manifest/capture';
import { produce } from '../src/engine/manifest/produce';
import { printRecord } from '../src/engine/manifest/record';
import { readBytes, readText } from '../src/engine/manifest/read';
import { review } from '../src/engine/verdict/review';
import { pair } from '../src/workspace/pairing';
import { type Agreement, isCleanBaseline, isCleanObserved } from '../test/support/clean';
import {
  classified,
  declared,
  type Definition,
  type Entry,
  fieldDigests,
  manifestDigest,
  observed,
  ordinary,
  policy,
  withFields,
} from '../test/support/documents';
import { mutateBytes } from '../test/support/mutations';
import { pick, seeded } from '../test/support/random';
import { strictText } from '../test/support/strictJson';

const FOLDER = { uri: 'file:///w', name: 'w' };
const OBSERVED = 'file:///w/a.observed.json';
const DECLARED = 'file:///w/a.declared.json';
const POLICY = 'file:///w/policy';

/** More failures than this are not looked for: the first ones say enough. */
const ENOUGH = 20;

const DEFINITIONS: readonly (readonly [name: string, Definition])[] = [
  ['github.search', { description: 'Finds – things.' }],
  ['github.add_deploy_key', { annotations: { readOnlyHint: false } }],
  ['\u{1F511}', { output_schema: { type: 'object' } }],
  ['\u{FF21}', {}],
  ['__proto__', { description: null, input_schema: null }],
];

/** Entries of all kinds: with field digests and classification, with one of them, with the required keys alone. */
const TOOLS: readonly Entry[] = DEFINITIONS.map(([name, definition], index) => {
  const entry =
    index < 3
      ? classified(name, index === 1 ? 'github_deploy_key' : null, definition)
      : ordinary(name, definition);
  return index === 4 ? entry : withFields(entry, definition);
});
const AGREED: Agreement = {
  id: 'github',
  manifestDigest: manifestDigest(TOOLS),
  tools: new Map(
    TOOLS.map((tool, index) => {
      const fields = Object.entries(fieldDigests(DEFINITIONS[index]?.[1]));
      return [tool.name, { digest: tool.tool_digest, fields: new Map(index === 4 ? [] : fields) }];
    }),
  ),
};

const WITHOUT_FIELDS: Agreement = {
  ...AGREED,
  tools: new Map(TOOLS.map(({ name, tool_digest }) => [name, { digest: tool_digest, fields: new Map() }])),
};

const bytesOf = (value: object | string) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value, null, 2));
/** An object of many keys: readers tell repeated keys apart by other means when there are more than a few. */
const WIDE = Object.fromEntries(
  Array.from({ length: 20 }, (_, index) => [`key_${'abcdefghijklmnopqrst'.charAt(index)}`, index]),
);
const record = bytesOf(observed(TOOLS, { more: { note: { a: [1, 2.5] }, wide: WIDE } }));
const bareRecord = bytesOf(
  observed(TOOLS, {
    block: { manifest_digest: undefined, tool_count: undefined, privileged_tool_count: undefined },
  }),
);
const baseline = bytesOf({ note: 1, ...declared(TOOLS), wide: WIDE });
const digests = { gitlab: `sha256:${'0'.repeat(64)}`, github: AGREED.manifestDigest };
const policyJson = bytesOf({
  mcp_manifest_partial_observation: 'inconclusive',
  declared_mcp_manifests: Object.fromEntries(
    Object.entries(digests).map(([id, manifest_digest]) => [id, { manifest_digest }]),
  ),
});
const policyYaml = bytesOf(
  policy(digests, '# approved\nmcp_manifest_partial_observation: warning\nowners: &o [a, b]\nmore: *o\n'),
);
const tools = DEFINITIONS.map(([name, { description, input_schema, annotations }]) => ({
  name,
  description,
  inputSchema: input_schema,
  annotations,
}));
const response = (part: readonly unknown[], nextCursor?: string) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, result: { tools: part, nextCursor } });
const captures: readonly [Buffer, ...Buffer[]] = [
  bytesOf({ tools }),
  bytesOf(JSON.stringify(tools)),
  bytesOf(`[${response(tools.slice(0, 2), 'x')},${response(tools.slice(2))}]`),
  bytesOf(`Listening.\n${response(tools.slice(0, 2), '')}\n\n${response(tools.slice(2))}\nBye.\n`),
  bytesOf(
    `event: message\nid: 1\ndata: ${response(tools.slice(0, 1), 'x')}\n\n: ping\n\ndata: ${response(tools.slice(1))}\n\n`,
  ),
];
const ALL: readonly [Buffer, ...Buffer[]] = [record, baseline, policyJson, policyYaml, ...captures];

/** The verdict on the observed manifest of a folder; null when none of these documents is one. */
function verdictOn(documents: readonly (readonly [uri: string, bytes: Buffer])[]): string | null {
  const read = documents.flatMap(([uri, bytes]) => readBytes(uri, bytes) ?? []);
  const reviews = pair({ folder: FOLDER, documents: read, pairings: [], whole: true }).map(({ input }) =>
    review(input, sha256),
  );
  return reviews.find((one) => one.observed === OBSERVED)?.verdict ?? null;
}

/** What is mutated, and what must hold of it. */
interface Target {
  readonly name: string;
  readonly originals: readonly [Buffer, ...Buffer[]];
  readonly verdict: (bytes: Buffer) => string | null;
  /** Whether a document says what the clean one says; null for what is read and not judged. */
  readonly isClean: ((bytes: Buffer) => boolean) | null;
  /** Whether every clean document has to have no finding: not of YAML, whose limits the yardstick leaves out. */
  readonly exact: boolean;
}

const TARGETS: readonly [Target, ...Target[]] = [
  {
    name: 'observed manifest with a per-tool baseline',
    originals: [record, record, bareRecord],
    verdict: (bytes) =>
      verdictOn([
        [OBSERVED, bytes],
        [DECLARED, baseline],
      ]),
    isClean: (bytes) => isCleanObserved(bytes, AGREED),
    exact: true,
  },
  {
    name: 'observed manifest with a policy',
    originals: [record, bareRecord],
    verdict: (bytes) =>
      verdictOn([
        [OBSERVED, bytes],
        [`${POLICY}.json`, policyJson],
      ]),
    // A policy pins no field digests, so nothing can differ from them.
    isClean: (bytes) => isCleanObserved(bytes, WITHOUT_FIELDS),
    exact: true,
  },
  {
    name: 'baseline',
    originals: [baseline],
    verdict: (bytes) =>
      verdictOn([
        [OBSERVED, record],
        [DECLARED, bytes],
      ]),
    isClean: (bytes) => isCleanBaseline(bytes, AGREED, false),
    exact: true,
  },
  {
    name: 'policy in JSON',
    originals: [policyJson],
    verdict: (bytes) =>
      verdictOn([
        [OBSERVED, record],
        [`${POLICY}.json`, bytes],
      ]),
    isClean: (bytes) => isCleanBaseline(bytes, AGREED, false),
    exact: true,
  },
  {
    name: 'policy in YAML',
    originals: [policyYaml],
    verdict: (bytes) =>
      verdictOn([
        [OBSERVED, record],
        [`${POLICY}.yaml`, bytes],
      ]),
    isClean: (bytes) => isCleanBaseline(bytes, AGREED, true),
    exact: false,
  },
  {
    name: 'capture',
    originals: captures,
    verdict: (bytes) => {
      const capture = readCapture(strictText(bytes) ?? bytes.toString('latin1'));
      if (isCaptureError(capture)) return null;
      // What is accepted can be produced, and reads back without a problem.
      const text = printRecord(produce(capture.definitions, 'github', 'complete', sha256));
      const problems = readText(OBSERVED, text)?.problems ?? [];
      if (problems.length > 0) throw new Error(`A produced record has problems: ${JSON.stringify(problems)}`);
      return null;
    },
    isClean: null,
    exact: false,
  },
];

const FALSE_CLEAN = 'A review has no finding, but the document does not say what the clean one says.';
const FALSE_ALARM = 'The document says what the clean one says, but its review is not without a finding.';

/** What came of a document: whether it is clean, or what went wrong. */
function outcomeOf(
  { verdict, isClean, exact }: Target,
  bytes: Buffer,
): 'clean' | 'not clean' | { why: string } {
  try {
    const found = verdict(bytes) === 'no_finding';
    if (isClean === null) return 'not clean';
    const clean = isClean(bytes);
    if (found && !clean) return { why: FALSE_CLEAN };
    if (exact && clean && !found) return { why: FALSE_ALARM };
    return found ? 'clean' : 'not clean';
  } catch (error) {
    return { why: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

/** A failing document with as much left out as can be while it still fails. */
function smallest(target: Target, bytes: Buffer): Buffer {
  let best = bytes;
  for (let size = best.length >> 1; size >= 1; size >>= 1) {
    for (let at = 0; at < best.length;) {
      const shorter = Buffer.concat([best.subarray(0, at), best.subarray(at + size)]);
      if (typeof outcomeOf(target, shorter) === 'string') at += size;
      else best = shorter;
    }
  }
  return best;
}

function readOptions(): { seed: number; count: number } {
  const { values } = parseArgs({ options: { seed: { type: 'string' }, count: { type: 'string' } } });
  const wholeNumber = (name: string, text: string | undefined, usual: number) => {
    const value = text === undefined ? usual : Number(text);
    if (!Number.isSafeInteger(value) || value < 0) throw new Error(`--${name} must be a whole number.`);
    return value;
  };
  return {
    seed: wholeNumber('seed', values.seed, Date.now() % 1_000_000_000),
    count: wholeNumber('count', values.count, 100_000),
  };
}

function main(): number {
  const { seed, count } = readOptions();
  console.log(`seed ${seed}`);
  for (const target of TARGETS) {
    const [original] = target.originals;
    // The yardstick itself: what nobody touched is clean by every measure.
    if (target.isClean !== null && outcomeOf(target, original) !== 'clean') {
      throw new Error(`This is not clean to begin with: ${target.name}.`);
    }
  }
  const random = seeded(seed);
  const start = performance.now();
  const failures: { target: Target; bytes: Buffer }[] = [];
  let clean = 0;
  let done = 0;
  while (done < count && failures.length < ENOUGH) {
    const target = pick(random, TARGETS);
    const bytes = mutateBytes(random, pick(random, target.originals), ALL);
    const outcome = outcomeOf(target, bytes);
    if (typeof outcome !== 'string') failures.push({ target, bytes });
    else if (outcome === 'clean') clean++;
    done++;
  }
  const seconds = (performance.now() - start) / 1000;
  console.log(
    `${done} documents in ${seconds.toFixed(1)} s, ${Math.round(done / seconds)} a second; ${clean} still said the same and had no finding, ${failures.length} failed.`,
  );
  const small = failures
    .map(({ target, bytes }) => ({ target, bytes: smallest(target, bytes) }))
    .sort((a, b) => a.bytes.length - b.bytes.length)[0];
  if (small === undefined) return 0;
  const { target, bytes } = small;
  console.log(`The smallest that failed, ${bytes.length} bytes of ${target.name} (seed ${seed}):`);
  console.log(JSON.stringify(bytes.toString('latin1')));
  const outcome = outcomeOf(target, bytes);
  console.log(typeof outcome === 'string' ? outcome : outcome.why);
  return 1;
}

try {
  process.exitCode = main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
