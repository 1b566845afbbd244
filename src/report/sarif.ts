import type { Sha256 } from '../engine/canon/digests';
import type { Place } from '../engine/manifest/place';
import { PROBLEMS, type Problem, type ProblemCode } from '../engine/problems';
import { type ReasonCode, REASONS, type Severity } from '../engine/reasons';
import type { Finding, Inconclusive, Review, Warning } from '../engine/verdict/result';
import { showHidden } from './escape';
import { explain } from './explain';
import { groupFindings } from './groups';
import { count } from './layout';
import { message } from './messages';
import { PROBLEM_PAGES, problemMessage } from './problemWords';
import { overall, type ProblemAt, type Report, REPORT_NON_CLAIMS } from './report';
import { REASON_WORDS } from './words';

export interface SarifOptions {
  /** The version of the program. */
  readonly version: string;
  readonly sha256: Sha256;
}

type Level = 'error' | 'warning' | 'note';

const SEVERITY_LEVELS: Readonly<Record<Severity, Level>> = { high: 'error', medium: 'warning', low: 'note' };

const PROBLEM_LEVELS: Readonly<Record<(typeof PROBLEMS)[ProblemCode], Level>> = {
  invalid: 'error',
  entry: 'error',
  ignored: 'warning',
  caution: 'note',
};

/** Every code, in the order of the tables: a rule's index is its place here. */
const RULES: readonly (ReasonCode | ProblemCode)[] = [...keysOf(REASONS), ...keysOf(PROBLEMS)];

/** Where relative addresses start: the folder the program was run in. */
const ROOT = 'SRCROOT';

/** A report as SARIF 2.1.0 (cli.md): one rule a code, stable fingerprints, columns in UTF-16 units. */
export function printSarif(report: Report, { version, sha256 }: SarifOptions): string {
  const results = [
    ...report.reviews.flatMap((review) => {
      const groups = groupsOf(review);
      return [
        ...review.findings.map((finding) =>
          result(report, review, finding, SEVERITY_LEVELS[finding.severity], groups.get(finding.tool)),
        ),
        ...review.inconclusive.map((item) => result(report, review, item, 'warning')),
        ...review.warnings.map((item) => result(report, review, item, 'note')),
      ];
    }),
    ...report.problems.map((problem) => problemResult(report, problem)),
  ];
  const driver = { name: 'mcp-manifest-review', semanticVersion: version, rules: RULES.map(rule) };
  const run = {
    tool: { driver },
    columnKind: 'utf16CodeUnits',
    originalUriBaseIds: { [ROOT]: { description: { text: 'The folder the program was run in.' } } },
    results: withFingerprints(results, sha256),
    properties: { verdict: overall(report), nonClaims: REPORT_NON_CLAIMS },
  };
  const log = { $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [run] };
  return `${JSON.stringify(log, null, 2)}\n`;
}

function rule(code: ReasonCode | ProblemCode) {
  const markdown = explain(code) ?? '';
  const words = isReason(code)
    ? { title: REASON_WORDS[code].title, full: REASON_WORDS[code].means, help: REASON_WORDS[code].remedy }
    : { title: PROBLEM_PAGES[code].title, full: PROBLEM_PAGES[code].why, help: PROBLEM_PAGES[code].remedy };
  return {
    id: code,
    shortDescription: { text: words.title },
    fullDescription: { text: words.full },
    help: { text: words.help, markdown },
    defaultConfiguration: { level: defaultLevel(code) },
  };
}

function defaultLevel(code: ReasonCode | ProblemCode): Level {
  if (!isReason(code)) return PROBLEM_LEVELS[PROBLEMS[code]];
  const reason = REASONS[code];
  if (reason.kind === 'finding')
    return reason.severity === 'by field' ? 'warning' : SEVERITY_LEVELS[reason.severity];
  return reason.kind === 'inconclusive' || reason.kind === 'inconclusive or warning' ? 'warning' : 'note';
}

