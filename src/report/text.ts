import type { Place } from '../engine/manifest/place';
import type { Severity } from '../engine/reasons';
import type { Finding, Inconclusive, Review, Warning } from '../engine/verdict/result';
import { showHidden, showName } from './escape';
import { groupFindings, type ToolFindings, type ToolGroup } from './groups';
import { COLUMNS, count, GLUE, wrap } from './layout';
import { message } from './messages';
import { problemMessage } from './problemWords';
import { overall, type Report } from './report';
import { NOT_COVERED, VERDICT_WORDS } from './words';

/** How a part of the text is emphasised; a terminal without colours gives the text back as it is. */
export type Style = (part: 'title' | Severity | 'inconclusive' | 'warning' | 'quiet', text: string) => string;

const PLAIN: Style = (_part, text) => text;

const LABEL = 'inconclusive'.length;
const INDENT = 2 + LABEL + 2;
const WIDEST_COLUMN = 28;
const LONGEST_NAME = 60;

/** A report for people at a terminal of 80 columns; every foreign name is shown with its hidden characters. */
export function printText(report: Report, style: Style = PLAIN): string {
  const lines = report.reviews.flatMap((review) => [...reviewLines(review, report.path, style), '']);
  if (report.problems.length > 0) {
    lines.push(style('title', 'Problems of documents'));
    for (const { problem, at } of report.problems) {
      lines.push(...paragraph('', problemMessage(problem)), quiet(style, where(at, report.path)));
    }
    lines.push('');
  }
  lines.push(style('title', summary(report)), ...wrap(NOT_COVERED, COLUMNS));
  return `${lines.join('\n')}\n`;
}

function reviewLines(review: Review, path: Report['path'], style: Style): string[] {
  const server = review.serverId === null ? '(no server id)' : showName(review.serverId, LONGEST_NAME);
  const documents = [review.observed, review.declared, review.policy].filter((uri) => uri !== null);
  const entries = groupFindings(review.findings);
  const names = entries.flatMap((entry) =>
    entry.kind === 'tool' ? [showName(entry.tool, LONGEST_NAME)] : [],
  );
  const nameWidth = Math.min(WIDEST_COLUMN, Math.max(0, ...names.map((name) => name.length)));
  return [
    style('title', `${server}: ${VERDICT_WORDS[review.verdict]}`),
    ...documents.map((uri) => `  ${style('quiet', showHidden(path(uri)))}`),
    ...review.findings
      .filter(({ tool }) => tool === null)
      .flatMap((finding) => remarkLines(finding.severity, finding, review, path, style)),
    ...entries.flatMap((entry) => entryLines(entry, nameWidth, review, style)),
    ...review.inconclusive.flatMap((item) => remarkLines('inconclusive', item, review, path, style)),
    ...review.warnings.flatMap((item) => remarkLines('warning', item, review, path, style)),
  ];
}

/** A tool on one line, or a group of tools that changed alike under one heading. */
function entryLines(
  entry: ToolFindings | ToolGroup,
  nameWidth: number,
  review: Review,
  style: Style,
): string[] {
  const label = `  ${style(entry.severity, entry.severity.padEnd(LABEL))}  `;
  const what = entry.privileged ? `privileged, ${entry.what}` : entry.what;
  if (entry.kind === 'tool') {
    const indent = INDENT + nameWidth + 2;
    const [first = '', ...rest] = wrap(`${what}${lineOf(entry.findings[0], review)}`, COLUMNS - indent);
    const name = showName(entry.tool, LONGEST_NAME);
    // A longer name pushes its text into the next line rather than past the edge.
    const lead = name.length > nameWidth ? `${name}\n${' '.repeat(indent)}` : name.padEnd(nameWidth + 2);
    return [`${label}${lead}${first}`, ...rest.map((line) => ' '.repeat(indent) + line)];
  }
  const names = entry.tools.map(({ tool }) => showName(tool, LONGEST_NAME)).join(', ');
  const [heading = '', ...more] = wrap(`${count(entry.tools.length, 'tool')}: ${what}`, COLUMNS - INDENT);
  return [
    `${label}${heading}`,
    ...more.map((line) => ' '.repeat(INDENT) + line),
    ...wrap(names, COLUMNS - INDENT).map((line) => ' '.repeat(INDENT) + line),
  ];
}

/** Where a tool's first finding stands, in the documents named above. */
function lineOf(finding: Finding | undefined, review: Review): string {
  if (finding === undefined) return '';
  const line = `line${GLUE}${finding.at.from.line + 1}`;
  return finding.at.uri === review.observed ? ` (${line})` : ` (baseline,${GLUE}${line})`;
}

function remarkLines(
  label: Severity | 'inconclusive' | 'warning',
  item: Finding | Inconclusive | Warning,
  review: Review,
  path: Report['path'],
  style: Style,
): string[] {
  const places = label === 'inconclusive' ? [item.at, ...item.related] : [item.at];
  const [first = '', ...rest] = paragraph(label, message(item, review.serverId));
  return [
    first.replace(label, style(label, label)),
    ...rest,
    quiet(style, item.code),
    ...places.map((place) => quiet(style, where(place, path))),
  ];
}

function paragraph(label: string, text: string): string[] {
  const [first = '', ...rest] = wrap(text, COLUMNS - INDENT);
  return [`  ${label.padEnd(LABEL)}  ${first}`, ...rest.map((line) => ' '.repeat(INDENT) + line)];
}

function quiet(style: Style, text: string): string {
  return ' '.repeat(INDENT) + style('quiet', text);
}

function where(at: Place, path: Report['path']): string {
  return `${showHidden(path(at.uri))}:${at.from.line + 1}:${at.from.column + 1}`;
}

function summary(report: Report): string {
  if (report.reviews.length === 0) return 'Nothing to review was found: inconclusive.';
  const of = (verdict: Review['verdict']) =>
    report.reviews.filter((review) => review.verdict === verdict).length;
  const pending = of('pending_tool_manifest_review');
  const parts = [
    count(report.reviews.length, 'review'),
    `${pending} ${pending === 1 ? 'needs' : 'need'} review`,
    `${of('inconclusive')} inconclusive`,
  ];
  return `${VERDICT_WORDS[overall(report)]}: ${parts.join(', ')}.`;
}
