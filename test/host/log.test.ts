import * as assert from 'node:assert/strict';
import { sha256 } from '../../src/desktop/sha256';
import { editorFiles } from '../../src/editor/files';
import { type Log, logEvent } from '../../src/editor/log';
import { DEFAULT_GLOBS } from '../../src/workspace/globs';
import { Session } from '../../src/workspace/session';
import { toFolder } from '../../src/editor/folders';
import * as vscode from 'vscode';
import { declaredText, observedText } from './support/manifests';
import { Place } from './support/workspace';

describe('the log', () => {
  it('says what was read, paired and skipped, and why, with hidden characters shown', async () => {
    const place = new Place();
    place.write('l1.declared.json', declaredText('l1\u200b', [{ name: 'search' }]));
    place.write('l1.observed.json', observedText('l1\u200b', [{ name: 'search' }]));
    place.write('l2.observed.json', '{}');
    place.write('left/l3.observed.json', observedText('l3', []));
    const lines: string[] = [];
    const keep = (message: string | Error) => lines.push(String(message));
    const log: Log = { debug: keep, info: keep, error: keep };
    const session = new Session({
      files: editorFiles,
      clock: { after: () => () => undefined },
      sha256,
      log: (event) => {
        logEvent(log, event);
      },
      publish: () => undefined,
    });
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    await session.configure({
      folders: [toFolder({ ...folder, uri: vscode.Uri.file(place.folder) })],
      globs: { ...DEFAULT_GLOBS, exclude: ['left/**'] },
      pairings: new Map(),
      maxSize: 1_000_000,
    });
    session.dispose();
    place.remove();
    const said = lines.map((line) => line.replace(/\S*\/test-\w+\//g, ''));
    assert.ok(said.includes('Read l1.observed.json (observed): 0 problems.'));
    assert.ok(said.includes('Review for l1\\u{200B}: l1.observed.json with l1.declared.json: no finding.'));
    assert.ok(
      said.includes('Skipped l2.observed.json: it is no observed manifest, no baseline and no policy.'),
    );
    assert.ok(said.includes('Left out left/l3.observed.json: excluded by a setting.'));
    assert.ok(said.some((line) => line.endsWith(': 3 watched names, 1 documents left out by a setting.')));
  });
});
