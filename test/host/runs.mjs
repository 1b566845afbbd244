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
 * - `prepare(folder)`: called with the folder of the copy before the window opens.
 */
export const runs = [{ name: 'main', workspace: 'fixtures/workspaces/demo' }];
