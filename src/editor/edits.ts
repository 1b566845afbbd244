import * as vscode from 'vscode';
import type { FileChange } from '../engine/promote/plan';
import { HumanError } from './errors';

/** Whether a file that is to be changed is open with changes that are not saved. */
export function hasUnsavedChanges({ uri }: FileChange): boolean {
  return vscode.workspace.textDocuments.some(
    (document) => document.uri.toString() === uri && document.isDirty,
  );
}

/**
 * Writes a set of changes as one edit that undo takes back whole, then saves it. Refuses, before anything is written,
 * when a file is no longer what the change was made for.
 */
export async function applyChanges(changes: readonly FileChange[]): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  for (const change of changes) {
    const uri = vscode.Uri.parse(change.uri);
    if (change.before === null) {
      edit.createFile(uri, { ignoreIfExists: false, overwrite: false });
      edit.insert(uri, new vscode.Position(0, 0), change.after);
    } else {
      addReplacement(edit, await vscode.workspace.openTextDocument(uri), change.before, change.after);
    }
  }
  if (!(await vscode.workspace.applyEdit(edit))) {
    throw new HumanError(vscode.l10n.t('The editor could not apply the change. Nothing was written.'));
  }
  for (const change of changes) {
    const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(change.uri));
    if (!(await document.save())) {
      throw new HumanError(
        vscode.l10n.t('The change was made but could not be saved. It is in the open editor.'),
      );
    }
  }
}

/** Replaces only what differs between two texts, so that the cursor and the rest of the file stay where they are. */
export function addReplacement(
  edit: vscode.WorkspaceEdit,
  document: vscode.TextDocument,
  before: string,
  after: string,
): void {
  if (toLf(document.getText()) !== toLf(before)) {
    throw new HumanError(
      vscode.l10n.t('The file has changed since it was read. Nothing was written; try again.'),
    );
  }
  // The editor keeps one kind of line end a document; offsets count in its own text.
  const eol = document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
  const old = document.getText();
  const text = toLf(after).replaceAll('\n', eol);
  let start = 0;
  while (start < old.length && old[start] === text[start]) start++;
  let end = 0;
  while (
    end < old.length - start &&
    end < text.length - start &&
    old[old.length - 1 - end] === text[text.length - 1 - end]
  )
    end++;
  const range = new vscode.Range(document.positionAt(start), document.positionAt(old.length - end));
  edit.replace(document.uri, range, text.slice(start, text.length - end));
}

/** A text with one kind of line end, as two texts are compared: the editor keeps one kind a document. */
export function toLf(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}
