import type { Place } from '../engine/manifest/place';
import type { Inconclusive, Review, Warning } from '../engine/verdict/result';
import { groupFindings, type ToolGroup } from './groups';
import { problemMessage } from './problemWords';
import { overall, type Report, REPORT_NON_CLAIMS } from './report';

/** A report as one JSON object with a final newline (cli.md, `--format json`). Names are raw: JSON escapes them. */
export function printJson(report: Report): string {
  const object = {
    schema: 'mcp_manifest_review.v0',
    verdict: overall(report),
    reviews: report.reviews.map((review) => reviewObject(review, report.path)),
    problems: report.problems.map(({ problem, at }) => ({
      ...position(at, report.path),
      code: problem.code,
      message: problemMessage(problem),
    })),
    non_claims: REPORT_NON_CLAIMS,
  };
  return `${JSON.stringify(object, null, 2)}\n`;
}

function reviewObject(review: Review, path: Report['path']) {
  const shown = (uri: string | null) => (uri === null ? null : path(uri));
  return {
    server: { id: review.serverId },
    observed: shown(review.observed),
    declared: shown(review.declared),
    policy: shown(review.policy),
    verdict: review.verdict,
    tools_list_complete: review.toolsListComplete,
    findings: review.findings.map((finding) => ({
      reason_code: finding.code,
      severity: finding.severity,
      tool: finding.tool,
      field: finding.field,
      privileged: finding.privileged,
      notes: finding.notes,
      digest: finding.digest,
      ...position(finding.at, path),
      related: finding.related.map((place) => position(place, path)),
    })),
    groups: groupFindings(review.findings).flatMap((entry) =>
      entry.kind === 'group' ? [groupObject(entry)] : [],
    ),
    inconclusive: review.inconclusive.map((item) => remarkObject(item, path)),
    warnings: review.warnings.map((item) => remarkObject(item, path)),
  };
}

/** Tools that changed in the same way; their findings stand above, one by one. */
function groupObject({ tools, severity, privileged }: ToolGroup) {
  return {
    reason_codes: tools[0]?.findings.map(({ code }) => code) ?? [],
    severity,
    privileged,
    tools: tools.map(({ tool }) => tool),
  };
}

function remarkObject(item: Inconclusive | Warning, path: Report['path']) {
  return {
    reason_code: item.code,
    tool: item.tool,
    ...position(item.at, path),
    related: item.related.map((place) => position(place, path)),
  };
}

/** A place with lines and columns from 1, columns in UTF-16 units. */
function position(at: Place, path: Report['path']) {
  return { path: path(at.uri), line: at.from.line + 1, column: at.from.column + 1 };
}
