import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript';
import importX from 'eslint-plugin-import-x';
import tseslint from 'typescript-eslint';

/** Which rooms of src a room may import from; whatever is not named here is forbidden. */
const MAY_IMPORT = {
  engine: [],
  workspace: ['engine'],
  report: ['engine'],
  desktop: ['engine', 'workspace'],
  cli: ['engine', 'workspace', 'report', 'desktop'],
  editor: ['engine', 'workspace', 'report'],
  extension: ['engine', 'workspace', 'report', 'editor', 'desktop'],
};
const ROOMS = Object.keys(MAY_IMPORT);

const zones = ROOMS.map((room) => ({
  target: `./src/${room}`,
  from: ROOMS.filter((other) => other !== room && !MAY_IMPORT[room].includes(other)).map((o) => `./src/${o}`),
  message: `${room} may import only from: ${MAY_IMPORT[room].join(', ') || 'itself'} (see CONTRIBUTING.md).`,
}));

const forbid = (rooms, group, message) => ({
  files: rooms.map((room) => `src/${room}/**/*.ts`),
  rules: { 'no-restricted-imports': ['error', { patterns: [{ group, message }] }] },
});

export default tseslint.config(
  {
    ignores: [
      'dist/',
      'out/',
      'node_modules/',
      'test/host/server/',
      '**/*.mjs',
      '**/*.d.mts',
      '**/*.cjs',
      '**/*.js',
    ],
  },
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        project: ['src/*/tsconfig.json', 'test/tsconfig.json'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    plugins: { 'import-x': importX },
    settings: {
      'import-x/resolver-next': [createTypeScriptImportResolver({ project: 'src/*/tsconfig.json' })],
    },
    rules: {
      'import-x/no-restricted-paths': ['error', { zones }],
      'import-x/no-cycle': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/no-unnecessary-condition': ['error', { allowConstantLoopConditions: true }],
      eqeqeq: 'error',
    },
  },
  forbid(['engine', 'workspace', 'report'], ['vscode', 'node:*'], 'This room is pure: no vscode, no node.'),
  forbid(['editor'], ['node:*'], 'The editor room also runs on the web: no node.'),
  forbid(['desktop', 'cli'], ['vscode'], 'This room runs without an editor.'),
  { files: ['test/**/*.ts'], rules: { '@typescript-eslint/no-unused-expressions': 'off' } },
);
