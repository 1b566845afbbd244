import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { codesOf, untilCodes } from './support/diagnostics';
import { declaredText, observedText } from './support/manifests';
import { Place } from './support/workspace';

describe('several folders', () => {
  const folder = (index: number) => {
    const found = vscode.workspace.workspaceFolders?.[index];
    if (found === undefined) throw new Error(`There is no folder ${index}.`);
    return found;
  };

  before(async () => {
    // The folders are empty at first, so that nothing but a command or the view starts the extension.
    await vscode.commands.executeCommand('mcpManifestReview.refresh');
  });

  it('pair one server id inside each folder alone', async () => {
    const one = new Place(folder(0).uri.fsPath);
    const two = new Place(folder(1).uri.fsPath);
    one.write('f1.declared.json', declaredText('f1', [{ name: 'search' }]));
    two.write('f1.declared.json', declaredText('f1', [{ name: 'search' }, { name: 'gone' }]));
    const first = one.write(
      'f1.observed.json',
      observedText('f1', [{ name: 'search', fields: { annotations: 2 } }]),
    );
    const second = two.write('f1.observed.json', observedText('f1', [{ name: 'search' }]));
    await untilCodes(first, 'mcp_tool_annotations_changed');
    await untilCodes(two.uri('f1.declared.json'), 'mcp_tool_removed');
    assert.deepEqual(codesOf(second), []);
    one.remove('f1.declared.json');
    await untilCodes(first, 'no_declared_baseline');
    one.remove();
    two.remove();
  });

  it('come and go with their diagnostics', async () => {
    const { uri } = folder(1);
    const place = new Place(uri.fsPath);
    const observed = place.write('f2.observed.json', observedText('f2', [{ name: 'search' }]));
    await untilCodes(observed, 'no_declared_baseline');
    vscode.workspace.updateWorkspaceFolders(1, 1);
    await untilCodes(observed);
    vscode.workspace.updateWorkspaceFolders(1, 0, { uri });
    await untilCodes(observed, 'no_declared_baseline');
    place.remove();
  });
});
