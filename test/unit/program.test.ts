import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { helpFor } from '../../src/cli/usage';
import { loadCases, reduceReport } from '../support/cases';
import { declared, manifestDigest, observed, ordinary } from '../support/documents';
import { TempFolder } from '../support/folder';
import { layOut } from '../support/layout';
import { bundleProgram, runProgram, type RunOptions } from '../support/program';

const root = join(import.meta.dirname, '../..');
const { version } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
const zero = `sha256:${'0'.repeat(64)}`;
const search = ordinary('search');
const searchNow = ordinary('search', { description: 'Does another thing.' });
const tools = [{ name: 'search' }, { name: 'x.invite' }];

describe('the program', function () {
  this.timeout(120_000);
  const bundle = new TempFolder();
  let program: string;
  let folder: TempFolder;
  before(async () => {
    program = await bundleProgram(bundle.path);
  });
  after(() => {
    bundle.remove();
  });
  beforeEach(() => {
    folder = new TempFolder();
  });
  afterEach(() => {
    folder.remove();
  });

  const run = (args: readonly string[], options: Partial<RunOptions> = {}) =>
    runProgram(program, args, { cwd: folder.path, ...options });

  /** Asserts that a run exits 3 with one message of these words, prints no result and changes nothing. */
  async function refused(args: readonly string[], words: RegExp, options: Partial<RunOptions> = {}) {
    const { exitCode, stdout, stderr } = await folder.unchanged(() => run(args, options));
    assert.match(stderr, words);
    for (const line of stderr.trimEnd().split('\n')) assert.doesNotMatch(line, /^ +at /, stderr);
    assert.match(stderr, /^mcp-manifest-review: \S.*\S\n$/s);
    assert.deepEqual([exitCode, stdout], [3, '']);
  }

  it('tells its version and its help, on standard output', async () => {
    const silent = { exitCode: 0, stderr: '' };
    assert.deepEqual(await run(['--version']), { ...silent, stdout: `${version}\n` });
    assert.deepEqual(await run(['--help']), { ...silent, stdout: helpFor(undefined) });
    for (const command of ['review', 'produce', 'promote', 'digest']) {
      assert.deepEqual(await run([command, 'gone', '--help']), { ...silent, stdout: helpFor(command) });
    }
  });

  it('refuses a command it does not know, and none', async () => {
    await refused([], /command is missing.*--help/);
    await refused(['inspect', '.'], /no command “inspect”.*--help/);
    await refused(['__proto__'], /no command “__proto__”/);
    await refused(['--nope'], /--nope/);
  });

  it('exits by what it found, with the report alone on standard output', async () => {
    folder.file('a.observed.json', observed([searchNow]));
    folder.file('a.declared.json', declared([search]));
    const pending = await run(['review']);
    assert.deepEqual([pending.exitCode, pending.stderr], [1, '']);
    assert.match(pending.stdout, /^github: needs review\n {2}a\.observed\.json\n/);
    assert.ok(!pending.stdout.includes('\u{1B}'));
    folder.file('a.declared.json', declared([searchNow]));
    assert.equal((await run(['review', '.'])).exitCode, 0);
    folder.file('b.observed.json', observed([search], { id: 'b' }));
    assert.equal((await run(['review', '.'])).exitCode, 2);
    assert.equal((await run(['review', '.', '--fail-on', 'pending'])).exitCode, 0);
  });

  it('prints a report of the same case in every format', async () => {
    const cases = loadCases(join(root, 'fixtures/cases'));
    const one = cases.find(({ name }) => name === 'verdict-worst-of-several-reviews');
    assert.ok(one);
    const print = (format: string) => run(['review', '--format', format], { cwd: one.folder });
    const json = await print('json');
    assert.deepEqual([json.exitCode, json.stderr], [1, '']);
    assert.deepEqual(reduceReport(JSON.parse(json.stdout)), reduceReport(one.expected));
    const sarif = await print('sarif');
    const { runs } = z
      .object({ runs: z.tuple([z.object({ results: z.array(z.unknown()) })]) })
      .parse(JSON.parse(sarif.stdout));
    const remarks = one.expected.reviews.flatMap(({ findings, inconclusive, warnings }) => [
      ...findings,
      ...inconclusive,
      ...warnings,
    ]);
    assert.equal(runs[0].results.length, remarks.length + one.expected.problems.length);
    const markdown = await print('markdown');
    assert.match(markdown.stdout, /^### MCP manifest review: needs review\n/);
    assert.deepEqual([sarif.exitCode, markdown.exitCode, sarif.stderr, markdown.stderr], [1, 1, '', '']);
  });

  it('shows no colours where there is no terminal, whatever is asked', async () => {
    folder.file('a.observed.json', observed([searchNow]));
    const { stdout } = await run(['review', '.'], { env: { FORCE_COLOR: '1', TERM: 'xterm-256color' } });
    assert.ok(!stdout.includes('\u{1B}'));
  });

  it('reads standard input where - is named, in every command', async () => {
    const capture = JSON.stringify({ tools });
    const produced = await run(['produce', '-', '--server', 'x', '--completeness', 'complete'], {
      input: capture,
    });
    assert.deepEqual([produced.exitCode, produced.stderr], [0, '']);
    const promoted = await run(['promote', '-'], { input: produced.stdout });
    assert.deepEqual([promoted.exitCode, promoted.stderr], [0, '']);
    assert.equal((await run(['digest', '-'], { input: promoted.stdout })).exitCode, 0);
    const path = folder.file('b.json', promoted.stdout);
    const review = await run(['review', '-', path, '--format', 'json'], { input: produced.stdout });
    const [first] = reduceReport(JSON.parse(review.stdout)).reviews;
    assert.deepEqual([first?.observed, first?.declared, first?.verdict], ['-', 'b.json', 'no_finding']);
    const flagged = await run(['review', '--observed', '-', '--declared', path], { input: produced.stdout });
    assert.deepEqual([flagged.exitCode, flagged.stderr], [0, '']);
  });

  it('refuses a standard input that cannot be used', async () => {
    await refused(['produce', '-', '--server', 'x'], /-:1:1: /, { input: '' });
    await refused(['produce', '-', '--server', 'x'], /-:2:3: .*not valid JSON/, { input: '{"tools":\n[{x' });
    await refused(['review', '-'], /-: this is no observed manifest/, { input: '{}' });
    await refused(['promote', '-'], /-: this is no observed manifest/, { input: '' });
    const wrong = JSON.stringify(declared([search], { more: { manifest_digest: zero } }));
    await refused(['digest', '-', '--write'], /--write needs a file/, { input: wrong });
  });

  it('produces, promotes, recomputes: results on standard output, messages on standard error', async () => {
    folder.file('t.log', `Listening.\n${JSON.stringify({ tools })}\n`);
    const produced = await run(['produce', 't.log', '--server', 'x']);
    assert.equal(produced.exitCode, 0);
    assert.match(produced.stdout, /^\{\n {2}"schema": "assay\.mcp_manifest_observed\.v0",\n/);
    assert.match(produced.stderr, /^mcp-manifest-review: t\.log: 1 .*skipped\.\n$/);
    folder.file('a.observed.json', produced.stdout);
    const refusedPromotion = await folder.unchanged(() =>
      run(['promote', 'a.observed.json', '--out', 'b.json']),
    );
    assert.deepEqual([refusedPromotion.exitCode, refusedPromotion.stdout], [2, '']);
    assert.match(refusedPromotion.stderr, /^mcp-manifest-review: a\.observed\.json: .*complete.*\.\n$/);
    const path = folder.file('b.json', declared([search], { more: { manifest_digest: zero } }));
    const digest = `${manifestDigest([search])}\n`;
    assert.deepEqual(await run(['digest', 'b.json']), { exitCode: 1, stdout: digest, stderr: '' });
    assert.deepEqual(await run(['digest', path, '--write']), { exitCode: 0, stdout: digest, stderr: '' });
    assert.equal(folder.read('b.json'), layOut(declared([search])).text);
    assert.deepEqual(folder.names, ['a.observed.json', 'b.json', 't.log']);
  });

  it('writes its result through --out, and nothing beside it', async () => {
    folder.file('t.json', { tools });
    const args = ['produce', 't.json', '--server', 'x', '--out', 'o.json'];
    assert.deepEqual(await run(args), { exitCode: 0, stdout: '', stderr: '' });
    assert.deepEqual(await folder.unchanged(() => run(args)), { exitCode: 0, stdout: '', stderr: '' });
    await refused([...args, '--completeness', 'partial'], /o\.json: .*--force.*Nothing was written/);
    assert.equal((await run([...args, '--completeness', 'partial', '--force'])).exitCode, 0);
    assert.match(folder.read('o.json'), /"partial"/);
    assert.deepEqual(folder.names, ['o.json', 't.json']);
  });

  it('ends quietly when its reader stops reading', async () => {
    const many = Array.from({ length: 3_000 }, (_, index) => ordinary(`tool-${index}`));
    folder.file('a.observed.json', observed(many));
    folder.file('a.declared.json', declared([]));
    for (const format of ['text', 'json', 'sarif']) {
      const { exitCode, stderr } = await run(['review', '.', '--format', format], { deaf: true });
      assert.deepEqual([exitCode, stderr], [1, '']);
    }
  });

  describe('answers bad input by exit code 3, a clear message, and nothing written', () => {
    const produce = (path: string, ...more: string[]) => ['produce', path, '--server', 'x', ...more];
    const out = ['--out', 'new.json'];

    it('a missing file', async () => {
      await refused(produce('gone.json', ...out), /gone\.json: there is no such file/);
      await refused(['promote', 'gone.json', ...out], /gone\.json: there is no such file/);
      await refused(['digest', 'gone.json', '--write'], /gone\.json: there is no such file/);
      await refused(['review', 'gone.json'], /gone\.json: there is no such file/);
      await refused(['review', '--declared', 'gone.json'], /gone\.json: there is no such file/);
    });

    it('a folder where a file is wanted', async () => {
      mkdirSync(folder.at('sub'));
      await refused(produce('sub', ...out), /sub: .*folder/);
      await refused(['promote', 'sub', ...out], /sub: .*folder/);
      await refused(['digest', 'sub', '--write'], /sub.*folder/);
      await refused(['review', '--observed', 'sub'], /sub.*folder/);
    });

    it('permissions that forbid reading', async () => {
      const path = folder.file('secret.json', observed([search]));
      chmodSync(path, 0o000);
      const options = { unprivileged: true };
      await refused(produce(path), /secret\.json: .*permission is denied/, options);
      await refused(['promote', path], /secret\.json.*permission is denied/, options);
      await refused(['digest', path], /secret\.json.*permission is denied/, options);
      await refused(['review', path], /secret\.json.*permission is denied/, options);
    });

    it('a folder that may not be entered', async () => {
      const path = folder.file('locked/a.json', observed([search]));
      chmodSync(folder.at('locked'), 0o000);
      try {
        await refused(produce(path), /a\.json: .*permission is denied/, { unprivileged: true });
        await refused(['review', path], /a\.json.*permission is denied/, { unprivileged: true });
      } finally {
        chmodSync(folder.at('locked'), 0o755);
      }
    });

    it('a folder that may not be written to', async () => {
      const path = folder.file('t.json', { tools });
      await refused(produce(path, ...out), /new\.json: .*cannot be written/, { unprivileged: true });
    });

    it('JSON that is none, by line and column', async () => {
      folder.file('t.json', '{\n  "tools": [,]\n}');
      await refused(produce('t.json', ...out), /t\.json:2:13: .*not valid JSON/);
      folder.file('a.json', `{\n  "schema": "assay.mcp_manifest_observed.v0",\n}`);
      for (const command of [
        ['promote', 'a.json', ...out],
        ['review', 'a.json'],
      ]) {
        await refused(command, /a\.json:3:1: .*not valid JSON/);
      }
      folder.file('b.json', `{ "schema": "assay.declared_mcp_manifest.v0" "x"}`);
      await refused(['digest', 'b.json', '--write'], /b\.json:1:46: .*not valid JSON/);
    });

    it('two results that are no chain', async () => {
      folder.file('t.json', `${JSON.stringify({ tools })}\n${JSON.stringify({ tools })}\n`);
      await refused(produce('t.json', ...out), /t\.json:1:1: Page 1 of 2 .*no next page/);
    });

    it('a claim of completeness over a pending cursor', async () => {
      folder.file('t.json', { tools, nextCursor: '' });
      await refused(produce('t.json', ...out, '--completeness', 'complete'), /t\.json: .*complete/);
    });

    it('an output whose folder is missing', async () => {
      folder.file('t.json', { tools });
      folder.file('a.json', observed([search]));
      await refused(produce('t.json', '--out', 'no/new.json'), /no\/new\.json: .*folder.*does not exist/);
      await refused(['promote', 'a.json', '--out', 'no/new.json'], /no\/new\.json: .*folder.*does not exist/);
    });

    it('wrong flags and values', async () => {
      folder.file('t.json', { tools });
      await refused(produce('t.json', '--nope'), /--nope/);
      await refused(produce('t.json', '--completeness', 'all'), /--completeness/);
      await refused(['produce', 't.json'], /--server/);
      await refused(['review', '--format', 'xml'], /--format/);
      await refused(['review', '--fail-on', 'x'], /--fail-on/);
      await refused(['digest'], /one file/);
    });
  });
});
