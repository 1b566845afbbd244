// npm run pictures: takes the pictures of the README, media/review-light.png and media/review-dark.png, from the
// extension as a user installs it, on a copy of the demo workspace.
import fs from 'node:fs';
import path from 'node:path';
import { tsImport } from 'tsx/esm/api';
import {
  installExtension,
  launchBrowser,
  removeFolder,
  startServer,
  temporaryFolder,
  workbenchUrl,
} from './host/session.mjs';
import { ensureDependencies } from './lib/dependencies.mjs';
import { ROOT, main } from './lib/process.mjs';
import { shrinkPng } from './lib/png.mjs';
import { build, packageVsix } from './lib/vsix.mjs';

const SIZE = { width: 1260, height: 730 };
const SIDE_BAR_WIDTH = 365;
const SCHEMES = ['light', 'dark'];

const SETTINGS = {
  'breadcrumbs.enabled': false,
  'editor.cursorBlinking': 'solid',
  'editor.fontSize': 12,
  'editor.minimap.enabled': false,
  'editor.scrollbar.horizontal': 'hidden',
  'editor.scrollbar.vertical': 'visible',
  'editor.stickyScroll.enabled': false,
  'git.enabled': false,
  'remote.autoForwardPorts': false,
  'window.autoDetectColorScheme': true,
  'window.menuBarVisibility': 'hidden',
  'window.title': '${activeEditorShort}${separator}${rootName}',
  'workbench.layoutControl.enabled': false,
};

/** What only a browser's window has, or only this machine. */
const HIDDEN = ['status.host', 'status.forwardedPorts', 'status.workbench.keyboardLayout'];

await main(async () => {
  await ensureDependencies();
  await build();
  const { Workbench } = await tsImport('../test/ui/workbench.ts', import.meta.url);
  const folder = temporaryFolder('pictures');
  const demo = path.join(folder, 'demo');
  fs.cpSync(path.join(ROOT, 'fixtures/workspaces/demo'), demo, { recursive: true });
  let server;
  let browser;
  try {
    const extensionsDir = path.join(folder, 'extensions');
    await installExtension(packageVsix(path.join(folder, 'extension.vsix')), extensionsDir);
    server = await startServer({ extensionsDir, settings: SETTINGS });
    browser = await launchBrowser();
    for (const colorScheme of SCHEMES) {
      const context = await browser.newContext({
        ...{ viewport: SIZE, deviceScaleFactor: 2, reducedMotion: 'reduce', locale: 'en-US' },
        colorScheme,
      });
      const workbench = new Workbench(await context.newPage());
      await workbench.page.goto(workbenchUrl(server.address, { folder: demo }));
      await arrange(workbench);
      const file = path.join(ROOT, `media/review-${colorScheme}.png`);
      fs.writeFileSync(file, shrinkPng(await workbench.page.screenshot()));
      console.log(`${path.relative(ROOT, file)}: ${Math.round(fs.statSync(file).size / 1024)} KB`);
      await context.close();
    }
  } finally {
    await browser?.close();
    await server?.stop();
    removeFolder(folder);
  }
});

/** Brings the window to what the picture shows: a finding in the view, in the document and in the Problems panel. */
async function arrange(workbench) {
  const { page, reviews, problems, editor } = workbench;
  await workbench.ready();
  const hidden = HIDDEN.map((id) => `.statusbar-item[id="${id}"]`).join(', ');
  await page.addStyleTag({ content: `${hidden} { display: none !important }` });
  await reviews.untilBadge('4');
  await problems.open();
  await reviews.open();
  await widenSideBar(page);
  await reviews.expand('filesystem');
  await reviews.expand('read_media_file');
  await reviews.click('description');
  await editor.untilTitle('filesystem.observed.json');
  await page.locator('.part.editor .squiggly-warning').first().waitFor();
  await untilQuiet(page);
  await page.mouse.move(SIZE.width / 2, 5);
}

/** Resolves when nothing is being loaded any more. */
async function untilQuiet(page) {
  await page.locator('.statusbar-item[id="status.languageStatus"]').waitFor();
  await page.locator('.statusbar-item[id="status.progress"]').waitFor({ state: 'hidden' });
  await page.locator('.monaco-progress-container.active').waitFor({ state: 'hidden' });
}

async function widenSideBar(page) {
  const { x, y, width } = await page.locator('.part.sidebar').boundingBox();
  await page.mouse.move(x + width, y + 300);
  await page.mouse.down();
  await page.mouse.move(x + SIDE_BAR_WIDTH, y + 300, { steps: 5 });
  await page.mouse.up();
}
