import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { runReview } from '../../src/cli/review';
import { UsageError } from '../../src/cli/usage';
import { type Expected, loadCases, reduceReport } from '../support/cases';
import { declared, manifestDigest, observed, ordinary, policy } from '../support/documents';
import { layOut } from '../support/layout';

const runIt = (args: readonly string[]) => runReview(args, { version: '0.0.0' });

const search = ordinary('search');
const searchNow = ordinary('search', { description: 'Does another thing.' });

describe('the review command', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(realpathSync(tmpdir()), 'mcp-manifest-review-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  /** Writes a file of the folder; output: its path. */
  function file(path: string, content: object | string): string {
    const whole = join(folder, path);
    mkdirSync(dirname(whole), { recursive: true });
    writeFileSync(whole, typeof content === 'string' ? content : JSON.stringify(content));
    return whole;
  }

  /** Runs with JSON output; paths come back relative to the folder. */
  async function run(...args: string[]): Promise<{ exitCode: number; report: Expected }> {
    const { output, exitCode } = await runIt([...args, '--format', 'json']);
    const prefix = `${relative(process.cwd(), folder)}/`;
    return { exitCode, report: reduceReport(JSON.parse(output.replaceAll(prefix, ''))) };
  }

  const summary = ({ report }: Awaited<ReturnType<typeof run>>) =>
    report.reviews.map(({ server, observed: path, verdict }) => [server.id, path, verdict]);

  const refused = (args: string[], words: RegExp) =>
    assert.rejects(runIt(args), (error) => error instanceof UsageError && words.test(error.message));

  /** A folder of one server with each verdict. */
  function write(verdict: 'pending' | 'inconclusive' | 'warning' | 'clean'): void {
    const block = { tools_list_complete: verdict === 'warning' ? 'unknown' : 'complete' };
    file('a.observed.json', observed([verdict === 'pending' ? searchNow : search], { block }));
    if (verdict !== 'inconclusive') file('a.declared.json', declared([search]));
  }

  const EXIT_CODES = {
    pending: { default: 1, warning: 1, inconclusive: 1, pending: 1, never: 0 },
    inconclusive: { default: 2, warning: 2, inconclusive: 2, pending: 0, never: 0 },
    warning: { default: 0, warning: 2, inconclusive: 0, pending: 0, never: 0 },
    clean: { default: 0, warning: 0, inconclusive: 0, pending: 0, never: 0 },
  } as const;

  for (const verdict of ['pending', 'inconclusive', 'warning', 'clean'] as const) {
    for (const [failOn, expected] of Object.entries(EXIT_CODES[verdict])) {
      it(`exits ${expected} when ${verdict}, failing on ${failOn}`, async () => {
        write(verdict);
        const flags = failOn === 'default' ? [] : ['--fail-on', failOn];
        assert.equal((await runIt([folder, ...flags])).exitCode, expected);
      });
    }
  }

  it('exits 1 when one of several reviews is pending', async () => {
    write('pending');
    file('b.observed.json', observed([search], { id: 'b' }));
    assert.equal((await run(folder)).exitCode, 1);
  });

  it('exits 2 when there is nothing to review', async () => {
    const { exitCode, report } = await run(folder);
    assert.equal(exitCode, 2);
    assert.deepEqual(report, { verdict: 'inconclusive', reviews: [], problems: [] });
  });

  it('exits 2 for an invalid document in a folder', async () => {
    file('a.observed.json', { ...observed([search]), status: 'seen' });
    const { exitCode, report } = await run(folder);
    assert.equal(exitCode, 2);
    assert.equal(report.problems.length, 1);
  });

  it('prints text unless told otherwise, and nothing but the report', async () => {
    write('pending');
    const { output } = await runIt([folder]);
    assert.match(output, /^github: needs review\n/);
    assert.equal(output, (await runIt([folder, '--format', 'text'])).output);
  });

  it('reviews the working directory when nothing is named', async () => {
    const before = process.cwd();
    write('pending');
    process.chdir(folder);
    try {
      const { output, exitCode } = await runIt(['--format', 'json']);
      assert.equal(exitCode, 1);
      const [review] = reduceReport(JSON.parse(output)).reviews;
      assert.equal(review?.observed, 'a.observed.json');
      assert.equal(review.findings[0]?.path, 'a.observed.json');
    } finally {
      process.chdir(before);
    }
  });

  it('pairs files that are named one by one', async () => {
    const result = await run(
      file('x/one.json', observed([searchNow])),
      file('y/two.json', declared([search])),
      file('z/three.yaml', policy({ github: manifestDigest([search]), other: manifestDigest([]) })),
    );
    assert.deepEqual(summary(result), [['github', 'x/one.json', 'pending_tool_manifest_review']]);
    assert.deepEqual(
      result.report.reviews[0]?.findings.map(({ reason_code }) => reason_code),
      ['mcp_tool_manifest_drift', 'mcp_tool_changed'],
    );
  });

  it('misses no observation when only a baseline is named', async () => {
    const result = await run(file('a.declared.json', declared([search])));
    assert.deepEqual(summary(result), []);
    assert.equal(result.exitCode, 2);
  });

  it('takes each folder for itself', async () => {
    file('v/a.observed.json', observed([search]));
    file('w/a.declared.json', declared([search]));
    const result = await run(join(folder, 'v'), join(folder, 'w'));
    assert.deepEqual(summary(result), [
      ['github', 'v/a.observed.json', 'inconclusive'],
      ['github', null, 'inconclusive'],
    ]);
  });

  it('orders reviews by path, in whatever order folders are named', async () => {
    file('v/a.observed.json', observed([search]));
    file('w/a.observed.json', observed([search]));
    const [v, w] = [join(folder, 'v'), join(folder, 'w')];
    assert.deepEqual((await run(w, v)).report, (await run(v, w)).report);
  });

  it('orders reviews by path as people write it', async () => {
    const names = ['a b.observed.json', 'a!.observed.json', 'z.observed.json', 'é.observed.json'];
    for (const name of names) file(name, observed([search], { id: name }));
    assert.deepEqual(
      (await run(folder)).report.reviews.map((review) => review.observed),
      names,
    );
  });

  it('reads no other program’s folders', async () => {
    write('clean');
    for (const name of ['node_modules', '.git', 'dist', 'out', 'x/node_modules/y']) {
      file(`${name}/b.observed.json`, observed([searchNow]));
      file(`${name}/b.declared.json`, declared([searchNow]));
    }
    assert.deepEqual(summary(await run(folder)), [['github', 'a.observed.json', 'no_finding']]);
  });

  it('compares with the baseline that a flag names', async () => {
    const record = file('a.observed.json', observed([searchNow]));
    const near = file('a.declared.json', declared([searchNow]));
    const far = file('far/b.declared.json', declared([search]));
    assert.equal((await run('--observed', record, '--declared', near)).exitCode, 0);
    assert.equal((await run('--observed', record, '--declared', far)).exitCode, 1);
    assert.equal((await run(record, '--declared', far)).exitCode, 1);
    const rules = file('rules.yaml', policy({ github: manifestDigest([search]) }));
    assert.deepEqual(
      (await run('--observed', record, '--policy', rules)).report.reviews[0]?.policy,
      'rules.yaml',
    );
  });

  it('compares with another server’s baseline when a flag names it, and says that they differ', async () => {
    const record = file('a.observed.json', observed([search]));
    const other = file('b.declared.json', declared([search], { id: 'gitlab' }));
    for (const args of [
      ['--observed', record, '--declared', other],
      [folder, '--declared', other],
    ]) {
      const { report, exitCode } = await run(...args);
      assert.equal(exitCode, 2);
      assert.deepEqual(
        report.reviews.map(({ server, inconclusive }) => [server.id, inconclusive.map((i) => i.reason_code)]),
        [['github', ['mcp_manifest_server_mismatch']]],
      );
    }
  });

  it('refuses a named file that is missing, invalid or none of the kinds', async () => {
    await refused([join(folder, 'gone.observed.json')], /gone\.observed\.json: .*no such file/);
    await refused(['--policy', join(folder, 'gone.yaml')], /gone\.yaml/);
    await refused([file('x.json', '{}')], /x\.json: .*no observed manifest/);
    await refused([file('y.json', { ...observed([]), status: 'seen' })], /y\.json:1:\d+: /);
    await refused(
      [file('z.json', `\u{FEFF}{ "schema": "assay.mcp_manifest_observed.v0", }`)],
      /z\.json:1:47: /,
    );
    await refused([file('policy.yaml', 'declared_mcp_manifests: []')], /policy\.yaml:1:25: /);
  });

  it('refuses a folder where a file is meant', async () => {
    await refused(['--observed', folder], /folder/);
  });

  it('refuses flags and values that it does not know', async () => {
    await refused([folder, '--fail-on', 'always'], /--fail-on.*always/);
    await refused([folder, '--format', 'xml'], /--format.*xml/);
    await refused([folder, '--fix'], /--fix/);
    await refused([folder, '--declared'], /--declared/);
  });

  it('reads names with blanks, hashes and percent signs', async () => {
    const name = 'a b #1 100% ü/x.observed.json';
    file(name, observed([search]));
    const result = await run(folder);
    assert.deepEqual(summary(result), [['github', name, 'inconclusive']]);
  });

  it('answers a case as the engine does', async () => {
    const [one] = loadCases(join(import.meta.dirname, '../../fixtures/cases')).filter(
      ({ name }) => name === 'verdict-worst-of-several-reviews',
    );
    assert.ok(one);
    const prefix = `${relative(process.cwd(), one.folder)}/`;
    const { output } = await runIt([one.folder, '--format', 'json']);
    assert.deepEqual(reduceReport(JSON.parse(output.replaceAll(prefix, ''))), reduceReport(one.expected));
  });

  it('reads a document in any layout alike', async () => {
    file('a.observed.json', layOut(observed([searchNow])).text.replaceAll('\n', '\r\n'));
    file('a.declared.json', declared([search]));
    const { report } = await run(folder);
    assert.equal(report.reviews[0]?.findings[0]?.line, 16);
  });
});
