import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { codesOf, diagnosticsOf, until, untilCodes } from './support/diagnostics';
import { declaredText, observedText } from './support/manifests';
import { Place, root } from './support/workspace';

describe('settings', () => {
  let place: Place;
  const changed: string[] = [];

  async function set(name: string, value: unknown): Promise<void> {
    changed.push(name);
    await vscode.workspace
      .getConfiguration('mcpManifestReview')
      .update(name, value, vscode.ConfigurationTarget.Workspace);
  }

  beforeEach(() => {
    place = new Place();
  });
  afterEach(async () => {
    for (const name of changed.splice(0)) {
      await vscode.workspace
        .getConfiguration('mcpManifestReview')
        .update(name, undefined, vscode.ConfigurationTarget.Workspace);
    }
    place.remove();
  });

  it('severity maps findings to another level and back', async () => {
    place.write('s1.declared.json', declaredText('s1', []));
    const uri = place.write('s1.observed.json', observedText('s1', [{ name: 'search' }]));
    await untilCodes(uri, 'mcp_tool_added');
    const level = () => diagnosticsOf(uri)[0]?.severity;
    assert.equal(level(), vscode.DiagnosticSeverity.Warning);
    await set('severity', { medium: 'hint' });
    await until(
      () => level() === vscode.DiagnosticSeverity.Hint,
      () => `the level is ${String(level())}`,
    );
    await set('severity', { medium: 'nothing' });
    await until(
      () => level() === vscode.DiagnosticSeverity.Warning,
      () => `the level is ${String(level())}`,
    );
  });

  it('files.exclude takes documents out and puts them back', async () => {
    const uri = place.write('s2.observed.json', observedText('s2', [{ name: 'search' }]));
    await untilCodes(uri, 'no_declared_baseline');
    await set('files.exclude', ['**/s2.*']);
    await untilCodes(uri);
    await set('files.exclude', undefined);
    await untilCodes(uri, 'no_declared_baseline');
  });

  it('files.observed adds names', async () => {
    const uri = place.write('s3.manifest', observedText('s3', [{ name: 'search' }]));
    await vscode.commands.executeCommand('mcpManifestReview.refresh');
    assert.deepEqual(codesOf(uri), []);
    await set('files.observed', ['**/*.manifest']);
    await untilCodes(uri, 'no_declared_baseline');
  });

  it('files.maxSize leaves a large file unread and says so', async () => {
    const uri = place.write('s4.observed.json', observedText('s4', [{ name: 'search' }]));
    await untilCodes(uri, 'no_declared_baseline');
    await set('files.maxSize', 0.0005);
    await untilCodes(uri, 'file_too_large');
    assert.match(diagnosticsOf(uri)[0]?.message ?? '', /was not read/);
  });

  it('pairings pair by hand and can then name different servers', async () => {
    const uri = place.write('s5.observed.json', observedText('s5', [{ name: 'search' }]));
    place.write('s6.declared.json', declaredText('s6', [{ name: 'search' }]));
    await untilCodes(uri, 'no_declared_baseline');
    const path = (name: string) => place.path(name).slice(root().length + 1);
    await set('pairings', [{ observed: path('s5.observed.json'), declared: path('s6.declared.json') }]);
    await untilCodes(uri, 'mcp_manifest_server_mismatch');
  });
});
