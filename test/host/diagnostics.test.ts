import * as assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { renameSync } from 'node:fs';
import * as vscode from 'vscode';
import { codeOf, codesOf, diagnosticsOf, until, untilCodes } from './support/diagnostics';
import { declaredText, observedText, policyText, positionOf } from './support/manifests';
import { closeEditors, Place, replaceIn, show } from './support/workspace';

const CHANGED_DESCRIPTION = { name: 'search', fields: { description: 2 } };

describe('diagnostics', () => {
  let place: Place;
  beforeEach(() => {
    place = new Place();
  });
  afterEach(async () => {
    await closeEditors();
    place.remove();
  });

  function start(of: vscode.Diagnostic | undefined) {
    return of && { line: of.range.start.line, character: of.range.start.character };
  }

  it('stand on the digest of a changed field, with a link, a level and the other side', async () => {
    const observed = observedText('d1', [CHANGED_DESCRIPTION]);
    const declared = declaredText('d1', [{ name: 'search' }]);
    place.write('d1.declared.json', declared);
    const uri = place.write('d1.observed.json', observed);
    const [diagnostic] = await untilCodes(uri, 'mcp_tool_description_changed');
    assert.ok(diagnostic);
    const at = positionOf(observed, '"description"');
    assert.deepEqual(start(diagnostic), { ...at, character: at.character + '"description": '.length });
    assert.equal(diagnostic.severity, vscode.DiagnosticSeverity.Warning);
    assert.equal(diagnostic.source, 'MCP Manifest');
    const target = typeof diagnostic.code === 'object' ? diagnostic.code.target.toString() : '';
    assert.match(target, /^command:mcpManifestReview\.explainReason\?/);
    const [other] = diagnostic.relatedInformation ?? [];
    assert.equal(other?.location.uri.toString(), place.uri('d1.declared.json').toString());
    assert.equal(other.location.range.start.line, positionOf(declared, '"description"').line);
  });

  it('stand on the name of an added tool and on the entry of a removed one', async () => {
    const observed = observedText('d2', [{ name: 'kept' }, { name: 'github.add_deploy_key' }]);
    const declared = declaredText('d2', [{ name: 'gone' }, { name: 'kept' }]);
    const baseline = place.write('d2.declared.json', declared);
    const uri = place.write('d2.observed.json', observed);
    const [added] = await untilCodes(uri, 'mcp_new_privileged_tool');
    const [removed] = await untilCodes(baseline, 'mcp_tool_removed');
    assert.deepEqual(start(added), positionOf(observed, '"github.add_deploy_key"'));
    assert.equal(added?.severity, vscode.DiagnosticSeverity.Error);
    assert.deepEqual(start(removed), positionOf(declared, '{', 3));
  });

  it('stand on manifest_digest for the policy map and on tools_list_complete for coverage', async () => {
    const drifted = observedText('d3', [{ name: 'search', version: 2 }]);
    const partial = observedText('d4', [{ name: 'search' }], 'partial');
    const unknown = observedText('d5', [{ name: 'search' }], 'unknown');
    place.write('policy-d3.yaml', policyText('d3', [{ name: 'search' }]));
    place.write('d4.declared.json', declaredText('d4', [{ name: 'search' }, { name: 'more' }]));
    place.write('d5.declared.json', declaredText('d5', [{ name: 'search' }]));
    const [drift] = await untilCodes(place.write('d3.observed.json', drifted), 'mcp_tool_manifest_drift');
    const [part] = await untilCodes(
      place.write('d4.observed.json', partial),
      'inconclusive_manifest_partial_observation',
    );
    const [coverage] = await untilCodes(
      place.write('d5.observed.json', unknown),
      'manifest_coverage_unknown',
    );
    assert.equal(drift?.range.start.line, positionOf(drifted, '"manifest_digest"').line);
    assert.deepEqual(start(part), positionOf(partial, '"partial"'));
    assert.equal(part?.severity, vscode.DiagnosticSeverity.Warning);
    assert.deepEqual(start(coverage), positionOf(unknown, '"unknown"'));
    assert.equal(coverage?.severity, vscode.DiagnosticSeverity.Information);
  });

  it('stand on the value that fails a validity check', async () => {
    const declared = declaredText('d6', [{ name: 'search' }]).replace(
      /("manifest_digest": "sha256:).{4}/,
      '$10000',
    );
    const baseline = place.write('d6.declared.json', declared);
    place.write('d6.observed.json', observedText('d6', [{ name: 'search' }]));
    const [mismatch] = await untilCodes(baseline, 'declared_manifest_digest_mismatch');
    assert.deepEqual(start(mismatch), positionOf(declared, '"sha256:0000'));
  });

  it('point at what is wrong with a broken document and leave others alone', async () => {
    place.write('d7.declared.json', declaredText('d7', [{ name: 'search' }]));
    const good = place.write('d7.observed.json', observedText('d7', [CHANGED_DESCRIPTION]));
    await untilCodes(good, 'mcp_tool_description_changed');
    const text = observedText('d7b', [{ name: 'search' }]).replace(
      '"status": "observed",',
      '"status": "observed",,',
    );
    const broken = place.write('d7b.observed.json', text);
    const [syntax] = await untilCodes(broken, 'json_syntax');
    assert.equal(syntax?.range.start.line, 2);
    assert.equal(syntax.severity, vscode.DiagnosticSeverity.Error);
    assert.deepEqual(codesOf(good), ['mcp_tool_description_changed']);
  });

  it('ignore a watched name that is none of the kinds', async () => {
    const other = place.write('other.observed.json', '{ "hello": ');
    const uri = place.write('d8.observed.json', observedText('d8', [{ name: 'search' }]));
    await untilCodes(uri, 'no_declared_baseline');
    assert.deepEqual(codesOf(other), []);
  });

  it('follow a file that is changed, replaced in one step, renamed and deleted on disk', async () => {
    const declared = declaredText('d9', [{ name: 'search' }]);
    const baseline = place.write('d9.declared.json', declared);
    const uri = place.write('d9.observed.json', observedText('d9', [{ name: 'search' }]));
    await vscode.commands.executeCommand('mcpManifestReview.refresh');
    assert.deepEqual(codesOf(uri), []);
    place.write('d9.observed.json', observedText('d9', [CHANGED_DESCRIPTION]));
    await untilCodes(uri, 'mcp_tool_description_changed');
    place.write('temporary.txt', observedText('d9', [{ name: 'search' }, { name: 'new' }]));
    renameSync(place.path('temporary.txt'), place.path('d9.observed.json'));
    await untilCodes(uri, 'mcp_tool_added');
    renameSync(place.path('d9.observed.json'), place.path('renamed.observed.json'));
    await untilCodes(place.uri('renamed.observed.json'), 'mcp_tool_added');
    await untilCodes(uri);
    place.remove('renamed.observed.json');
    await untilCodes(place.uri('renamed.observed.json'));
    await untilCodes(baseline, 'observed_manifest_missing');
    place.remove('d9.declared.json');
    await untilCodes(baseline);
  });

  it('follow a folder that is moved in, moved away and deleted', async () => {
    const outside = new Place('/tmp');
    try {
      outside.write('inner/d10.observed.json', observedText('d10', [{ name: 'search' }]));
      const uri = place.uri('inner/d10.observed.json');
      renameSync(outside.path('inner'), place.path('inner'));
      await untilCodes(uri, 'no_declared_baseline');
      renameSync(place.path('inner'), place.path('moved'));
      await untilCodes(place.uri('moved/d10.observed.json'), 'no_declared_baseline');
      await untilCodes(uri);
      place.remove('moved');
      await untilCodes(place.uri('moved/d10.observed.json'));
    } finally {
      outside.remove();
    }
  });

  it('follow a git checkout', async () => {
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@example.org', ...args], {
        cwd: place.folder,
      });
    git('init', '--quiet', '--initial-branch=main');
    place.write('d17.declared.json', declaredText('d17', [{ name: 'search' }]));
    const uri = place.write('d17.observed.json', observedText('d17', [CHANGED_DESCRIPTION]));
    git('add', '.');
    git('commit', '--quiet', '--message=drifted');
    place.write('d17.observed.json', observedText('d17', [{ name: 'search' }, { name: 'new' }]));
    git('commit', '--quiet', '--all', '--message=added');
    await untilCodes(uri, 'mcp_tool_added');
    git('checkout', '--quiet', 'HEAD~1');
    await untilCodes(uri, 'mcp_tool_description_changed');
    git('checkout', '--quiet', 'main');
    await untilCodes(uri, 'mcp_tool_added');
  });

  it('leave copies of documents under other schemes alone', async () => {
    const text = observedText('d18', [{ name: 'search' }]);
    const provider = vscode.workspace.registerTextDocumentContentProvider('copy', {
      provideTextDocumentContent: () => text,
    });
    const uri = place.write('d18.observed.json', text);
    await show(uri.with({ scheme: 'copy' }));
    await untilCodes(uri, 'no_declared_baseline');
    await vscode.commands.executeCommand('mcpManifestReview.refresh');
    assert.deepEqual(codesOf(uri.with({ scheme: 'copy' })), []);
    provider.dispose();
  });

  it('follow unsaved edits, and the file again when they are thrown away', async () => {
    place.write('d11.declared.json', declaredText('d11', [{ name: 'search' }]));
    const uri = place.write('d11.observed.json', observedText('d11', [{ name: 'search' }], 'unknown'));
    await untilCodes(uri, 'manifest_coverage_unknown');
    const { document } = await show(uri);
    await replaceIn(document, '"unknown"', '"complete"');
    await untilCodes(uri);
    assert.ok(document.isDirty);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await untilCodes(uri, 'manifest_coverage_unknown');
  });

  it('follow a save, and edits of the baseline', async () => {
    const baseline = place.write('d12.declared.json', declaredText('d12', [{ name: 'search' }]));
    const uri = place.write('d12.observed.json', observedText('d12', [{ name: 'search' }]));
    const { document } = await show(baseline);
    await replaceIn(document, '"search"', '"other"');
    await untilCodes(baseline, 'declared_manifest_digest_mismatch');
    await document.save();
    await closeEditors();
    assert.deepEqual(codesOf(baseline), ['declared_manifest_digest_mismatch']);
    assert.deepEqual(codesOf(uri), []);
  });

  it('count an open document whatever its name, until it is closed', async () => {
    const uri = place.write('anything.txt', observedText('d13', [{ name: 'search' }]));
    await vscode.commands.executeCommand('mcpManifestReview.refresh');
    assert.deepEqual(codesOf(uri), []);
    await show(uri);
    await untilCodes(uri, 'no_declared_baseline');
    await vscode.commands.executeCommand('mcpManifestReview.reviewFile');
    await closeEditors();
    await untilCodes(uri);
  });

  it('count an untitled document', async () => {
    const content = observedText('d14', [{ name: 'search' }]);
    const document = await vscode.workspace.openTextDocument({ language: 'json', content });
    await vscode.window.showTextDocument(document);
    await untilCodes(document.uri, 'no_declared_baseline');
    await closeEditors();
    await untilCodes(document.uri);
  });

  it('leave excluded folders alone', async () => {
    const hidden = place.write('node_modules/x/d15.observed.json', observedText('d15', [{ name: 'search' }]));
    const seen = place.write('d15b.observed.json', observedText('d15b', [{ name: 'search' }]));
    await untilCodes(seen, 'no_declared_baseline');
    await vscode.commands.executeCommand('mcpManifestReview.refresh');
    assert.deepEqual(codesOf(hidden), []);
  });

  it('say in the last entry how many more there are than the editor shows', async () => {
    const tools = Array.from({ length: 1200 }, (_, index) => ({ name: `tool_${index}` }));
    place.write('d16.declared.json', declaredText('d16', []));
    const uri = place.write('d16.observed.json', observedText('d16', tools));
    await until(
      () => diagnosticsOf(uri).length === 1000,
      () => `${diagnosticsOf(uri).length} diagnostics`,
    );
    const all = diagnosticsOf(uri);
    assert.match(all.at(-1)?.message ?? '', /^201 more entries/);
    assert.equal(all.filter((one) => codeOf(one) === 'mcp_tool_added').length, 999);
  });
});
