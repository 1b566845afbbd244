import * as vscode from 'vscode';

/**
 * Asks where to save a text, as UTF-8, and saves it; the dialog asks before it replaces a file. Output: the address,
 * or undefined when the person gave up.
 *
 * @param beside a file in whose folder the dialog starts; the first workspace folder otherwise.
 */
export async function saveAs(
  text: string,
  name: string,
  beside: vscode.Uri | null,
): Promise<vscode.Uri | undefined> {
  const folder =
    beside === null || beside.scheme === 'untitled'
      ? vscode.workspace.workspaceFolders?.[0]?.uri
      : vscode.Uri.joinPath(beside, '..');
  const options = folder === undefined ? {} : { defaultUri: vscode.Uri.joinPath(folder, name) };
  const uri = await vscode.window.showSaveDialog(options);
  if (uri === undefined) return undefined;
  await vscode.workspace.fs.writeFile(uri, await vscode.workspace.encode(text, { encoding: 'utf8' }));
  return uri;
}
