import * as vscode from 'vscode';
import type { ProblemCode } from '../engine/problems';
import type { ReasonCode } from '../engine/reasons';
import { explain } from '../report/explain';
import { HumanError } from './errors';
import { COMMANDS, SCHEME } from './ids';

/** The link of a diagnostic's code: opens the explanation of the code. */
export function explanationLink(code: ReasonCode | ProblemCode): vscode.Uri {
  return vscode.Uri.parse(`command:${COMMANDS.explainReason}?${encodeURIComponent(JSON.stringify([code]))}`);
}

/** Shows the explanation page of a code, rendered where the editor can. */
export async function showExplanation(code: unknown): Promise<void> {
  const uri = vscode.Uri.from({ scheme: SCHEME, path: `/reasons/${String(code)}.md` });
  if (explanationText(uri) === undefined)
    throw new HumanError(vscode.l10n.t('There is no explanation of this code.'));
  try {
    await vscode.commands.executeCommand('markdown.showPreview', uri);
  } catch {
    // The built-in Markdown extension can be disabled.
    await vscode.window.showTextDocument(uri, { preview: true });
  }
}

/** The text of an explanation page, by its address; undefined for an address that is none. */
export function explanationText(uri: vscode.Uri): string | undefined {
  const code = /^\/reasons\/(\w+)\.md$/.exec(uri.path)?.[1];
  return code === undefined ? undefined : explain(code);
}
