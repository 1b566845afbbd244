// Reads the arguments of the `code` command line as far as the launcher beside this file knows them.
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Flags whose value may also follow as the next argument. */
const TAKES_VALUE = new Set([
  'extensionDevelopmentPath',
  'extensionTestsPath',
  'user-data-dir',
  'extensions-dir',
  'folder-uri',
  'file-uri',
  'install-extension',
  'uninstall-extension',
  'locale',
  'log',
  'profile',
]);

/** Flags that are a command to the server: it carries them out and ends. */
const SERVER_COMMANDS = new Set([
  ...['install-extension', 'uninstall-extension', 'list-extensions', 'show-versions', 'force', 'pre-release'],
  'version',
]);

export function parseCodeArguments(argv) {
  const options = { workspaceTrust: true, serverCommand: [], targets: [] };
  for (const { name, value } of splitFlags(argv)) {
    if (name === undefined) options.targets.push(path.resolve(value));
    else if (name === 'extensionDevelopmentPath') options.extension = toPath(value);
    else if (name === 'extensionTestsPath') options.tests = toPath(value);
    else if (name === 'user-data-dir') options.userDataDir = path.resolve(value);
    else if (name === 'extensions-dir') options.extensionsDir = path.resolve(value);
    else if (name === 'folder-uri' || name === 'file-uri') options.targets.push(toPath(value));
    else if (name === 'disable-workspace-trust') options.workspaceTrust = false;
    else if (SERVER_COMMANDS.has(name)) options.serverCommand.push(serverFlag(name, value));
    // Every other flag of a desktop editor (--no-sandbox, --skip-welcome, ...) has no meaning here.
  }
  return options;
}

function* splitFlags(argv) {
  for (let i = 0; i < argv.length; i++) {
    const [, name, inlineValue] = /^--?([^=]+)(?:=([\s\S]*))?$/.exec(argv[i]) ?? [];
    if (name === undefined) yield { value: argv[i] };
    else if (inlineValue !== undefined || !TAKES_VALUE.has(name))
      yield { name: name === 'v' ? 'version' : name, value: inlineValue };
    else yield { name, value: argv[++i] };
  }
}

function serverFlag(name, value) {
  if (value === undefined) return `--${name}`;
  return `--${name}=${/\.vsix$/i.test(value) ? path.resolve(value) : value}`;
}

function toPath(pathOrUri) {
  return pathOrUri.startsWith('file:') ? fileURLToPath(pathOrUri) : path.resolve(pathOrUri);
}
