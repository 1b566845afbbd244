import * as vscode from 'vscode';
import type { Place } from '../../engine/manifest/place';
import { placeIn } from '../../engine/manifest/place';
import type { Severity } from '../../engine/reasons';
import type { Review } from '../../engine/verdict/result';
import { showHidden, showName } from '../../report/escape';
import { countBySeverity, type ToolFindings, type ToolGroup } from '../../report/groups';
import { message } from '../../report/messages';
import { problemMessage } from '../../report/problemWords';
import { FIELD_WORDS, NOT_COVERED, REASON_WORDS, VERDICT_WORDS } from '../../report/words';
import { ROWS } from '../ids';
import { shownPath } from '../plain';
import { toRange } from '../ranges';
import { childNodes, type Node } from './nodes';

const SEVERITY_COLORS: Readonly<Record<Severity, string>> = {
  high: 'list.errorForeground',
  medium: 'list.warningForeground',
  low: 'notificationsInfoIcon.foreground',
};

const VERDICT_ICONS: Readonly<Record<Review['verdict'], vscode.ThemeIcon>> = {
  pending_tool_manifest_review: icon('git-pull-request-draft', 'list.warningForeground'),
  inconclusive: icon('question', 'list.warningForeground'),
  no_finding_with_coverage_warning: icon('info', 'notificationsInfoIcon.foreground'),
  no_finding: icon('check', 'testing.iconPassed'),
};

/** What a row looks like. Foreign text is plain and shows its hidden characters (semantics 11). */
export function toTreeItem(node: Node): vscode.TreeItem {
  const item = new vscode.TreeItem('');
  item.id = node.id;
  item.contextValue = node.kind === 'review' ? ROWS.review : ROWS.other;
  item.collapsibleState =
    childNodes(node).length > 0
      ? vscode.TreeItemCollapsibleState.Collapsed
      : vscode.TreeItemCollapsibleState.None;
  const { at, spoken, ...look } = appearance(node);
  Object.assign(item, look);
  item.accessibilityInformation = {
    label: spoken ?? [look.label, look.description].filter(Boolean).join(', '),
  };
  if (at !== undefined) item.command = openCommand(at);
  return item;
}

interface Appearance {
  readonly label: string;
  readonly description?: string;
  readonly tooltip: string;
  readonly iconPath: vscode.ThemeIcon;
  /** What a screen reader says, where it is more than label and description. */
  readonly spoken?: string;
  /** The place the row opens. */
  readonly at?: Place;
}

function appearance(node: Node): Appearance {
  switch (node.kind) {
    case 'review':
      return reviewAppearance(node.review.result, node);
    case 'tool':
      return toolAppearance(node.tool);
    case 'group':
      return groupAppearance(node.group);
    case 'finding': {
      const { finding } = node;
      return {
        label: finding.field === null ? REASON_WORDS[finding.code].title : FIELD_WORDS[finding.field],
        description: finding.severity,
        tooltip: message(finding, null),
        iconPath: icon('diff-modified', SEVERITY_COLORS[finding.severity]),
        at: finding.at,
      };
    }
    case 'remark': {
      const { remark, type, parent } = node;
      const tool = remark.tool === null ? {} : { description: showName(remark.tool) };
      return {
        label: REASON_WORDS[remark.code].title,
        ...tool,
        tooltip: message(remark, parent.review.result.serverId),
        iconPath:
          type === 'inconclusive'
            ? icon('question', 'list.warningForeground')
            : icon('info', 'notificationsInfoIcon.foreground'),
        at: remark.at,
      };
    }
    case 'documents':
      return {
        label: vscode.l10n.t('Documents with problems'),
        description: String(node.documents.length),
        tooltip: vscode.l10n.t('Documents that cannot be used as they are, or only in part.'),
        iconPath: icon('file'),
      };
    case 'document': {
      const [first] = node.document.problems;
      return {
        label: shownPath(node.document.source.uri),
        description: vscode.l10n.t('{0} problems', node.document.problems.length),
        tooltip: showHidden(vscode.Uri.parse(node.document.source.uri).fsPath),
        iconPath: icon('file'),
        ...(first === undefined ? {} : { at: placeIn(node.document.source, first) }),
      };
    }
    case 'problem':
      return {
        label: problemMessage(node.problem),
        tooltip: problemMessage(node.problem),
        iconPath: icon('error', 'list.errorForeground'),
        at: node.at,
      };
  }
}

