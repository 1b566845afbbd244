import fs from 'node:fs';
import path from 'node:path';
import { removeFolder, temporaryFolder } from '../../scripts/host/session.mjs';

const DEMO = path.join(import.meta.dirname, '../../fixtures/workspaces/demo');

const made: string[] = [];

/** A new workspace folder with these files, by their paths; a value that is no text is written as JSON. */
export function newWorkspace(files: Readonly<Record<string, unknown>> = {}): string {
  const folder = temporaryFolder('ui');
  made.push(folder);
  for (const [name, content] of Object.entries(files)) writeFile(folder, name, content);
  return folder;
}

/** A copy of the demo workspace, with further files or changed ones. */
export function newDemo(files: Readonly<Record<string, unknown>> = {}): string {
  const folder = newWorkspace();
  fs.cpSync(DEMO, folder, { recursive: true });
  for (const [name, content] of Object.entries(files)) writeFile(folder, name, content);
  return folder;
}

export function writeFile(folder: string, name: string, content: unknown): void {
  const file = path.join(folder, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`);
}

export function readFile(folder: string, name: string): string {
  return fs.readFileSync(path.join(folder, name), 'utf8');
}

/** The text of every file of a folder, by its path. */
export function filesOf(folder: string): Record<string, string> {
  const names = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => fs.statSync(path.join(folder, name)).isFile());
  return Object.fromEntries(files.sort().map((name) => [name, readFile(folder, name)]));
}

/** Removes every workspace made so far. */
export function removeWorkspaces(): void {
  for (const folder of made.splice(0)) removeFolder(folder);
}
