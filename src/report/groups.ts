import { compareUtf8 } from '../engine/canon/order';
import { groupBy } from '../engine/groupBy';
import type { Severity } from '../engine/reasons';
import type { Finding } from '../engine/verdict/result';
import { changeWord } from './words';

/** Tools that changed in the same way are grouped when they are more than this. */
const MANY = 5;

/** All findings of one tool. */
export interface ToolFindings {
  readonly kind: 'tool';
  readonly tool: string;
  readonly findings: readonly Finding[];
  readonly severity: Severity;
  readonly privileged: boolean;
  /** What changed, in words: fields, or what happened to the whole tool. */
  readonly what: string;
}

/** Many tools that changed in the same way: the common case of one library's upgrade. */
export interface ToolGroup {
  readonly kind: 'group';
  readonly tools: readonly ToolFindings[];
  readonly severity: Severity;
  readonly privileged: boolean;
  readonly what: string;
}

export const RANKS: readonly Severity[] = ['high', 'medium', 'low'];

/**
 * The findings of a review by tool, privileged and grave ones first. Tools that share the set of what changed are one
 * group when they are more than five; the findings themselves stay as they are.
 */
export function groupFindings(findings: readonly Finding[]): (ToolFindings | ToolGroup)[] {
  const alike = groupBy(byTool(findings), (tool) =>
    JSON.stringify([
      tool.privileged,
      tool.findings.map(({ code, severity, notes }) => [code, severity, notes]),
    ]),
  );
  const entries = [...alike.values()].flatMap((tools): (ToolFindings | ToolGroup)[] => {
    const [first] = tools;
    if (first === undefined || tools.length <= MANY) return tools;
    const { severity, privileged, what } = first;
    return [{ kind: 'group', tools, severity, privileged, what }];
  });
  return entries.sort(compareEntries);
}

function byTool(findings: readonly Finding[]): ToolFindings[] {
  const own = groupBy(
    findings.filter(({ tool }) => tool !== null),
    ({ tool }) => tool ?? '',
  );
  return [...own].map(([tool, list]) => ({
    kind: 'tool',
    tool,
    findings: list,
    severity: RANKS.find((rank) => list.some(({ severity }) => severity === rank)) ?? 'low',
    privileged: list.some(({ privileged }) => privileged === true),
    what: list.map(changeWord).join(', '),
  }));
}

/** Privileged first, then the gravest, then single tools before groups, then by name. */
function compareEntries(a: ToolFindings | ToolGroup, b: ToolFindings | ToolGroup): number {
  return (
    Number(b.privileged) - Number(a.privileged) ||
    RANKS.indexOf(a.severity) - RANKS.indexOf(b.severity) ||
    Number(a.kind === 'group') - Number(b.kind === 'group') ||
    compareUtf8(nameOf(a), nameOf(b))
  );
}

function nameOf(entry: ToolFindings | ToolGroup): string {
  return entry.kind === 'tool' ? entry.tool : (entry.tools[0]?.tool ?? '');
}

/** How many tools have findings, by their gravest. */
export function countBySeverity(findings: readonly Finding[]): ReadonlyMap<Severity, number> {
  const tools = byTool(findings);
  const whole = findings.filter(({ tool }) => tool === null);
  return new Map(
    RANKS.map((rank) => [rank, [...tools, ...whole].filter(({ severity }) => severity === rank).length]),
  );
}
