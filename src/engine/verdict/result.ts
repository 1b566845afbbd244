import type { Field } from '../canon/digests';
import { groupBy } from '../groupBy';
import type { Place } from '../manifest/place';
import type { Completeness } from '../manifest/schema';
import type { FindingCode, InconclusiveCode, NoteCode, Severity, WarningCode } from '../reasons';

/** A drift that needs review. */
export interface Finding {
  readonly code: FindingCode;
  readonly severity: Severity;
  /** The tool's raw name; null for drift of the whole manifest. */
  readonly tool: string | null;
  readonly field: Field | null;
  readonly privileged: boolean | null;
  readonly notes: readonly NoteCode[];
  /** The observed digest the finding is about; the approved one of a removed tool. */
  readonly digest: string;
  readonly at: Place;
  /** The other side of the comparison. */
  readonly related: readonly Place[];
}

/** A reason why no answer can be given, or why an answer is limited. */
export interface Remark<Code extends InconclusiveCode | WarningCode> {
  readonly code: Code;
  readonly tool: string | null;
  readonly at: Place;
  readonly related: readonly Place[];
}
export type Inconclusive = Remark<InconclusiveCode>;
export type Warning = Remark<WarningCode>;

/** What one gate, or all of them together, found. */
export interface Outcome {
  readonly findings: readonly Finding[];
  readonly inconclusive: readonly Inconclusive[];
  readonly warnings: readonly Warning[];
}

export const VERDICTS = [
  'pending_tool_manifest_review',
  'inconclusive',
  'no_finding_with_coverage_warning',
  'no_finding',
] as const;
/** Ordered from the one that needs a person most (semantics 8; cli.md). */
export type Verdict = (typeof VERDICTS)[number];

/** One observed manifest judged against the baselines that apply to it (semantics 8). */
export interface Review extends Outcome {
  readonly serverId: string | null;
  /** Addresses of the documents; null where there is none. */
  readonly observed: string | null;
  readonly declared: string | null;
  readonly policy: string | null;
  readonly toolsListComplete: Completeness | null;
  readonly verdict: Verdict;
}

export const NOTHING: Outcome = { findings: [], inconclusive: [], warnings: [] };

/** An outcome of a single inconclusive: what a failed check is. */
export function inconclusive(
  code: InconclusiveCode,
  at: Place,
  more: { tool?: string; related?: readonly Place[] } = {},
): Outcome {
  return { ...NOTHING, inconclusive: [{ code, tool: more.tool ?? null, at, related: more.related ?? [] }] };
}

/** An outcome of a single warning. */
export function warning(
  code: WarningCode,
  at: Place,
  more: { tool?: string; related?: readonly Place[] } = {},
): Outcome {
  return { ...NOTHING, warnings: [{ code, tool: more.tool ?? null, at, related: more.related ?? [] }] };
}

/** All outcomes as one. */
export function combine(outcomes: readonly Outcome[]): Outcome {
  return {
    findings: outcomes.flatMap((outcome) => outcome.findings),
    inconclusive: outcomes.flatMap((outcome) => outcome.inconclusive),
    warnings: outcomes.flatMap((outcome) => outcome.warnings),
  };
}

/** The same code for the same tool and position is one entry (semantics 8); as an inconclusive rather than a warning. */
export function withoutRepeats(outcome: Outcome): Outcome {
  const inconclusive = unique(outcome.inconclusive);
  return {
    findings: unique(outcome.findings),
    inconclusive,
    warnings: unique(outcome.warnings, inconclusive),
  };
}

type Entry = Pick<Remark<InconclusiveCode | WarningCode>, 'tool' | 'at' | 'related'> & {
  readonly code: string;
};

/** The first of each; what only a later one names on the other side is kept with it. */
function unique<T extends Entry>(items: readonly T[], taken: readonly Entry[] = []): T[] {
  const keyOf = (item: Entry) => JSON.stringify([item.code, item.tool, item.at.uri, item.at.start]);
  const known = new Set(taken.map(keyOf));
  const alike = groupBy(
    items.filter((item) => !known.has(keyOf(item))),
    keyOf,
  );
  return [...alike.values()].flatMap(([first, ...more]) => {
    if (first === undefined) return [];
    const related = [first, ...more].find((item) => item.related.length > 0)?.related ?? [];
    return [first.related === related || related.length === 0 ? first : { ...first, related }];
  });
}

/** The verdict an outcome amounts to (semantics 8). */
export function verdictOf(outcome: Outcome): Verdict {
  if (outcome.findings.length > 0) return 'pending_tool_manifest_review';
  if (outcome.inconclusive.length > 0) return 'inconclusive';
  return outcome.warnings.length > 0 ? 'no_finding_with_coverage_warning' : 'no_finding';
}

/** The worst of several verdicts; no review at all is inconclusive (cli.md). */
export function worst(verdicts: readonly Verdict[]): Verdict {
  return VERDICTS.find((verdict) => verdicts.includes(verdict)) ?? 'inconclusive';
}
