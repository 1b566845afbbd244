import * as vscode from 'vscode';
import type { Sha256 } from '../../engine/canon/digests';
import { printJson } from '../../report/json';
import { printMarkdown } from '../../report/markdown';
import { problemsOf, type Report } from '../../report/report';
import { printSarif } from '../../report/sarif';
import { printText } from '../../report/text';
import { HumanError } from '../errors';
import { saveAs } from '../save';
import type { State } from '../state';

/** “Save Report As…”: all reviews of the window as a file, in the formats of the command line. */
export async function saveReport(state: State, version: string, sha256: Sha256): Promise<void> {
  const { reviews, documents } = state.snapshot;
  if (reviews.length === 0) throw new HumanError(vscode.l10n.t('There is no review to report.'));
  const report: Report = {
    reviews: reviews.map(({ result }) => result),
    problems: problemsOf(documents),
    path: (uri) => vscode.workspace.asRelativePath(vscode.Uri.parse(uri)),
  };
  const formats = [
    {
      label: 'Markdown',
      description: vscode.l10n.t('for a pull-request comment'),
      name: 'mcp-review.md',
      print: () => printMarkdown(report),
    },
    {
      label: 'SARIF',
      description: vscode.l10n.t('for code scanning'),
      name: 'mcp-review.sarif',
      print: () => printSarif(report, { version, sha256 }),
    },
    {
      label: 'JSON',
      description: vscode.l10n.t('for programs'),
      name: 'mcp-review.json',
      print: () => printJson(report),
    },
    {
      label: vscode.l10n.t('Text'),
      description: vscode.l10n.t('for reading'),
      name: 'mcp-review.txt',
      print: () => printText(report),
    },
  ];
  const placeHolder = vscode.l10n.t('Select the format of the report');
  const format = await vscode.window.showQuickPick(formats, { placeHolder });
  if (format === undefined) return;
  const saved = await saveAs(format.print(), format.name, null);
  if (saved !== undefined) await vscode.window.showTextDocument(saved);
}
