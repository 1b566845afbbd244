import * as assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { codesOf, untilCodes } from './support/diagnostics';
import { declaredText, observedText, policyText } from './support/manifests';
import { acceptAll, cancelFirst } from './support/quickPick';
import { closeEditors, Place, show } from './support/workspace';

const COPY = 'mcpManifestReview.copyObservedBlock';

describe('commands', () => {
  let place: Place;
  beforeEach(() => {
    place = new Place();
  });
  afterEach(async () => {
    await closeEditors();
    place.remove();
  });

  const read = (name: string) => readFileSync(place.path(name), 'utf8');

  it('copy the observed block into a baseline, and undo takes it back whole', async () => {
    const before = declaredText('c1', [{ name: 'gone' }, { name: 'search' }]);
    const after = [{ name: 'github.add_deploy_key' }, { name: 'search', version: 2 }];
    const baseline = place.write('c1.declared.json', before);
    const observed = place.write('c1.observed.json', observedText('c1', after));
    await untilCodes(baseline, 'mcp_tool_removed');
    await show(observed);
    await acceptAll(COPY);
    assert.deepEqual(JSON.parse(read('c1.declared.json')), JSON.parse(declaredText('c1', after)));
    await untilCodes(observed);
    await untilCodes(baseline);
    assert.equal(vscode.window.activeTextEditor?.document.uri.toString(), baseline.toString());
    await vscode.commands.executeCommand('undo');
    await untilCodes(baseline, 'mcp_tool_removed');
    assert.equal(vscode.window.activeTextEditor.document.getText(), before);
  });

  it('write nothing when the question is closed', async () => {
    const before = declaredText('c2', [{ name: 'gone' }]);
    const baseline = place.write('c2.declared.json', before);
    const observed = place.write('c2.observed.json', observedText('c2', [{ name: 'search' }]));
    await untilCodes(baseline, 'mcp_tool_removed');
    await show(observed);
    await cancelFirst(COPY);
    assert.equal(read('c2.declared.json'), before);
    assert.deepEqual(codesOf(baseline), ['mcp_tool_removed']);
  });

  it('create a baseline where there is none, and undo deletes it', async () => {
    const observed = place.write('c3.observed.json', observedText('c3', [{ name: 'search' }]));
    await untilCodes(observed, 'no_declared_baseline');
    await show(observed);
    await acceptAll(COPY);
    assert.equal(read('c3.declared.json'), declaredText('c3', [{ name: 'search' }]));
    await untilCodes(observed);
    await vscode.commands.executeCommand('undo');
    await untilCodes(observed, 'no_declared_baseline');
    assert.ok(!existsSync(place.path('c3.declared.json')));
  });

  it('update a policy’s digest and keep its comments', async () => {
    const policy = place.write('policy-c4.yaml', policyText('c4', [{ name: 'search' }]));
    const observed = place.write('c4.observed.json', observedText('c4', [{ name: 'search', version: 2 }]));
    await untilCodes(observed, 'mcp_tool_manifest_drift');
    await show(observed);
    await acceptAll(COPY);
    assert.equal(read('policy-c4.yaml'), policyText('c4', [{ name: 'search', version: 2 }]));
    await untilCodes(observed);
    await untilCodes(policy);
  });

  it('keep the author’s unsaved changes when they say so', async () => {
    const baseline = place.write('c5.declared.json', declaredText('c5', [{ name: 'gone' }]));
    const observed = place.write('c5.observed.json', observedText('c5', [{ name: 'search' }]));
    await untilCodes(baseline, 'mcp_tool_removed');
    const { document } = await show(baseline);
    const edit = new vscode.WorkspaceEdit();
    edit.insert(baseline, new vscode.Position(1, 0), '  "reviewed_by": "alice",\n');
    await vscode.workspace.applyEdit(edit);
    assert.ok(document.isDirty);
    await show(observed);
    await acceptAll(COPY);
    assert.match(read('c5.declared.json'), /"reviewed_by": "alice"/);
    await untilCodes(observed);
  });

  it('offer to copy as a quick fix on a finding and on a missing baseline', async () => {
    place.write('c6.declared.json', declaredText('c6', []));
    const drifted = place.write('c6.observed.json', observedText('c6', [{ name: 'search' }]));
    const unpaired = place.write('c7.observed.json', observedText('c7', [{ name: 'search' }]));
    for (const [uri, code] of [
      [drifted, 'mcp_tool_added'],
      [unpaired, 'no_declared_baseline'],
    ] as const) {
      const [diagnostic] = await untilCodes(uri, code);
      assert.ok(diagnostic);
      await show(uri);
      const actions = await fixes(uri, diagnostic.range);
      assert.deepEqual(
        actions.map(({ command }) => command?.command),
        [COPY],
      );
    }
  });

  it('recompute the digest of a hand-written baseline as a quick fix', async () => {
    const right = declaredText('c8', [{ name: 'search' }]);
    const baseline = place.write(
      'c8.declared.json',
      right.replace(/("manifest_digest": "sha256:).{4}/, '$10000'),
    );
    place.write('c8.observed.json', observedText('c8', [{ name: 'search' }]));
    const [diagnostic] = await untilCodes(baseline, 'declared_manifest_digest_mismatch');
    assert.ok(diagnostic);
    const { document } = await show(baseline);
    const [action] = await fixes(baseline, diagnostic.range);
    assert.ok(action?.edit);
    await vscode.workspace.applyEdit(action.edit);
    assert.equal(document.getText(), right);
    await untilCodes(baseline);
  });

  it('recompute the digest from the palette', async () => {
    const right = declaredText('c9', [{ name: 'search' }]);
    const wrong = right.replace(/("manifest_digest": "sha256:).{4}/, '$10000');
    const { document } = await show(place.write('c9.declared.json', wrong));
    await vscode.commands.executeCommand('mcpManifestReview.recomputeBaselineDigest');
    assert.equal(document.getText(), right);
    assert.equal(read('c9.declared.json'), wrong);
  });

  it('explain every reason code', async () => {
    await vscode.commands.executeCommand('mcpManifestReview.explainReason', 'mcp_tool_added');
    const page = await vscode.workspace.openTextDocument(
      vscode.Uri.parse('mcp-manifest-review:/reasons/mcp_tool_added.md'),
    );
    assert.match(page.getText(), /^# Tool added\n/);
  });

  async function fixes(uri: vscode.Uri, range: vscode.Range): Promise<vscode.CodeAction[]> {
    const found = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      uri,
      range,
      vscode.CodeActionKind.QuickFix.value,
    );
    return found.filter(({ title }) => /baseline/.test(title));
  }
});
