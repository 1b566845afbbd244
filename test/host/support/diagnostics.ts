import * as vscode from 'vscode';

/** Our diagnostics of a document. */
export function diagnosticsOf(uri: vscode.Uri): vscode.Diagnostic[] {
  return vscode.languages.getDiagnostics(uri).filter(({ source }) => source === 'MCP Manifest');
}

/** The codes of our diagnostics of a document, in alphabetical order. */
export function codesOf(uri: vscode.Uri): string[] {
  return diagnosticsOf(uri).map(codeOf).sort();
}

export function codeOf({ code }: vscode.Diagnostic): string {
  return String(typeof code === 'object' ? code.value : code);
}

/** Resolves when a document has exactly these codes; until then it looks again at every change of diagnostics. */
export async function untilCodes(uri: vscode.Uri, ...codes: readonly string[]): Promise<vscode.Diagnostic[]> {
  const wanted = JSON.stringify([...codes].sort());
  await until(
    () => JSON.stringify(codesOf(uri)) === wanted,
    () => `${uri.path} has ${JSON.stringify(codesOf(uri))}, wanted ${wanted}`,
  );
  return diagnosticsOf(uri);
}

/** Resolves when a condition on diagnostics holds. `describe` says what is so instead, should it never. */
export async function until(holds: () => boolean, describe: () => string): Promise<void> {
  if (holds()) return;
  await new Promise<void>((resolve, reject) => {
    const limit = setTimeout(() => {
      subscription.dispose();
      reject(new Error(describe()));
    }, 15_000);
    const subscription = vscode.languages.onDidChangeDiagnostics(() => {
      if (!holds()) return;
      clearTimeout(limit);
      subscription.dispose();
      resolve();
    });
  });
}
