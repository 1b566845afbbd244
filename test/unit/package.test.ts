import * as assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { COMMANDS, ROWS, SETTINGS, SETTINGS_SECTION, VIEWS } from '../../src/editor/ids';
import { DEFAULT_GLOBS } from '../../src/workspace/globs';

const root = join(import.meta.dirname, '../..');
const text = readFileSync(join(root, 'package.json'), 'utf8');
const strings = readFileSync(join(root, 'package.nls.json'), 'utf8');

const property = z.looseObject({ default: z.unknown(), order: z.number() });
const manifest = z
  .object({
    activationEvents: z.array(z.string()),
    capabilities: z.object({
      untrustedWorkspaces: z.object({ restrictedConfigurations: z.array(z.string()) }),
    }),
    contributes: z.object({
      commands: z.array(z.object({ command: z.string(), title: z.string(), category: z.string() })),
      menus: z.record(z.string(), z.array(z.object({ command: z.string(), when: z.string() }))),
      views: z.record(z.string(), z.array(z.object({ id: z.string() }))),
      configuration: z.array(z.object({ properties: z.record(z.string(), property) })),
    }),
  })
  .parse(JSON.parse(text));
const nls = z.record(z.string(), z.string()).parse(JSON.parse(strings));
const properties = Object.assign(
  {},
  ...manifest.contributes.configuration.map((group) => group.properties),
) as Record<string, z.infer<typeof property>>;

describe('package.json', () => {
  it('declares the commands the code registers, with the category', () => {
    const declared = manifest.contributes.commands.map(({ command }) => command);
    assert.deepEqual(declared.sort(), Object.values(COMMANDS).sort());
    for (const { category } of manifest.contributes.commands) assert.equal(category, 'MCP Manifest Review');
  });

  it('declares the view and uses only known commands and rows in menus', () => {
    const views = Object.values(manifest.contributes.views).flat();
    assert.deepEqual(
      views.map(({ id }) => id),
      Object.values(VIEWS),
    );
    const known = new Set<string>(Object.values(COMMANDS));
    const rows = new Set<string>(Object.values(ROWS));
    for (const { command, when } of Object.values(manifest.contributes.menus).flat()) {
      assert.ok(known.has(command), command);
      for (const [, row] of when.matchAll(/viewItem == (\S+)/g)) assert.ok(rows.has(row ?? ''), row);
    }
  });

  it('declares the settings the code reads, and restricts those that could hide something', () => {
    const names = Object.values(SETTINGS).map((name) => `${SETTINGS_SECTION}.${name}`);
    assert.deepEqual(Object.keys(properties).sort(), names.sort());
    const open = names.filter(
      (n) => !manifest.capabilities.untrustedWorkspaces.restrictedConfigurations.includes(n),
    );
    assert.deepEqual(open, ['mcpManifestReview.delay']);
  });

  it('has the default globs of the command line, and activates on them alone', () => {
    for (const kind of ['observed', 'declared', 'policy', 'exclude'] as const) {
      assert.deepEqual(properties[`${SETTINGS_SECTION}.files.${kind}`]?.default, DEFAULT_GLOBS[kind]);
    }
    const globs = new Set([...DEFAULT_GLOBS.observed, ...DEFAULT_GLOBS.declared, ...DEFAULT_GLOBS.policy]);
    const events = [...globs].map((glob) => `workspaceContains:${glob}`);
    assert.deepEqual([...manifest.activationEvents].sort(), events.sort());
  });

  it('has a text for every placeholder, and no text that is not used', () => {
    const used = [...text.matchAll(/"%([^%"]+)%"/g)].map(([, key]) => key ?? '');
    assert.deepEqual([...new Set(used)].sort(), Object.keys(nls).sort());
  });
});
