// Documents at random, for fast-check: small pools of names and definitions, so that they often meet.
import fc from 'fast-check';
import { type Definition, fieldDigests, manifestDigest, PROJECTION, toolDigest } from './documents';
import type { NaiveDeclared, NaiveEntry, NaiveObserved, NaivePolicy } from './naiveGates';

export const ZERO = `sha256:${'0'.repeat(64)}`;
const NAMES = ['a', 'b', 'x.invite', '\u{1F511}', '\u{FF21}', '__proto__', 'bad\u{FFFD}'] as const;

/** Mostly the first, now and then one of the others. */
function mostly<const T>(usual: T, ...rare: readonly T[]): fc.Arbitrary<T> {
  return fc.oneof(
    { arbitrary: fc.constant(usual), weight: 8 * Math.max(rare.length, 1) },
    ...rare.map((value) => ({ arbitrary: fc.constant(value), weight: 1 })),
  );
}

const definition: fc.Arbitrary<Definition> = fc.record(
  {
    description: fc.constantFrom('x', 'y'),
    input_schema: fc.constantFrom(1, 2),
    output_schema: fc.constantFrom(1),
    annotations: fc.constantFrom(1),
  },
  { requiredKeys: [], noNullPrototype: true },
);

/** How an entry's parts may be off: its digests of another definition, its classification of another tool. */
const shape = fc.record({
  definition,
  other: definition,
  toolDigest: mostly('own', 'other'),
  fields: fc.constantFrom('none', 'all', 'all', 'some', 'other'),
  privileged: mostly('by name', 'true', 'false'),
  classification: mostly('both', 'none', 'class alone', 'wrong'),
});

function entryOf(
  name: string,
  { definition: own, other, ...kind }: typeof shape extends fc.Arbitrary<infer T> ? T : never,
): NaiveEntry {
  const privileged = kind.privileged === 'by name' ? name.endsWith('.invite') : kind.privileged === 'true';
  const claimed = kind.classification === 'wrong' ? !privileged : privileged;
  const classes = {
    both: {
      privilege_classification: claimed ? ('classified' as const) : ('unclassified' as const),
      action_class: claimed ? 'slack_add_member' : null,
    },
    none: {},
    'class alone': { action_class: claimed ? 'slack_add_member' : null },
  };
  const digests = fieldDigests(kind.fields === 'other' ? other : own);
  const some = { description: digests.description, annotations: digests.annotations };
  const fields = { none: undefined, all: digests, other: digests, some }[kind.fields];
  return {
    name,
    tool_digest: toolDigest(name, kind.toolDigest === 'own' ? own : other),
    privileged,
    ...classes[kind.classification === 'wrong' ? 'both' : kind.classification],
    ...(fields === undefined ? {} : { field_digests: fields }),
  };
}

const entry = fc.tuple(fc.constantFrom(...NAMES), shape).map(([name, parts]) => entryOf(name, parts));

/** Entries whose names now and then repeat. */
const entries = fc.oneof(
  { arbitrary: fc.uniqueArray(entry, { selector: ({ name }) => name, maxLength: 5 }), weight: 9 },
  { arbitrary: fc.array(entry, { maxLength: 5 }), weight: 1 },
);

/** Entries as a producer writes them: names unique, everything in agreement. */
export const cleanEntries = fc.uniqueArray(
  fc
    .tuple(fc.constantFrom(...NAMES, 'c', 'd', 'y.invite'), definition, fc.boolean())
    .map(([name, own, withFields]) =>
      entryOf(name, {
        definition: own,
        other: own,
        toolDigest: 'own',
        fields: withFields ? 'all' : 'none',
        privileged: 'by name',
        classification: withFields ? 'both' : 'none',
      }),
    ),
  { selector: ({ name }) => name, maxLength: 8 },
);

export function digestOf(tools: readonly NaiveEntry[]): string {
  return manifestDigest(
    tools.map(({ name, tool_digest, privileged }) => ({ name, tool_digest, privileged })),
  );
}

const id = mostly('github', 'gitlab');
const canonicalization = mostly(PROJECTION, 'example.other.v1');

/** A valid observed manifest, now and then at odds with itself. */
const observedAround = (tools: fc.Arbitrary<NaiveEntry[]>): fc.Arbitrary<NaiveObserved> =>
  fc
    .record({
      tools,
      id,
      canonicalization,
      status: mostly('observed', 'not_observed', 'ambiguous'),
      complete: fc.constantFrom('complete', 'complete', 'partial', 'unknown'),
      listed: mostly(true, false),
      digest: mostly('own', 'none', 'null', 'zero'),
      counts: mostly('own', 'none', 'wrong', 'privileged wrong'),
    })
    .map((parts) => {
      const privileged = parts.tools.filter((tool) => tool.privileged).length;
      const digest = { own: digestOf(parts.tools), none: undefined, null: null, zero: ZERO }[parts.digest];
      const counts = {
        tool_count: parts.tools.length + (parts.counts === 'wrong' ? 1 : 0),
        privileged_tool_count: privileged + (parts.counts === 'privileged wrong' ? 1 : 0),
      };
      return {
        status: parts.status,
        server: { id: parts.id },
        observed: {
          ...(digest === undefined ? {} : { manifest_digest: digest }),
          canonicalization: parts.canonicalization,
          ...(parts.counts === 'none' ? {} : counts),
          tools_list_observed: parts.listed,
          tools_list_complete: parts.complete,
          tool_digests: parts.tools,
        },
      };
    });

const declaredAround = (tools: fc.Arbitrary<NaiveEntry[]>): fc.Arbitrary<NaiveDeclared> =>
  fc.record({ tools, id, canonicalization, digest: mostly('own', 'zero') }).map((parts) => ({
    server: { id: parts.id },
    canonicalization: parts.canonicalization,
    manifest_digest: parts.digest === 'own' ? digestOf(parts.tools) : ZERO,
    tools: parts.tools,
  }));

export interface NaiveDocuments {
  readonly observed: NaiveObserved;
  readonly declared: NaiveDeclared | null;
  readonly policy: NaivePolicy | null;
}

/** What may be reviewed together: the baselines often approve what was observed, or nearly so. */
export const naiveDocuments: fc.Arbitrary<NaiveDocuments> = fc
  .tuple(entries, entries, fc.constantFrom('same', 'same', 'near', 'other'))
  .chain(([seen, others, likeness]) => {
    const approved = { same: seen, near: [...seen.slice(1), ...others.slice(0, 1)], other: others }[likeness];
    return fc.record({
      observed: observedAround(fc.constant([...seen])),
      declared: fc.option(declaredAround(fc.constant(approved)), { freq: 4 }),
      policy: fc.option(
        fc
          .record({
            id,
            digest: fc.constantFrom(digestOf(seen), digestOf(approved), ZERO),
            partialIsWarning: fc.boolean(),
          })
          .map((parts) => ({
            digests: new Map([[parts.id, parts.digest]]),
            partialIsWarning: parts.partialIsWarning,
          })),
        { freq: 2 },
      ),
    });
  });
