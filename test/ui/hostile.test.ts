import assert from 'node:assert/strict';
import { classified, declared, observed, ordinary, withFields } from '../support/documents';
import { eventually } from './eventually';
import { openWindow } from './host';
import type { Workbench } from './workbench';
import { newWorkspace } from './workspaces';

/** Names that would do harm where an editor takes text for more than text, and how they are to be shown. */
const NAMES: Readonly<Record<string, string>> = {
  '$(bug) icon': '$(bug) icon',
  'bidi \u{202E}flow': 'bidi \\u{202E}flow',
  'zero\u{200B}width': 'zero\\u{200B}width',
  'two\nlines': 'two\\u{A}lines',
  '[x](command:workbench.action.quit)': '[x](command:workbench.action.quit)',
  '**bold** `code` <b>html</b> &lt;': '**bold** `code` <b>html</b> &lt;',
  [`long${'x'.repeat(10_000)}`]: `long${'x'.repeat(115)}…`,
};
const SERVER = 'server $(bug) \u{202E}\n[x](command:workbench.action.quit)';
const SERVER_SHOWN = 'server $(bug) \\u{202E}\\u{A}[x](command:workbench.action.quit)';

function messageOf(tool: string): string {
  return `The description of “${tool}” differs from the baseline. It needs review.`;
}

async function openHostile(): Promise<Workbench> {
  const definition = { description: 'Another one.' };
  const before = Object.keys(NAMES).map((name) => withFields(ordinary(name)));
  const after = Object.keys(NAMES).map((name) => withFields(ordinary(name, definition), definition));
  const folder = newWorkspace({
    'a.declared.json': declared(before, { id: SERVER }),
    'a.observed.json': observed(after, { id: SERVER }),
  });
  const workbench = await openWindow(folder);
  await workbench.reviews.untilBadge('1');
  await workbench.reviews.open();
  return workbench;
}

describe('names that are meant to deceive', () => {
  it('are plain text in the tree, hidden characters shown', async () => {
    const { reviews } = await openHostile();
    await reviews.untilRow(SERVER_SHOWN, { spoken: `${SERVER_SHOWN}, needs review · 7 medium` });
    await reviews.expand(SERVER_SHOWN);
    await reviews.expand('7 tools');
    for (const shown of Object.values(NAMES)) {
      await reviews.untilRow(shown, {
        level: 3,
        spoken: `${shown}, medium, description`,
        icons: ['codicon-tools'],
      });
      await reviews.hover(shown);
      await eventually(async () => {
        assert.deepEqual(await reviews.hovered(), { text: messageOf(shown), elements: [] });
      });
    }
  });

  it('are plain text in the Problems panel, and do not reach the explanation', async () => {
    const { problems, editor } = await openHostile();
    await problems.open();
    for (const shown of Object.values(NAMES)) {
      const [word = ''] = /[a-z]{4,9}/.exec(shown) ?? [];
      await problems.filter(word);
      await eventually(async () => {
        const found = (await problems.messages()).filter(({ text }) => text === messageOf(shown));
        assert.deepEqual(found, [{ text: messageOf(shown), elements: [] }]);
      });
    }
    await problems.filter('command');
    await problems.pressCode(messageOf('[x](command:workbench.action.quit)'));
    await editor.untilTitle('Preview mcp_tool_description_changed.md');
    const page = editor.preview();
    await page.locator('h1', { hasText: 'Description changed' }).waitFor();
    assert.equal(await page.locator('a').count(), 0);
    assert.doesNotMatch(await page.locator('body').innerText(), /workbench|bug/);
  });

  it('are plain text in the questions', async () => {
    const tool = '$(bug) [x](command:workbench.action.quit) \u{202E}.add_deploy_key';
    const entry = withFields(classified(tool, 'github_deploy_key'));
    const folder = newWorkspace({
      '$(flame).observed.json': observed([entry], { id: SERVER }),
      'b.observed.json': observed([entry], { id: 'b' }),
    });
    const workbench = await openWindow(folder);
    const { reviews, quickInput } = workbench;
    await reviews.open();
    await reviews.untilRow(SERVER_SHOWN);
    await workbench.run('MCP Manifest Review: Copy Observed Block into Baseline…');
    await eventually(async () => {
      const [first] = await quickInput.rows();
      assert.deepEqual(first, { label: SERVER_SHOWN, detail: '$(flame).observed.json', icons: [] });
    });
    await quickInput.accept(SERVER_SHOWN);
    const title = `Copy the observed block of “${SERVER_SHOWN.slice(0, 59)}…” into its baseline?`;
    const [first] = await quickInput.question(title);
    assert.deepEqual(first, {
      label: 'Copy into $(flame).declared.json',
      detail: 'Tools: 1 added',
      icons: ['codicon-check'],
    });
    await quickInput.accept('Copy into');
    const [second] = await quickInput.question('Privileged tools are new or changed: accept them too?');
    assert.deepEqual(second?.icons, ['codicon-check']);
    assert.match(second.detail, /^\$\(bug\) \[x\]\(command:workbench\.action\.quit\) \\u\{202E\}/);
    await quickInput.cancel();
  });
});
