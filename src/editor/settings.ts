import * as vscode from 'vscode';
import * as z from 'zod';
import type { Configuration } from '../workspace/territory';
import type { Pairing } from '../workspace/pairing';
import { resolvePath } from '../workspace/paths';
import { toFolder } from './folders';
import { SETTINGS, SETTINGS_SECTION } from './ids';

export const LEVELS = ['error', 'warning', 'information', 'hint'] as const;
export type Level = (typeof LEVELS)[number];

/** What can be shown at a level of its own. */
export const CATEGORIES = ['high', 'medium', 'low', 'inconclusive', 'coverage'] as const;
export type Category = (typeof CATEGORIES)[number];

const globs = z.array(z.string());
const pairing = z.object({
  observed: z.string(),
  declared: z.string().optional(),
  policy: z.string().optional(),
});
const level = z.enum(LEVELS);

/** Reads settings; a value of the wrong type counts as not set, so that the default of package.json applies. */
function read<T>(name: string, schema: z.ZodType<T>, resource?: vscode.Uri): T | undefined {
  const section = vscode.workspace.getConfiguration(SETTINGS_SECTION, resource ?? null);
  const value = schema.safeParse(section.get(name));
  return value.success ? value.data : schema.safeParse(section.inspect(name)?.defaultValue).data;
}

/** The folders and settings a session works with. */
export function readConfiguration(): Configuration {
  const folders = (vscode.workspace.workspaceFolders ?? []).map(toFolder);
  return {
    folders,
    globs: {
      observed: read(SETTINGS.observed, globs) ?? [],
      declared: read(SETTINGS.declared, globs) ?? [],
      policy: read(SETTINGS.policy, globs) ?? [],
      exclude: read(SETTINGS.exclude, globs) ?? [],
    },
    pairings: new Map(folders.map((folder) => [folder.uri, readPairings(vscode.Uri.parse(folder.uri))])),
    maxSize: (read(SETTINGS.maxSize, z.number().positive()) ?? 0) * 1_000_000,
  };
}

/** Pairings with addresses in place of paths; a list entry that is no pairing is passed over. */
function readPairings(resource: vscode.Uri): Pairing[] {
  const folder = { uri: resource.toString(), name: '' };
  const resolve = (path: string | undefined) => (path === undefined ? undefined : resolvePath(folder, path));
  return (read(SETTINGS.pairings, z.array(z.unknown()), resource) ?? []).flatMap((value) => {
    const { data } = pairing.safeParse(value);
    if (data === undefined) return [];
    return [
      {
        observed: resolvePath(folder, data.observed),
        declared: resolve(data.declared),
        policy: resolve(data.policy),
      },
    ];
  });
}

/** The level of each category; a category that is not mapped keeps its default. */
export function readLevels(): Readonly<Record<Category, Level>> {
  const values = read(SETTINGS.severity, z.record(z.string(), z.unknown())) ?? {};
  const of = (category: Category, fallback: Level) => level.safeParse(values[category]).data ?? fallback;
  return {
    high: of('high', 'error'),
    medium: of('medium', 'warning'),
    low: of('low', 'information'),
    inconclusive: of('inconclusive', 'warning'),
    coverage: of('coverage', 'information'),
  };
}

/** How long a text must rest before it is judged, in milliseconds. */
export function readDelay(): number {
  return read(SETTINGS.delay, z.number().min(0)) ?? 0;
}
