import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { diagnosticsOf, until } from './support/diagnostics';
import { root } from './support/workspace';

describe('Restricted Mode', () => {
  it('reviews as always and does not use workspace settings that exclude or map', async () => {
    assert.equal(vscode.workspace.isTrusted, false);
    const uri = vscode.Uri.file(`${root()}/observed/filesystem.observed.json`);
    await until(
      () => diagnosticsOf(uri).length === 16,
      () => `${diagnosticsOf(uri).length} diagnostics`,
    );
    const levels = new Set(diagnosticsOf(uri).map(({ severity }) => severity));
    assert.deepEqual(
      levels,
      new Set([vscode.DiagnosticSeverity.Warning, vscode.DiagnosticSeverity.Information]),
    );
  });
});
