import picomatch from 'picomatch/posix.js';

/** Which names are watched, as globs relative to a folder. A document's kind is what it says it is, not its name. */
export interface Globs {
  readonly observed: readonly string[];
  readonly declared: readonly string[];
  readonly policy: readonly string[];
  readonly exclude: readonly string[];
}

/** The defaults of semantics 9; package.json repeats them for the settings editor, and a test compares the two. */
export const DEFAULT_GLOBS: Globs = {
  observed: ['**/*.observed.json', '**/.mcp/**/*.json'],
  declared: ['**/*.declared.json', '**/.mcp/**/*.json'],
  policy: ['**/*policy*.{json,yml,yaml}', '**/.mcp/**/*.json'],
  exclude: ['**/node_modules/**', '**/.git/**', '**/dist/**', '**/out/**'],
};

/** How a name takes part: `excluded` is what a setting, not a default, leaves out. */
export type Standing = 'watched' | 'excluded' | 'ignored';

/** The names to list in a folder: what is watched, and what would be without the settings. */
export function listedPatterns(globs: Globs): string[] {
  return [...new Set([...includes(globs), ...includes(DEFAULT_GLOBS)])];
}

/** Tells for a relative path how it takes part. */
export function createMatcher(globs: Globs): (path: string) => Standing {
  const included = matcher(includes(globs));
  const excluded = matcher(globs.exclude);
  const includedByDefault = matcher(includes(DEFAULT_GLOBS));
  const excludedByDefault = matcher(DEFAULT_GLOBS.exclude);
  return (path) => {
    if (included(path) && !excluded(path)) return 'watched';
    const named = included(path) || includedByDefault(path);
    return named && !excludedByDefault(path) ? 'excluded' : 'ignored';
  };
}

/** The kind a watched name speaks of, for a file whose text cannot be read. */
export function kindByName(globs: Globs, path: string): 'observed' | 'declared' | 'policy' {
  if (matcher(globs.observed)(path)) return 'observed';
  return matcher(globs.declared)(path) ? 'declared' : 'policy';
}

function includes(globs: Globs): string[] {
  return [...globs.observed, ...globs.declared, ...globs.policy];
}

function matcher(patterns: readonly string[]): (path: string) => boolean {
  // As in the editor's own globs, a leading dot is an ordinary character.
  return patterns.length === 0 ? () => false : picomatch([...patterns], { dot: true });
}
