import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { classified, declared, observed, ordinary, policy, withFields } from '../support/documents';
import { eventually } from './eventually';
import { openWindow } from './host';
import type { Workbench } from './workbench';
import { filesOf, newDemo, newWorkspace, readFile } from './workspaces';

const COPY = 'MCP Manifest Review: Copy Observed Block into Baseline…';
const ACTION = 'Copy Observed Block into Baseline…';
const FILESYSTEM = 'baselines/filesystem.declared.json';
const QUESTION = 'Copy the observed block of “filesystem” into its baseline?';

describe('copying an observed block into its baseline', () => {
  it('needs only the keyboard, shows what it would write, writes that, and undo takes it back whole', async () => {
    const folder = newDemo();
    const before = filesOf(folder);
    const workbench = await openWindow(folder);
    const { reviews, editor, quickInput } = workbench;
    await selectByKeyboard(workbench, 'filesystem');
    await workbench.press('Enter');
    await editor.untilTitle('filesystem.observed.json');
    await editor.untilFocused();
    await workbench.run(COPY);
    assert.deepEqual(texts(await quickInput.question(QUESTION)), [
      ['Copy into baselines/filesystem.declared.json', 'Tools: 14 changed'],
      ['Cancel', ''],
    ]);
    await editor.untilTitle('filesystem: baseline after copying');
    const digest = digestIn(readFile(folder, 'observed/filesystem.observed.json'));
    const digestLine = (value: string) => `  "manifest_digest": "${value}",`;
    await eventually(async () => {
      assert.ok((await editor.lines('original')).includes(digestLine(digestIn(before[FILESYSTEM]))));
      assert.ok((await editor.lines('modified')).includes(digestLine(digest)));
    });
    assert.deepEqual(filesOf(folder), before);

    await quickInput.accept('Copy into');
    await editor.untilTitle('filesystem.declared.json');
    await reviews.untilRow('filesystem', { description: 'no finding', expanded: undefined });
    await reviews.untilBadge('3');
    assert.equal(digestIn(readFile(folder, FILESYSTEM)), digest);
    assert.deepEqual(filesOf(folder), { ...before, [FILESYSTEM]: readFile(folder, FILESYSTEM) });

    await editor.untilFocused();
    await workbench.press('Control+z');
    await reviews.untilRow('filesystem', { description: 'needs review · 1 medium, 13 low' });
    await editor.untilUnsaved();
    await workbench.press('Control+s');
    await editor.untilSaved();
    assert.deepEqual(filesOf(folder), before);
  });

  it('writes nothing when it is cancelled, or refused for a partial observation', async () => {
    const folder = newDemo();
    const before = filesOf(folder);
    const { reviews, editor, quickInput, notifications } = await openWindow(folder);
    await reviews.open();
    await reviews.act('filesystem', ACTION);
    await quickInput.question(QUESTION);
    await editor.untilTitle('filesystem: baseline after copying');
    await quickInput.cancel();
    await editor.untilTitle('');
    assert.deepEqual(notifications.all(), []);

    await reviews.act('okta', ACTION);
    await notifications.untilError(
      'The tool list is not known to be complete. Observe the server again, to the last page.',
    );
    await quickInput.untilClosed();
    await editor.untilTitle('');
    await reviews.untilRow('filesystem', { description: 'needs review · 1 medium, 13 low' });
    await reviews.untilRow('okta', { description: 'inconclusive' });
    assert.deepEqual(filesOf(folder), before);
  });

  it('makes a baseline where there is none, and undo takes the file away', async () => {
    const folder = newDemo();
    const before = filesOf(folder);
    const workbench = await openWindow(folder);
    const { reviews, editor, quickInput } = workbench;
    await reviews.open();
    await reviews.act('everything', ACTION);
    assert.deepEqual(
      texts(await quickInput.question('Copy the observed block of “everything” into its baseline?')),
      [
        ['Copy into observed/everything.declared.json', 'Tools: 14 added'],
        ['Cancel', ''],
      ],
    );
    await quickInput.accept('Copy into');
    await editor.untilTitle('everything.declared.json');
    await reviews.untilRow('everything', { description: 'no finding' });
    const made = readFile(folder, 'observed/everything.declared.json');
    assert.equal(digestIn(made), digestIn(readFile(folder, 'observed/everything.observed.json')));
    assert.deepEqual(filesOf(folder), { ...before, 'observed/everything.declared.json': made });

    await editor.untilFocused();
    await workbench.press('Control+z');
    await reviews.untilRow('everything', { description: 'inconclusive' });
    await eventually(() => {
      assert.ok(!fs.existsSync(path.join(folder, 'observed/everything.declared.json')));
    });
    assert.deepEqual(filesOf(folder), before);
  });

  it('shows every file it would write, and leaves nothing open', async () => {
    const definition = { description: 'Another one.' };
    const baseline = declared([withFields(ordinary('search'))]);
    const folder = newWorkspace({
      'github.observed.json': observed([withFields(ordinary('search', definition), definition)]),
      'github.declared.json': baseline,
      'mcp-policy.yaml': policy({ github: baseline.manifest_digest }),
    });
    const before = filesOf(folder);
    const workbench = await openWindow(folder);
    const { reviews, editor, quickInput } = workbench;
    await reviews.open();
    const ask = async () => {
      await reviews.act('github', ACTION);
      const [accept] = await quickInput.question('Copy the observed block of “github” into its baseline?');
      assert.equal(accept?.label, 'Copy into github.declared.json, mcp-policy.yaml');
      await editor.untilTitle('github: baseline after copying (2 files)');
    };
    await ask();
    await quickInput.cancel();
    await editor.untilTitle('');
    assert.deepEqual(filesOf(folder), before);

    await ask();
    await quickInput.accept('Copy into');
    await editor.untilTitle('github.declared.json');
    await reviews.untilRow('github', { description: 'no finding' });
    assert.equal(await editor.count(), 1);
    const digest = digestIn(readFile(folder, 'github.observed.json'));
    assert.equal(digestIn(readFile(folder, 'github.declared.json')), digest);
    assert.equal(readFile(folder, 'mcp-policy.yaml'), policy({ github: digest }));

    await editor.untilFocused();
    await workbench.press('Control+z');
    await reviews.untilRow('github', { description: 'needs review · 2 medium' });
  });

  it('asks a second time for a new privileged tool', async () => {
    const known = withFields(classified('get_me', null));
    const key = withFields(classified('github.add_deploy_key', 'github_deploy_key'));
    const folder = newWorkspace({
      'github.observed.json': observed([key, known]),
      'github.declared.json': declared([known]),
    });
    const before = filesOf(folder);
    const { reviews, editor, quickInput } = await openWindow(folder);
    const acceptFirst = async () => {
      await reviews.act('github', ACTION);
      await quickInput.question('Copy the observed block of “github” into its baseline?');
      await quickInput.accept('Copy into github.declared.json');
      const second = await quickInput.question('Privileged tools are new or changed: accept them too?');
      assert.deepEqual(texts(second), [
        ['Accept 1 privileged tools', 'github.add_deploy_key'],
        ['Cancel', ''],
      ]);
    };
    await reviews.open();
    await acceptFirst();
    await quickInput.cancel();
    await editor.untilTitle('');
    assert.deepEqual(filesOf(folder), before);

    await acceptFirst();
    await quickInput.accept('Accept');
    await editor.untilTitle('github.declared.json');
    await reviews.untilRow('github', { description: 'no finding' });
    assert.equal(
      digestIn(readFile(folder, 'github.declared.json')),
      digestIn(readFile(folder, 'github.observed.json')),
    );
  });
});

/** Moves the focus into the view and down to a row, as one does without a mouse. */
async function selectByKeyboard(workbench: Workbench, label: string): Promise<void> {
  const { reviews } = workbench;
  const focus = 'MCP Manifest Review: Focus on Reviews View';
  await workbench.run(focus);
  await reviews.untilRow(label);
  // The first time the rows were not there yet to be focused.
  await workbench.run(focus);
  await reviews.untilFocused();
  await eventually(async () => {
    const rows = await reviews.rows();
    const from = rows.findIndex(({ focused }) => focused);
    const to = rows.findIndex((row) => row.label === label);
    if (from !== to) await workbench.press(from < to ? 'ArrowDown' : 'ArrowUp');
    assert.equal(from, to);
  });
}

function texts(rows: readonly { label: string; detail: string }[]): [string, string][] {
  return rows.map(({ label, detail }) => [label, detail]);
}

function digestIn(text: string | undefined): string {
  const [, digest] = /"manifest_digest": "([^"]+)"/.exec(text ?? '') ?? [];
  assert.ok(digest);
  return digest;
}
