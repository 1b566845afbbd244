import assert from 'node:assert/strict';
import type { Server } from '../../scripts/host/session.mjs';
import { RESTRICTED_MODE_SETTINGS } from '../../scripts/host/settings.mjs';
import { observed, ordinary } from '../support/documents';
import { eventually } from './eventually';
import { newServer, openWindow } from './host';
import { newDemo, newWorkspace, readFile, writeFile } from './workspaces';

const SETTINGS = '.vscode/settings.json';

describe('the view', () => {
  it('says what is looked for in a folder without documents, until there is one', async () => {
    const folder = newWorkspace({ 'README.md': 'Nothing here.\n' });
    const { reviews } = await openWindow(folder);
    await reviews.open();
    await eventually(async () => {
      const { text, buttons } = await reviews.welcome();
      assert.equal(text[0], 'No observed manifest, baseline or policy was found in this folder.');
      assert.match(text[1] ?? '', /github\.observed\.json.*github\.declared\.json/);
      assert.deepEqual(buttons, [
        'Build Observed Manifest from tools/list',
        'Review This File',
        'Open Settings',
        'Refresh',
      ]);
    });
    writeFile(folder, 'new/github.observed.json', observed([ordinary('search')]));
    await reviews.untilSpoken('github, inconclusive');
    assert.deepEqual(await reviews.welcome(), { text: [], buttons: [] });
  });

  it('asks for a folder where none is open', async () => {
    const { reviews } = await openWindow();
    await reviews.open();
    await eventually(async () => {
      assert.deepEqual(await reviews.welcome(), {
        text: ['Open a folder with observed MCP manifests and baselines to review them.'],
        buttons: ['Open Folder'],
      });
    });
  });

  it('says how many documents a setting leaves out', async () => {
    const settings = { 'mcpManifestReview.files.exclude': ['**/okta.*'] };
    const { reviews } = await openWindow(newDemo({ [SETTINGS]: settings }));
    await reviews.open();
    await reviews.untilRow('memory');
    await eventually(async () => {
      assert.equal(await reviews.message(), '2 documents are left out by a setting.');
    });
    assert.ok(!(await reviews.rows()).some(({ label }) => label === 'okta'));
  });
});

describe('notifications', () => {
  it('come neither when a folder opens nor when a document is saved', async () => {
    const folder = newDemo();
    const workbench = await openWindow(folder);
    const { reviews, editor, notifications } = workbench;
    await reviews.untilBadge('4');
    await workbench.openFile('memory.observed.json');
    await workbench.press('Control+Home', 'Enter');
    await editor.untilUnsaved();
    await workbench.press('Control+s');
    await editor.untilSaved();
    assert.match(readFile(folder, 'observed/memory.observed.json'), /^\n\{/);
    await workbench.press('Control+End', '{');
    await editor.untilUnsaved();
    await reviews.open();
    await reviews.untilRow('memory', { description: 'inconclusive' });
    await workbench.press('Control+s');
    await editor.untilSaved();
    // Notifications come in their order: when the first is this one, saving and opening raised none before it.
    await reviews.act('okta', 'Copy Observed Block into Baseline…');
    await notifications.untilError('The tool list is not known to be complete.');
    assert.equal(notifications.all().length, 1);
  });
});

describe('Restricted Mode', () => {
  let server: Server;
  before(async () => {
    server = await newServer({ workspaceTrust: true, settings: RESTRICTED_MODE_SETTINGS });
  });
  after(() => server.stop());

  it('has the whole review, and settings of the folder leave nothing out', async () => {
    const settings = { 'mcpManifestReview.files.exclude': ['**'] };
    const workbench = await openWindow(newDemo({ [SETTINGS]: settings }), server);
    const { reviews } = workbench;
    await reviews.untilBadge('4');
    await eventually(async () => {
      assert.equal(await workbench.statusItem('status.workspaceTrust'), 'Restricted Mode');
    });
    await reviews.open();
    await reviews.untilRow('memory', { description: 'no finding' });
    assert.equal((await reviews.rows()).length, 7);
    assert.equal(await reviews.message(), '');
    await reviews.expand('filesystem');
    await reviews.untilRow('read_media_file', { description: 'description, output schema, annotations' });
  });
});