function result(
  report: Report,
  review: Review,
  item: Finding | Inconclusive | Warning,
  level: Level,
  group?: string,
) {
  const finding = 'severity' in item ? item : null;
  // What was observed is part of the identity: a change that was set aside must not set aside the next one.
  const identity = [review.serverId, item.code, item.tool, finding?.field ?? null, finding?.digest ?? null];
  return {
    ...common(report, item.code, level, message(item, review.serverId), item.at, item.tool),
    ...(item.related.length === 0
      ? {}
      : { relatedLocations: item.related.map((place, id) => ({ id, ...location(report, place) })) }),
    identity: [...identity, report.path(item.at.uri)],
    properties: {
      server: review.serverId,
      verdict: review.verdict,
      ...(finding === null
        ? {}
        : {
            severity: finding.severity,
            field: finding.field,
            privileged: finding.privileged,
            notes: finding.notes,
            ...(group === undefined ? {} : { group }),
          }),
    },
  };
}

/** What each grouped tool shares with the others of its group. */
function groupsOf({ findings }: Review): ReadonlyMap<string | null, string> {
  const groups = groupFindings(findings).filter((entry) => entry.kind === 'group');
  return new Map(
    groups.flatMap(({ tools, what }) =>
      tools.map(({ tool }) => [tool, `${count(tools.length, 'tool')}: ${what}`] as const),
    ),
  );
}

function problemResult(report: Report, { problem, at }: ProblemAt) {
  return {
    ...common(
      report,
      problem.code,
      PROBLEM_LEVELS[PROBLEMS[problem.code]],
      problemMessage(problem),
      at,
      null,
    ),
    identity: [problem.code, report.path(at.uri), identityOf(problem)],
  };
}

/** What tells a problem from others of its kind, wherever it stands: places in lists may move. */
function identityOf({ detail }: Problem): unknown {
  return Object.entries(detail)
    .map(([key, value]) => [key, String(value).replace(/\[\d+\]/g, '[]')])
    .sort();
}

function common(
  report: Report,
  code: ReasonCode | ProblemCode,
  level: Level,
  text: string,
  at: Place,
  tool: string | null,
) {
  const logical = tool === null ? {} : { logicalLocations: [{ name: showHidden(tool), kind: 'member' }] };
  return {
    ruleId: code,
    ruleIndex: RULES.indexOf(code),
    level,
    message: { text: literal(text) },
    locations: [{ ...location(report, at), ...logical }],
  };
}

function location(report: Report, { uri, from, to }: Place) {
  const path = report.path(uri).split('/').map(encodeURIComponent).join('/');
  return {
    physicalLocation: {
      artifactLocation: { uri: path, uriBaseId: ROOT },
      region: {
        startLine: from.line + 1,
        startColumn: from.column + 1,
        endLine: to.line + 1,
        endColumn: to.column + 1,
      },
    },
  };
}

/** Text in which nothing is a link or a placeholder to a SARIF viewer (SARIF 2.1.0, 3.11). */
function literal(text: string): string {
  return text.replace(/[\\[\]]/g, '\\$&').replace(/[{}]/g, '$&$&');
}

/** Gives each result a fingerprint of what it says, not of where it stands; results that say the same are counted. */
function withFingerprints<T extends { readonly identity: readonly unknown[] }>(
  results: readonly T[],
  sha256: Sha256,
) {
  const seen = new Map<string, number>();
  return results.map(({ identity, ...rest }) => {
    const key = JSON.stringify(identity);
    const before = seen.get(key) ?? 0;
    seen.set(key, before + 1);
    return {
      ...rest,
      partialFingerprints: { 'mcpManifestReview/v1': sha256(JSON.stringify([identity, before])) },
    };
  });
}

function isReason(code: ReasonCode | ProblemCode): code is ReasonCode {
  return Object.hasOwn(REASONS, code);
}

function keysOf<T extends object>(table: T): (keyof T)[] {
  return Object.keys(table).filter((key): key is Extract<keyof T, string> => Object.hasOwn(table, key));
}
