import assert from 'node:assert/strict';
import { DEFAULT_GLOBS } from '../../src/workspace/globs';
import { declared, manifestDigest, observed, ordinary, policy } from '../support/documents';
import { layOut } from '../support/layout';
import { FOLDER, SessionBench } from '../support/session';

const tools = [ordinary('search')];
const more = [ordinary('search'), ordinary('web.fetch')];
const OBSERVED = 'file:///w/github.observed.json';
const BASELINE = 'file:///w/github.declared.json';
const OTHER = 'file:///w/other.observed.json';
const OTHER_BASELINE = 'file:///w/other.declared.json';
const BURST = 30;
const PAUSE = 200;
const CLEAN = 'w/github.observed.json: no_finding';
const PENDING = 'w/github.observed.json: pending_tool_manifest_review';

const textOf = (entries: typeof tools, id = 'github') => layOut(observed(entries, { id })).text;

describe('a session', () => {
  let bench: SessionBench;

  beforeEach(() => {
    bench = new SessionBench();
    bench.files.write(OBSERVED, observed(tools));
    bench.files.write(BASELINE, declared(tools));
    bench.files.write(OTHER, observed(tools, { id: 'other' }));
    bench.files.write(OTHER_BASELINE, declared(tools, { id: 'other' }));
  });

  const reviewOf = (uri: string) => bench.now.reviews.find(({ result }) => result.observed === uri);

  it('reads its folders once and publishes once', async () => {
    bench.files.write('file:///w/readme.md', 'not watched');
    bench.files.write('file:///w/package.observed.json', '{}');
    await bench.configure();
    assert.equal(bench.snapshots.length, 1);
    assert.equal(bench.now.complete, true);
    assert.deepEqual(bench.verdicts, [CLEAN, 'w/other.observed.json: no_finding']);
    assert.equal(bench.files.reads.length, 5);
    assert.deepEqual(
      bench.events.filter(({ type }) => type === 'listed'),
      [{ type: 'listed', folder: FOLDER, watched: 5, excluded: 0 }],
    );
    assert.deepEqual(
      bench.events.filter(({ type }) => type === 'ignored'),
      [{ type: 'ignored', uri: 'file:///w/package.observed.json', why: 'no kind' }],
    );
  });

  it('gathers a burst of events into one look', async () => {
    await bench.configure();
    bench.files.reads.length = 0;
    bench.files.write(OBSERVED, observed(more));
    for (let count = 0; count < 3; count++) {
      bench.session.touch(OBSERVED);
      bench.session.touch(BASELINE);
      await bench.pass(BURST / 3 - 1);
    }
    assert.deepEqual(bench.files.reads, []);
    await bench.pass(BURST);
    assert.deepEqual(bench.files.reads, [OBSERVED, BASELINE]);
    assert.equal(bench.snapshots.length, 2);
    assert.equal(bench.verdicts[0], PENDING);
  });

  it('judges again only what a changed file takes part in', async () => {
    await bench.configure();
    assert.deepEqual(bench.takeJudged(), [OBSERVED, OTHER]);
    const [github, other] = [reviewOf(OBSERVED), reviewOf(OTHER)];
    const untouched = bench.session.document(BASELINE);
    bench.files.write(OTHER, observed(more, { id: 'other' }));
    bench.session.touch(OTHER);
    await bench.pass(BURST);
    assert.deepEqual(bench.takeJudged(), [OTHER]);
    assert.equal(reviewOf(OBSERVED), github);
    assert.notEqual(reviewOf(OTHER), other);
    assert.equal(bench.session.document(BASELINE), untouched);
  });

  it('judges nothing again when a file says the same', async () => {
    await bench.configure();
    bench.takeJudged();
    const before = bench.now.reviews;
    for (const uri of [OBSERVED, BASELINE]) bench.session.touch(uri);
    await bench.pass(BURST);
    assert.deepEqual(bench.takeJudged(), []);
    assert.ok(bench.now.reviews.every((review, index) => review === before[index]));
  });

  it('judges nothing again when everything is read again', async () => {
    await bench.configure();
    bench.takeJudged();
    const before = bench.now.reviews;
    await bench.session.reload();
    assert.deepEqual(bench.takeJudged(), []);
    assert.ok(bench.now.reviews.every((review, index) => review === before[index]));
  });

  it('judges every observation again when their shared baseline changes', async () => {
    bench.files.write(OTHER, observed(tools));
    await bench.configure();
    bench.takeJudged();
    bench.files.write(BASELINE, declared(more));
    bench.session.touch(BASELINE);
    await bench.pass(BURST);
    assert.deepEqual(bench.takeJudged().sort(), [OBSERVED, OTHER]);
  });

  it('judges an observation again when its policy or a farther baseline changes', async () => {
    const deep = 'file:///w/sub/deep.observed.json';
    const far = 'file:///w/deep.declared.json';
    const rules = 'file:///w/policy.yaml';
    bench.files.write(deep, observed(tools, { id: 'deep' }));
    bench.files.write('file:///w/sub/deep.declared.json', declared(tools, { id: 'deep' }));
    bench.files.write(far, declared(tools, { id: 'deep' }));
    bench.files.write(rules, policy({ deep: manifestDigest(tools) }));
    await bench.configure();
    const codes = () => {
      const { inconclusive = [], warnings = [] } = reviewOf(deep)?.result ?? {};
      return [...inconclusive, ...warnings].map(({ code }) => code);
    };
    assert.deepEqual(codes(), []);
    for (const [uri, content, expected] of [
      [far, declared(more, { id: 'deep' }), 'other_baseline_differs'],
      [far, declared([], { id: 'deep' }), 'other_baseline_differs'],
      [rules, policy({ deep: manifestDigest(more) }), 'declared_manifest_baseline_conflict'],
    ] as const) {
      bench.takeJudged();
      bench.files.write(uri, content);
      bench.session.touch(uri);
      await bench.pass(BURST);
      assert.deepEqual(bench.takeJudged(), [deep]);
      assert.deepEqual(codes(), [expected]);
    }
  });

  it('drops a read that a newer one has overtaken', async () => {
    await bench.configure();
    const release = bench.files.hold(OBSERVED);
    bench.files.write(OBSERVED, observed(more));
    bench.session.touch(OBSERVED);
    await bench.pass(BURST);
    bench.files.free(OBSERVED);
    bench.files.write(OBSERVED, observed(tools));
    bench.session.touch(OBSERVED);
    await bench.pass(BURST);
    assert.equal(bench.verdicts[0], CLEAN);
    release();
    await bench.settle();
    assert.equal(bench.verdicts[0], CLEAN);
    assert.equal(bench.session.document(OBSERVED)?.source.text, textOf(tools));
  });

  it('drops a read that an unsaved text has overtaken', async () => {
    await bench.configure();
    const release = bench.files.hold(OBSERVED);
    bench.session.touch(OBSERVED);
    await bench.pass(BURST);
    bench.session.edited(OBSERVED, () => textOf(more), PAUSE);
    await bench.pass(PAUSE);
    assert.equal(bench.verdicts[0], PENDING);
    release();
    await bench.settle();
    assert.equal(bench.verdicts[0], PENDING);
  });

  it('forgets a deleted file, and its baseline then misses an observation', async () => {
    await bench.configure();
    bench.files.contents.delete(OBSERVED);
    bench.session.removed(OBSERVED);
    await bench.pass(BURST);
    assert.equal(bench.session.document(OBSERVED), undefined);
    assert.deepEqual(bench.verdicts, [
      'w/github.declared.json: inconclusive',
      'w/other.observed.json: no_finding',
    ]);
    assert.ok(bench.events.some((event) => event.type === 'dropped' && event.uri === OBSERVED));
  });

  it('forgets everything below a deleted folder, and nothing beside it', async () => {
    const below = ['file:///w/sub/a.observed.json', 'file:///w/sub/deep/b.observed.json'];
    const beside = 'file:///w/submarine.observed.json';
    for (const uri of [...below, beside]) bench.files.write(uri, observed(tools));
    await bench.configure();
    assert.equal(bench.now.reviews.length, 5);
    for (const uri of below) bench.files.contents.delete(uri);
    bench.files.reads.length = 0;
    bench.session.removed('file:///w/sub');
    await bench.pass(BURST);
    assert.deepEqual(bench.files.reads, below);
    assert.equal(bench.now.reviews.length, 3);
    assert.ok(bench.session.document(beside));
  });

  it('looks again beside a file that appeared, and not below or above it', async () => {
    const beside = 'file:///w/sub/a.observed.json';
    for (const uri of [beside, 'file:///w/b.observed.json', 'file:///w/sub/deep/c.observed.json']) {
      bench.files.write(uri, observed(tools));
    }
    await bench.configure();
    bench.files.contents.delete(beside);
    bench.files.reads.length = 0;
    bench.session.appearedBeside('file:///w/sub/new.observed.json');
    await bench.pass(BURST);
    assert.deepEqual(bench.files.reads, [beside]);
    assert.equal(bench.session.document(beside), undefined);
  });

  it('finds what a new folder holds', async () => {
    await bench.configure();
    bench.files.write('file:///w/new/a.observed.json', observed(more));
    bench.session.appeared('file:///w/new');
    await bench.pass(BURST);
    assert.equal(bench.verdicts[1], 'w/new/a.observed.json: pending_tool_manifest_review');
    bench.files.write('file:///w/node_modules/a.observed.json', observed(more));
    bench.session.appeared('file:///w/node_modules');
    await bench.pass(BURST);
    assert.equal(bench.clock.waiting, 0);
    assert.equal(bench.now.reviews.length, 3);
  });

  it('takes an unsaved text before the file, after a pause', async () => {
    await bench.configure();
    let asked = 0;
    const edit = (entries: typeof tools) => {
      bench.session.edited(
        OBSERVED,
        () => {
          asked++;
          return textOf(entries);
        },
        PAUSE,
      );
    };
    edit([]);
    await bench.pass(PAUSE - 1);
    edit(more);
    await bench.pass(PAUSE - 1);
    assert.equal(asked, 0);
    assert.equal(bench.verdicts[0], CLEAN);
    await bench.pass(1);
    assert.equal(asked, 1);
    assert.equal(bench.verdicts[0], PENDING);
    // The file changes underneath; what is open counts.
    bench.session.touch(OBSERVED);
    await bench.pass(BURST);
    assert.equal(bench.verdicts[0], PENDING);
    const [last] = bench.events.filter((event) => event.type === 'read' && event.uri === OBSERVED).slice(-1);
    assert.equal(last?.type === 'read' && last.unsaved, true);
  });

  it('lets one file be edited without holding up another', async () => {
    await bench.configure();
    bench.session.edited(OBSERVED, () => textOf(more), PAUSE);
    await bench.pass(PAUSE / 2);
    bench.session.edited(OTHER, () => textOf(more, 'other'), PAUSE);
    await bench.pass(PAUSE / 2);
    assert.deepEqual(bench.verdicts, [PENDING, 'w/other.observed.json: no_finding']);
    await bench.pass(PAUSE / 2);
    assert.equal(bench.verdicts[1], 'w/other.observed.json: pending_tool_manifest_review');
  });

  it('goes back to the file when a text is closed', async () => {
    await bench.configure();
    bench.session.edited(OBSERVED, () => textOf(more), PAUSE);
    await bench.pass(PAUSE);
    bench.session.closed(OBSERVED);
    await bench.pass(BURST);
    assert.equal(bench.verdicts[0], CLEAN);
  });

  it('does not judge a text that was closed during the pause', async () => {
    await bench.configure();
    bench.session.edited(OBSERVED, () => textOf(more), PAUSE);
    bench.session.closed(OBSERVED);
    await bench.pass(PAUSE + BURST);
    assert.equal(bench.verdicts[0], CLEAN);
    assert.ok(
      bench.snapshots.every(({ reviews }) => reviews.every(({ result }) => result.findings.length === 0)),
    );
  });

  it('goes back to the file when an edit is undone', async () => {
    await bench.configure();
    bench.session.edited(OBSERVED, () => textOf(more), PAUSE);
    await bench.pass(PAUSE);
    bench.session.opened(OBSERVED);
    await bench.pass(BURST);
    assert.equal(bench.verdicts[0], CLEAN);
  });

  it('looks at a saved file at once', async () => {
    await bench.configure();
    bench.session.edited(OBSERVED, () => textOf(more), PAUSE);
    bench.files.write(OBSERVED, observed(more));
    bench.session.saved(OBSERVED);
    await bench.pass(0);
    assert.equal(bench.verdicts[0], PENDING);
    assert.equal(bench.clock.waiting, 0);
  });

  it('counts an open document whatever its name, while it is open', async () => {
    const uri = 'file:///w/notes/seen.json';
    bench.files.write(uri, observed(more));
    await bench.configure();
    assert.equal(bench.session.document(uri), undefined);
    bench.session.opened(uri);
    await bench.pass(BURST);
    assert.equal(bench.session.document(uri)?.kind, 'observed');
    assert.equal(bench.now.reviews.length, 3);
    bench.session.closed(uri);
    await bench.pass(BURST);
    assert.equal(bench.session.document(uri), undefined);
    assert.equal(bench.now.reviews.length, 2);
  });

  it('takes no note of an open file that is no manifest and none of its names', async () => {
    const uri = 'file:///w/readme.md';
    bench.files.contents.set(uri, { kind: 'failed', reason: 'no' });
    await bench.configure();
    bench.session.opened(uri);
    await bench.pass(BURST);
    assert.equal(bench.session.document(uri), undefined);
    assert.equal(bench.now.reviews.length, 2);
  });

  it('counts what a setting excludes, and only documents', async () => {
    bench.files.write('file:///w/vendor/a.observed.json', observed(tools));
    bench.files.write('file:///w/vendor/b.observed.json', '{}');
    bench.files.write('file:///w/node_modules/c.observed.json', observed(tools));
    const globs = { ...DEFAULT_GLOBS, exclude: [...DEFAULT_GLOBS.exclude, '**/vendor/**', '**/other*'] };
    await bench.configure({ globs });
    assert.equal(bench.now.excluded, 3);
    assert.deepEqual(bench.verdicts, [CLEAN]);
    assert.deepEqual(bench.now.documents.map(({ source }) => source.uri).sort(), [BASELINE, OBSERVED]);
    bench.files.contents.delete(OTHER);
    bench.session.removed(OTHER);
    await bench.pass(BURST);
    assert.equal(bench.now.excluded, 2);
    await bench.configure();
    assert.equal(bench.now.excluded, 0);
    assert.ok(bench.session.document('file:///w/vendor/a.observed.json'));
  });

  it('lets a newer reload take over an older one', async () => {
    const release = bench.files.hold(FOLDER.uri);
    const first = bench.configure({ globs: { ...DEFAULT_GLOBS, observed: [] } });
    bench.files.free(FOLDER.uri);
    await bench.configure();
    assert.equal(bench.snapshots.length, 1);
    assert.deepEqual(bench.verdicts, [CLEAN, 'w/other.observed.json: no_finding']);
    const reads = bench.files.reads.length;
    release();
    await first;
    assert.equal(bench.files.reads.length, reads);
    assert.equal(bench.snapshots.length, 1);
    assert.deepEqual(bench.verdicts, [CLEAN, 'w/other.observed.json: no_finding']);
  });

  it('does not publish an older reload that ends while the newer one goes on', async () => {
    const releaseFirst = bench.files.hold(FOLDER.uri);
    const first = bench.configure();
    const releaseSecond = bench.files.hold(FOLDER.uri);
    const second = bench.configure();
    releaseFirst();
    await first;
    assert.equal(bench.snapshots.length, 0);
    releaseSecond();
    await second;
    assert.equal(bench.snapshots.length, 1);
    assert.equal(bench.now.complete, true);
  });

  it('holds what is read during a reload until the reload is done', async () => {
    await bench.configure();
    const release = bench.files.hold(BASELINE);
    const reload = bench.session.reload();
    bench.files.write(OBSERVED, observed(more));
    bench.session.touch(OBSERVED);
    await bench.pass(BURST);
    assert.equal(bench.snapshots.length, 1);
    release();
    await reload;
    assert.equal(bench.snapshots.length, 2);
    assert.equal(bench.verdicts[0], PENDING);
  });

  it('never pairs across folders', async () => {
    const second = { uri: 'file:///v', name: 'v' };
    bench.files.write('file:///v/github.observed.json', observed(more));
    bench.files.write('file:///v/other.declared.json', declared(tools, { id: 'other' }));
    await bench.configure({ folders: [FOLDER, second] });
    assert.deepEqual(bench.verdicts, [
      CLEAN,
      'w/other.observed.json: no_finding',
      'v/github.observed.json: inconclusive',
      'v/other.declared.json: inconclusive',
    ]);
    const codes = bench.now.reviews.flatMap(({ result }) => result.inconclusive.map(({ code }) => code));
    assert.deepEqual(codes, ['no_declared_baseline', 'observed_manifest_missing']);
  });

  it('drops the reviews of a folder that is closed', async () => {
    const second = { uri: 'file:///v', name: 'v' };
    bench.files.write('file:///v/github.observed.json', observed(more));
    await bench.configure({ folders: [FOLDER, second] });
    const kept = reviewOf(OBSERVED);
    await bench.configure();
    assert.deepEqual(bench.verdicts, [CLEAN, 'w/other.observed.json: no_finding']);
    assert.equal(reviewOf(OBSERVED)?.result, kept?.result);
    assert.equal(bench.session.document('file:///v/github.observed.json'), undefined);
  });

  it('pairs by hand within the folder the pairing is written for', async () => {
    const pairings = new Map([[FOLDER.uri, [{ observed: OBSERVED, declared: OTHER_BASELINE }]]]);
    await bench.configure({ pairings });
    assert.deepEqual(
      reviewOf(OBSERVED)?.result.inconclusive.map(({ code }) => code),
      ['mcp_manifest_server_mismatch'],
    );
  });

  it('says so when a file is too large or cannot be read', async () => {
    bench.files.contents.set(OTHER, { kind: 'failed', reason: 'permission is denied' });
    bench.files.write(OBSERVED, `${textOf(tools)}${' '.repeat(5_000)}`);
    await bench.configure({ maxSize: 5_000 });
    const problems = (uri: string) => bench.session.document(uri)?.problems.map(({ code }) => code);
    assert.deepEqual(problems(OBSERVED), ['file_too_large']);
    assert.deepEqual(problems(OTHER), ['file_unreadable']);
    assert.ok(bench.events.some((event) => event.type === 'failed' && event.uri === OTHER));
    assert.ok(bench.now.reviews.every(({ result }) => result.verdict === 'inconclusive'));
  });

  it('measures an unsaved text as its file would be', async () => {
    // 3,000 characters of two bytes each; the limit is in bytes.
    const text = textOf(tools).replace('"status"', `"note": "${'é'.repeat(3_000)}",\n  "status"`);
    bench.files.write(OBSERVED, text);
    await bench.configure({ maxSize: 5_000 });
    const fromDisk = bench.session.document(OBSERVED)?.problems;
    assert.equal(fromDisk?.[0]?.code, 'file_too_large');
    bench.session.edited(OBSERVED, () => text, PAUSE);
    await bench.pass(PAUSE);
    assert.deepEqual(bench.session.document(OBSERVED)?.problems, fromDisk);
  });

  it('gives a person who asks what an address says now', async () => {
    await bench.configure();
    bench.files.write(OBSERVED, observed(more));
    const document = await bench.session.reread(OBSERVED);
    assert.equal(document?.source.text, textOf(more));
    assert.equal(bench.verdicts[0], PENDING);
  });

  it('knows what can take part', async () => {
    await bench.configure();
    assert.equal(bench.session.belongs('file:///w/x.txt'), true);
    assert.equal(bench.session.belongs('file:///elsewhere/x.observed.json'), false);
    assert.equal(bench.session.belongs('untitled:Untitled-1'), true);
    assert.equal(bench.session.isWatched(OBSERVED), true);
    assert.equal(bench.session.isWatched('file:///w/x.txt'), false);
  });

  it('counts an untitled text into the only folder', async () => {
    await bench.configure();
    bench.session.edited('untitled:Untitled-1', () => textOf(more), PAUSE);
    await bench.pass(PAUSE);
    assert.deepEqual(bench.verdicts, [
      CLEAN,
      'w/other.observed.json: no_finding',
      'untitled:Untitled-1: pending_tool_manifest_review',
    ]);
    bench.session.closed('untitled:Untitled-1');
    await bench.pass(BURST);
    assert.equal(bench.now.reviews.length, 2);
  });

  it('is silent once it is disposed of', async () => {
    await bench.configure();
    const release = bench.files.hold(OBSERVED);
    bench.session.touch(OBSERVED);
    await bench.pass(BURST);
    bench.session.edited(OTHER, () => textOf(more, 'other'), PAUSE);
    bench.session.dispose();
    release();
    await bench.pass(PAUSE + BURST);
    assert.equal(bench.snapshots.length, 1);
    assert.equal(bench.clock.waiting, 0);
  });
});
