import * as vscode from 'vscode';
import { showHidden } from '../report/escape';

/** The path of a document as it is shown: relative to its folder, hidden characters shown. */
export function shownPath(uri: vscode.Uri | string, withFolder?: boolean): string {
  return showHidden(
    vscode.workspace.asRelativePath(typeof uri === 'string' ? vscode.Uri.parse(uri) : uri, withFolder),
  );
}

/** Foreign text for rows of quick picks, which would draw an icon for `$(name)` (semantics 11). */
export function withoutIcons(text: string): string {
  return text.replaceAll('$(', '\\$(');
}

/** Foreign text for notifications, which would make a link of `[text](address)` (semantics 11). */
export function withoutLinks(text: string): string {
  return text.replaceAll('](', '] (');
}
