import * as vscode from 'vscode';
import type { Sha256 } from '../../engine/canon/digests';
import { readText } from '../../engine/manifest/read';
import { recomputeBaseline } from '../../engine/promote/plan';
import { HumanError } from '../errors';

/** The edit that makes a baseline's `manifest_digest` the digest of its tools; undefined when it already is. */
export function recomputeEdit(
  document: vscode.TextDocument,
  sha256: Sha256,
): vscode.WorkspaceEdit | undefined {
  const text = document.getText();
  const baseline = readText(document.uri.toString(), text);
  const recomputed = baseline?.kind === 'declared' ? recomputeBaseline(baseline, sha256) : null;
  if (recomputed === null) {
    throw new HumanError(
      vscode.l10n.t('This is no valid per-tool baseline, so its digest cannot be recomputed.'),
    );
  }
  const { at, digest } = recomputed;
  const literal = JSON.stringify(digest);
  if (text.slice(at.start, at.end) === literal) return undefined;
  const edit = new vscode.WorkspaceEdit();
  edit.replace(
    document.uri,
    new vscode.Range(document.positionAt(at.start), document.positionAt(at.end)),
    literal,
  );
  return edit;
}

/** “Recompute Baseline Digest”: for the active editor, left unsaved for the author to look at. */
export async function recomputeBaselineDigest(sha256: Sha256): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  if (document === undefined) throw new HumanError(vscode.l10n.t('Open a baseline first.'));
  const edit = recomputeEdit(document, sha256);
  if (edit === undefined) {
    await vscode.window.showInformationMessage(vscode.l10n.t('The digest already matches the tools.'));
    return;
  }
  await vscode.workspace.applyEdit(edit);
}
