import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';

/** The first folder of the window. */
export function root(): string {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  if (folder === undefined) throw new Error('The window has no folder.');
  return folder.uri.fsPath;
}

/** A fresh folder in the workspace, and files in it. Server ids of different tests must differ. */
export class Place {
  readonly folder: string;

  constructor(parent = root()) {
    this.folder = mkdtempSync(join(parent, 'test-'));
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  uri(name: string): vscode.Uri {
    return vscode.Uri.file(this.path(name));
  }

  write(name: string, content: string | Uint8Array): vscode.Uri {
    mkdirSync(dirname(this.path(name)), { recursive: true });
    writeFileSync(this.path(name), content);
    return this.uri(name);
  }

  remove(name = ''): void {
    rmSync(this.path(name), { recursive: true, force: true });
  }
}

/** Closes every editor, changes in them thrown away. */
export async function closeEditors(): Promise<void> {
  while (vscode.window.tabGroups.all.some(({ tabs }) => tabs.length > 0)) {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  }
}

export async function show(uri: vscode.Uri): Promise<vscode.TextEditor> {
  return vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: false });
}

/** Replaces a part of an open document, unsaved. */
export async function replaceIn(document: vscode.TextDocument, part: string, by: string): Promise<void> {
  const start = document.getText().indexOf(part);
  if (start < 0) throw new Error(`The document does not hold “${part}”.`);
  const edit = new vscode.WorkspaceEdit();
  const range = new vscode.Range(document.positionAt(start), document.positionAt(start + part.length));
  edit.replace(document.uri, range, by);
  if (!(await vscode.workspace.applyEdit(edit))) throw new Error('The edit was refused.');
}
