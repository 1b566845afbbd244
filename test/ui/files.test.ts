import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { openWindow } from './host';
import { newDemo, newWorkspace, readFile } from './workspaces';

describe('new files', () => {
  it('are made of a tools/list capture, and reviewed at once', async () => {
    const capture = {
      tools: [{ name: 'search', inputSchema: { type: 'object' } }, { name: 'github.invite' }],
    };
    const folder = newWorkspace({ 'github.tools.json': capture });
    const workbench = await openWindow(folder);
    const { reviews, editor, quickInput } = workbench;
    await workbench.openFile('github.tools.json');
    await workbench.run('MCP Manifest Review: Build Observed Manifest from tools/list…');
    await quickInput.accept('The open file');
    await quickInput.untilValue(/^github$/);
    assert.equal(await quickInput.title(), 'Server id');
    await workbench.press('Enter');
    await quickInput.question('Is the list complete?');
    await quickInput.type('complete');
    await quickInput.accept('complete');
    await quickInput.untilValue(/\/github\.observed\.json$/);
    await workbench.press('Enter');
    await editor.untilTitle('github.observed.json');
    await reviews.open();
    await reviews.untilSpoken('github, inconclusive');
    const record = JSON.parse(readFile(folder, 'github.observed.json')) as {
      observed: Record<string, unknown>;
    };
    const { tool_count, privileged_tool_count, tools_list_complete } = record.observed;
    assert.deepEqual([tool_count, privileged_tool_count, tools_list_complete], [2, 1, 'complete']);
  });

  it('are made of a report, which is opened', async () => {
    const folder = newDemo();
    const workbench = await openWindow(folder);
    const { reviews, editor, quickInput } = workbench;
    await reviews.untilBadge('4');
    await workbench.run('MCP Manifest Review: Save Report As…');
    await quickInput.untilOffered('SARIF');
    await quickInput.type('SARIF');
    await quickInput.accept('SARIF');
    await quickInput.untilValue(/\/mcp-review\.sarif$/);
    assert.ok(!fs.existsSync(path.join(folder, 'mcp-review.sarif')));
    await workbench.press('Enter');
    await editor.untilTitle('mcp-review.sarif');
    const { version } = JSON.parse(readFile(folder, 'mcp-review.sarif')) as { version: string };
    assert.equal(version, '2.1.0');
  });
});
