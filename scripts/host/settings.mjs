// The user settings under which the scripts open an editor: nothing of its own between the user and the extension.
import fs from 'node:fs';
import path from 'node:path';

const QUIET_SETTINGS = {
  'chat.disableAIFeatures': true,
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'files.hotExit': 'off',
  'git.openRepositoryInParentFolders': 'never',
  'security.workspace.trust.enabled': false,
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'window.commandCenter': false,
  'workbench.enableExperiments': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.welcomePage.walkthroughs.openOnInstall': false,
};

/** Trust as it is for a user, without the question at the start: an unknown folder opens in Restricted Mode. */
export const RESTRICTED_MODE_SETTINGS = {
  'security.workspace.trust.enabled': true,
  'security.workspace.trust.startupPrompt': 'never',
  'security.workspace.trust.banner': 'never',
};

/** Writes the settings of a user-data folder; one that has settings already keeps them. */
export function writeSettings(userDataDir, settings = {}) {
  const file = path.join(userDataDir, 'User/settings.json');
  if (fs.existsSync(file)) return;
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, JSON.stringify({ ...QUIET_SETTINGS, ...settings }, null, 2));
}
