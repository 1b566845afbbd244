import type { Place } from '../engine/manifest/place';
import type { Review } from '../engine/verdict/result';
import { showHidden } from './escape';
import { message } from './messages';
import { problemMessage } from './problemWords';
import { overall, type Report } from './report';
import { NOT_COVERED, VERDICT_WORDS } from './words';

/** A report for people at a terminal; every foreign name is shown with its hidden characters. */
export function printText(report: Report): string {
  const where = (at: Place) => `${showHidden(report.path(at.uri))}:${at.from.line + 1}:${at.from.column + 1}`;
  const lines = report.reviews.flatMap((review) => [...reviewLines(review, report.path, where), '']);
  if (report.problems.length > 0) {
    lines.push(
      'Problems',
      ...report.problems.map(({ problem, at }) => `  ${where(at)}  ${problemMessage(problem)}`),
      '',
    );
  }
  lines.push(summary(report), NOT_COVERED);
  return `${lines.join('\n')}\n`;
}

function reviewLines(review: Review, path: Report['path'], where: (at: Place) => string): string[] {
  const documents = [review.observed, review.declared, review.policy].filter((uri) => uri !== null);
  const server = review.serverId === null ? '(no server id)' : showHidden(review.serverId);
  const line = (label: string, item: Parameters<typeof message>[0]) => [
    `  ${label.padEnd(12)}  ${message(item, review.serverId)}`,
    `  ${''.padEnd(12)}  ${item.code}  ${where(item.at)}`,
    ...(label === 'inconclusive'
      ? item.related.map((place) => `  ${''.padEnd(12)}  and ${where(place)}`)
      : []),
  ];
  return [
    `${server}: ${VERDICT_WORDS[review.verdict]}`,
    `  ${documents.map((uri) => showHidden(path(uri))).join('  ⟷  ')}`,
    ...review.findings.flatMap((finding) => line(finding.severity, finding)),
    ...review.inconclusive.flatMap((item) => line('inconclusive', item)),
    ...review.warnings.flatMap((item) => line('warning', item)),
  ];
}

function summary(report: Report): string {
  const pending = report.reviews.filter((review) => review.verdict === 'pending_tool_manifest_review').length;
  const inconclusive = report.reviews.filter((review) => review.verdict === 'inconclusive').length;
  if (report.reviews.length === 0) return 'Nothing to review was found: inconclusive.';
  return `${VERDICT_WORDS[overall(report)]}: ${report.reviews.length} reviews, ${pending} need review, ${inconclusive} inconclusive.`;
}
