import type { Place } from '../engine/manifest/place';
import type { Inconclusive, Review, Warning } from '../engine/verdict/result';
import { showName } from './escape';
import { countBySeverity, groupFindings, type ToolFindings, type ToolGroup } from './groups';
import { count } from './layout';
import { message } from './messages';
import { problemMessage } from './problemWords';
import { overall, type Report } from './report';
import { NOT_COVERED, REASON_WORDS, VERDICT_WORDS } from './words';

/** A comment may hold 65,536 characters; what does not fit is left to the other formats, and that is said. */
const LIMIT = 60_000;

/** A group names this many of its tools. */
const NAMED = 40;

/** A report as a pull-request comment: the summary first, details folded, foreign names as inert code. */
export function printMarkdown(report: Report): string {
  const head = `### MCP manifest review: ${VERDICT_WORDS[overall(report)]}\n\n${summary(report)}`;
  const foot = `<sub>Drift is evidence from digests, not a statement about intent. ${NOT_COVERED}</sub>\n`;
  const sections = [
    ...report.reviews.filter(hasDetails).map((review) => details(review, report.path)),
    ...problems(report),
  ];
  const { fitting, left } = fit(sections, LIMIT - head.length - foot.length);
  const note =
    left === 0
      ? []
      : [`${count(left, 'section')} left out: too long for a comment. The text and JSON reports hold all.`];
  return [head, ...fitting, ...note, foot].join('\n\n');
}

/** As many of the texts, from the first on, as fit into a length; a text that is too long is passed over. */
function fit(texts: readonly string[], length: number): { fitting: string[]; left: number } {
  const fitting: string[] = [];
  let room = length;
  for (const text of texts) {
    if (text.length + 2 > room) continue;
    fitting.push(text);
    room -= text.length + 2;
  }
  return { fitting, left: texts.length - fitting.length };
}

function summary({ reviews, path }: Report): string {
  if (reviews.length === 0) return 'Nothing to review was found: inconclusive.';
  const rows = reviews.map((review) => {
    const counts = [...countBySeverity(review.findings).values()].map((number) =>
      number === 0 ? '' : String(number),
    );
    const baselines = [review.declared, review.policy].filter((uri) => uri !== null);
    const documents = [review.observed === null ? [] : [review.observed], baselines].map((uris) =>
      uris.map((uri) => cell(code(path(uri)))).join(' '),
    );
    const server = review.serverId === null ? '' : cell(code(review.serverId));
    return `| ${[server, VERDICT_WORDS[review.verdict], ...counts, ...documents].join(' | ')} |`;
  });
  const { fitting, left } = fit(rows, LIMIT / 2);
  const note =
    left === 0
      ? []
      : ['', `${count(left, 'review')} more: too many for a comment. The text and JSON reports hold all.`];
  return [
    '| server | verdict | high | medium | low | observed | baseline |',
    '| --- | --- | ---: | ---: | ---: | --- | --- |',
    ...fitting,
    ...note,
  ].join('\n');
}

function hasDetails({ findings, inconclusive, warnings }: Review): boolean {
  return findings.length + inconclusive.length + warnings.length > 0;
}

function details(review: Review, path: Report['path']): string {
  const lines = [
    ...review.findings
      .filter(({ tool }) => tool === null)
      .map(
        (finding) =>
          `- **${finding.severity}** ${REASON_WORDS[finding.code].title.toLowerCase()} (${where(finding.at, path)})`,
      ),
    ...groupFindings(review.findings).map((entry) => entryLine(entry, path)),
    ...review.inconclusive.map((item) => remarkLine('inconclusive', item, review, path)),
    ...review.warnings.map((item) => remarkLine('warning', item, review, path)),
  ];
  const server =
    review.serverId === null ? 'A document without a server id' : `Server ${code(review.serverId)}`;
  return `${server}: ${VERDICT_WORDS[review.verdict]}\n\n${fold('Details', lines)}`;
}

function entryLine(entry: ToolFindings | ToolGroup, path: Report['path']): string {
  const what = entry.privileged ? `privileged, ${entry.what}` : entry.what;
  if (entry.kind === 'tool') {
    const [first] = entry.findings;
    const at = first === undefined ? '' : ` (${where(first.at, path)})`;
    return `- **${entry.severity}** ${code(entry.tool)}: ${what}${at}`;
  }
  const names = entry.tools.slice(0, NAMED).map(({ tool }) => code(tool));
  const rest = entry.tools.length - names.length;
  const more = rest === 0 ? '' : ` and ${rest} more`;
  return `- **${entry.severity}** ${count(entry.tools.length, 'tool')}: ${what}: ${names.join(', ')}${more}`;
}

function remarkLine(
  label: string,
  item: Inconclusive | Warning,
  review: Review,
  path: Report['path'],
): string {
  const places = [item.at, ...(label === 'inconclusive' ? item.related : [])].map((place) =>
    where(place, path),
  );
  return `- **${label}** ${message(item, review.serverId, code)} \`${item.code}\` (${places.join(', ')})`;
}

function problems({ problems: found, path }: Report): string[] {
  if (found.length === 0) return [];
  return [
    fold(
      'Problems of documents',
      found.map(({ problem, at }) => `- ${problemMessage(problem, code)} (${where(at, path)})`),
    ),
  ];
}

function fold(title: string, lines: readonly string[]): string {
  return ['<details>', `<summary>${title}</summary>`, '', ...lines, '', '</details>'].join('\n');
}

function where(at: Place, path: Report['path']): string {
  return code(`${path(at.uri)}:${at.from.line + 1}`);
}

/** Foreign text as a code span: nothing in it is a link, a mention, HTML or emphasis. */
function code(text: string): string {
  const shown = showName(text);
  const runs = shown.match(/`+/g)?.map((run) => run.length) ?? [];
  const fence = '`'.repeat(Math.max(0, ...runs) + 1);
  const pad = /^`|`$|^ .* $/.test(shown) ? ' ' : '';
  return `${fence}${pad}${shown}${pad}${fence}`;
}

/** In a table a bar ends the cell, even in code. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
