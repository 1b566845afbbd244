import * as vscode from 'vscode';
import { explanationText } from './explanations';
import { SCHEME } from './ids';

/** The extension's own read-only documents: explanation pages, and texts put up for comparison. */
export class VirtualDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly texts = new Map<string, string>();
  private readonly registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);
  private count = 0;

  provideTextDocumentContent(uri: vscode.Uri): string | undefined {
    return this.texts.get(uri.toString()) ?? explanationText(uri);
  }

  /** Puts up a text under a name; the address is new each time. */
  show(name: string, text: string): vscode.Uri {
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/proposed/${++this.count}/${name}` });
    this.texts.set(uri.toString(), text);
    return uri;
  }

  /** Takes a text down again. */
  drop(uri: vscode.Uri): void {
    this.texts.delete(uri.toString());
  }

  dispose(): void {
    this.registration.dispose();
  }
}
