import type * as vscode from 'vscode';
import type { Folder } from '../workspace/paths';

/** A workspace folder as the rest of the code knows it. */
export function toFolder({ uri, name }: vscode.WorkspaceFolder): Folder {
  return { uri: uri.toString().replace(/\/$/, ''), name };
}
