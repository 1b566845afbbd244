import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * The runs of the host tests: one editor window each, with its own copy of a workspace and its own settings.
 *
 * - `name`: shown, and selected by `npm test -- --run NAME`.
 * - `files`: test files, or folders ending in a slash, relative to this folder. The one run without `files` takes
 *   every test file that no other run names.
 * - `workspace`: a folder of the repository, or a .code-workspace file, whose folder is then copied as a whole.
 *   Without it the window opens on an empty folder.
 * - `settings`: user settings on top of the quiet ones.
 * - `trust`: false opens the window in Restricted Mode.
 * - `prepare(folder)`: called with the folder of the copy before the window opens; may give another path to open.
 */
export const runs = [
  { name: 'main', workspace: 'fixtures/workspaces/demo' },
  {
    name: 'restricted',
    files: ['restricted.test.ts'],
    workspace: 'fixtures/workspaces/demo',
    trust: false,
    prepare: (folder) => {
      mkdirSync(path.join(folder, '.vscode'));
      const settings = {
        'mcpManifestReview.files.exclude': ['**/*'],
        'mcpManifestReview.severity': { low: 'hint' },
      };
      writeFileSync(path.join(folder, '.vscode/settings.json'), JSON.stringify(settings));
    },
  },
  {
    name: 'folders',
    files: ['folders.test.ts'],
    // Two folders from the start: adding a second one to a single folder would restart the extension host.
    prepare: (folder) => {
      const folders = ['one', 'two'].map((name) => ({ path: name }));
      for (const { path: name } of folders) mkdirSync(path.join(folder, name));
      writeFileSync(path.join(folder, 'folders.code-workspace'), JSON.stringify({ folders }));
      return path.join(folder, 'folders.code-workspace');
    },
  },
  {
    name: 'cases',
    files: ['cases.test.ts'],
    workspace: 'fixtures/cases',
    // Each case is a workspace of its own.
    prepare: (folder) => {
      const names = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
      const folders = names.map(({ name }) => ({ path: name }));
      for (const { name } of names) pairByHand(path.join(folder, name));
      writeFileSync(path.join(folder, 'cases.code-workspace'), JSON.stringify({ folders }));
      return path.join(folder, 'cases.code-workspace');
    },
  },
];

/** A case with a pairing by hand has it as a setting. */
function pairByHand(folder) {
  const file = path.join(folder, 'pairing.json');
  if (!existsSync(file)) return;
  const settings = { 'mcpManifestReview.pairings': [JSON.parse(readFileSync(file, 'utf8'))] };
  mkdirSync(path.join(folder, '.vscode'));
  writeFileSync(path.join(folder, '.vscode/settings.json'), JSON.stringify(settings));
}