function reviewAppearance(result: Review, node: Extract<Node, { kind: 'review' }>): Appearance {
  const { input } = node.review;
  const main = input.observed ?? input.declared[0] ?? input.policies[0];
  const path = shownPath(main?.source.uri ?? '');
  const named = node.alike && result.serverId !== null;
  const label = result.serverId === null ? path : showName(result.serverId);
  const verdict = vscode.l10n.t(VERDICT_WORDS[result.verdict]);
  const documents = [input.observed, ...input.declared, ...input.policies].flatMap((d) =>
    d ? [shownPath(d.source.uri)] : [],
  );
  const clean = result.verdict === 'no_finding' || result.verdict === 'no_finding_with_coverage_warning';
  return {
    label,
    description: [...(named ? [path] : []), verdict, ...counts(result)].join(' · '),
    tooltip: [`${label}: ${verdict}`, ...documents, ...(clean ? [vscode.l10n.t(NOT_COVERED)] : [])].join(
      '\n',
    ),
    iconPath: VERDICT_ICONS[result.verdict],
    ...(main === undefined ? {} : { at: placeIn(main.source, { start: 0, end: 0 }) }),
  };
}

/** How many tools have findings, by their gravest; and how many limits stand beside them. */
function counts({ findings, inconclusive, warnings }: Review): string[] {
  const bySeverity = [...countBySeverity(findings)].flatMap(([rank, count]) =>
    count === 0 ? [] : [`${count} ${rank}`],
  );
  const limits = findings.length > 0 ? inconclusive.length + warnings.length : 0;
  return [
    ...(bySeverity.length > 0 ? [bySeverity.join(', ')] : []),
    ...(limits > 0 ? [vscode.l10n.t('{0} limits', limits)] : []),
  ];
}

function toolAppearance({ tool, findings, severity, privileged, what }: ToolFindings): Appearance {
  const [first] = findings;
  const description = privileged ? vscode.l10n.t('privileged, {0}', what) : what;
  return {
    label: showName(tool),
    description,
    tooltip: findings.map((finding) => message(finding, null)).join('\n'),
    iconPath: icon(privileged ? 'key' : 'tools', SEVERITY_COLORS[severity]),
    spoken: [showName(tool), severity, description].join(', '),
    ...(first === undefined ? {} : { at: first.at }),
  };
}

function groupAppearance({ tools, severity, privileged, what }: ToolGroup): Appearance {
  const label = vscode.l10n.t('{0} tools', tools.length);
  const description = privileged ? vscode.l10n.t('privileged, {0}', what) : what;
  return {
    label,
    description,
    tooltip: vscode.l10n.t('These tools differ from the baseline in the same way: {0}.', what),
    iconPath: icon('layers', SEVERITY_COLORS[severity]),
    spoken: [label, severity, description].join(', '),
  };
}

function openCommand(at: Place): vscode.Command {
  const options: vscode.TextDocumentShowOptions = { selection: toRange(at), preview: true };
  return {
    command: 'vscode.open',
    title: vscode.l10n.t('Open'),
    arguments: [vscode.Uri.parse(at.uri), options],
  };
}

function icon(name: string, color?: string): vscode.ThemeIcon {
  return color === undefined
    ? new vscode.ThemeIcon(name)
    : new vscode.ThemeIcon(name, new vscode.ThemeColor(color));
}
