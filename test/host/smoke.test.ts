import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';

describe('the packaged extension', () => {
  it('activates and registers its commands', async () => {
    const extension = vscode.extensions.getExtension('mcp-manifest-review.mcp-manifest-review');
    assert.ok(extension, 'the extension is not there');
    await extension.activate();
    const commands = await vscode.commands.getCommands(true);
    assert.ok(commands.includes('mcpManifestReview.refresh'));
  });
});
