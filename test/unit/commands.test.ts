import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, readlinkSync, statSync, truncateSync, utimesSync } from 'node:fs';
import { relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runDigest } from '../../src/cli/digest';
import {
  MAX_SIZE,
  positionAt,
  readInputText,
  readKind,
  readNamed,
  shownPath,
  toUri,
} from '../../src/cli/input';
import { runProduce } from '../../src/cli/produce';
import { runPromote } from '../../src/cli/promote';
import { runReview } from '../../src/cli/review';
import { helpFor, UsageError } from '../../src/cli/usage';
import { diskFiles } from '../../src/desktop/files';
import { sha256 } from '../../src/desktop/sha256';
import { produce } from '../../src/engine/manifest/produce';
import { printRecord } from '../../src/engine/manifest/record';
import {
  declared,
  manifestDigest,
  notObserved,
  observed,
  ordinary,
  policy,
  privileged,
} from '../support/documents';
import { TempFolder } from '../support/folder';
import { layOut } from '../support/layout';

const MARK = '\u{FEFF}';
const zero = `sha256:${'0'.repeat(64)}`;
const search = ordinary('search');
const searchNow = ordinary('search', { description: 'Does another thing.' });
const key = privileged('github.add_deploy_key');
const tools = [{ name: 'b', description: 'x' }, { name: 'a.invite' }];

let folder: TempFolder;
let notes: string[];
beforeEach(() => {
  folder = new TempFolder();
  notes = [];
});
afterEach(() => {
  folder.remove();
});

const note = (message: string) => {
  notes.push(message);
};
const produceIt = (...args: string[]) => runProduce(args, note);
const promoteIt = (...args: string[]) => runPromote(args, note);
const digestIt = (...args: string[]) => runDigest(args);

/** Asserts that a command answers with a {@link UsageError} of these words and leaves the folder as it was. */
async function refused(run: () => Promise<unknown>, words: RegExp): Promise<void> {
  await folder.unchanged(() =>
    assert.rejects(run, (error) => {
      assert.ok(error instanceof UsageError, String(error));
      assert.match(error.message, words);
      return true;
    }),
  );
}

describe('the produce command', () => {
  const record = (completeness: 'complete' | 'partial' | 'unknown', id = 'github') =>
    printRecord(produce(tools, id, completeness, sha256));

  it('prints the record of a capture, unknown to be complete unless claimed', async () => {
    const path = folder.file('t.json', { tools });
    assert.deepEqual(await produceIt(path, '--server', 'github'), { output: record('unknown'), exitCode: 0 });
    for (const claim of ['complete', 'partial', 'unknown'] as const) {
      const { output } = await produceIt(path, '--server', 'git hub', '--completeness', claim);
      assert.equal(output, record(claim, 'git hub'));
    }
    assert.deepEqual(notes, []);
    assert.deepEqual(folder.names, ['t.json']);
  });

  it('gives the same record for every form of a capture', async () => {
    const response = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { tools } });
    const FORMS = [
      JSON.stringify(tools),
      response,
      `[${response}]`,
      `data: ${response}\n\n`,
      `${MARK}${response}`,
    ];
    for (const form of FORMS) {
      assert.equal((await produceIt(folder.file('t', form), '--server', 'github')).output, record('unknown'));
    }
  });

  it('says how many lines and messages it passed over', async () => {
    const path = folder.file('t.log', `Listening.\n{"id":1}\n${JSON.stringify({ tools })}\n`);
    assert.equal((await produceIt(path, '--server', 'github')).output, record('unknown'));
    assert.equal(notes.length, 1);
    assert.match(notes[0] ?? '', /t\.log: 2 .*skipped/);
  });

  it('says that an integer which a double does not hold was rounded', async () => {
    const path = folder.file('t.json', '{"tools":[{"name":"a","inputSchema":{"x":9007199254740993}}]}');
    await produceIt(path, '--server', 'github');
    assert.equal(notes.length, 1);
    assert.match(notes[0] ?? '', /t\.json:1:42: .*(?:exact|same digest)/);
  });

  it('writes to a file that --out names, and prints nothing', async () => {
    const path = folder.file('t.json', { tools });
    const args = [path, '--server', 'github', '--out', folder.at('o.json')];
    assert.deepEqual(await produceIt(...args), { output: '', exitCode: 0 });
    assert.equal(folder.read('o.json'), record('unknown'));
    utimesSync(folder.at('o.json'), 1_000_000, 1_000_000);
    assert.equal((await produceIt(...args)).exitCode, 0);
    assert.equal(statSync(folder.at('o.json')).mtimeMs, 1_000_000_000);
    await refused(() => produceIt(...args, '--completeness', 'partial'), /o\.json: .*--force/);
    await produceIt(...args, '--completeness', 'partial', '--force');
    assert.equal(folder.read('o.json'), record('partial'));
    assert.deepEqual(folder.names, ['o.json', 't.json']);
  });

  it('replaces a record whole, its byte-order mark included', async () => {
    const path = folder.file('t.json', { tools });
    const out = folder.file('o.json', `${MARK}${record('unknown')}`);
    await refused(() => produceIt(path, '--server', 'github', '--out', out), /--force/);
    await produceIt(path, '--server', 'github', '--out', out, '--force');
    assert.equal(folder.read('o.json'), record('unknown'));
  });

  it('refuses to call a list complete that names a next page', async () => {
    for (const nextCursor of ['x', '']) {
      const path = folder.file('t.json', { tools, nextCursor });
      const args = [path, '--server', 'github', '--out', folder.at('o.json'), '--completeness'];
      await refused(() => produceIt(...args, 'complete'), /t\.json: .*next.*complete/);
      assert.equal((await produceIt(path, '--server', 'github', '--completeness', 'partial')).exitCode, 0);
      assert.equal((await produceIt(path, '--server', 'github')).exitCode, 0);
    }
  });

  it('refuses what is no capture, by line and column', async () => {
    const REFUSED: readonly (readonly [text: string, words: RegExp])[] = [
      ['{\n  "tools": [\n    {"name": x}\n  ]\n}', /t\.json:3:14: .*not valid JSON/],
      ['{\r\n"tools": [],\r\n}', /t\.json:3:1: .*not valid JSON/],
      ['{"tools":[{"name":"a","name":"b"}]}', /t\.json:1:23: .*“name”/],
      ['{"tools":[{"name":"\\ud800"}]}', /t\.json:1:19: .*surrogate/],
      ['{"tools":[{"x":1e400}]}', /t\.json:1:16: .*double/],
      ['{"tools":[]}\n{"tools":[]}\n', /t\.json:1:1: Page 1 of 2 names no next page/],
      ['[{"result":{"tools":[]}},{"result":{"tools":[]}}]', /t\.json:1:1: Page 1 of 2/],
      ['{"observed":{}}', /t\.json:1:1: This is no tools\/list capture but an object with "observed"/],
      ['{"id":1}\n{"id":2}', /t\.json:1:1: None of the 2/],
      ['', /t\.json:1:1: /],
    ];
    for (const [text, words] of REFUSED) {
      const path = folder.file('t.json', text);
      await refused(() => produceIt(path, '--server', 'github', '--out', folder.at('o.json')), words);
    }
  });

  it('refuses bytes that are no UTF-8, and names the encoding', async () => {
    const path = folder.file('t.json', Buffer.from(`${MARK}{"tools":[]}`, 'utf16le'));
    await refused(() => produceIt(path, '--server', 'github'), /t\.json: .*UTF-16LE/);
    const broken = folder.file('t.json', Buffer.from([0x7b, 0xe9, 0x7d]));
    await refused(() => produceIt(broken, '--server', 'github'), /t\.json: .*not valid UTF-8/);
  });

  it('refuses a file that is missing or no file, and an output that cannot be written', async () => {
    const path = folder.file('t.json', { tools });
    mkdirSync(folder.at('sub'));
    const server = ['--server', 'github'];
    await refused(() => produceIt(folder.at('gone'), ...server), /gone: there is no such file/);
    await refused(() => produceIt(folder.at('t.json/x'), ...server), /t\.json\/x: there is no such file/);
    await refused(() => produceIt(folder.at('sub'), ...server), /sub: .*folder/);
    await refused(() => produceIt(path, ...server, '--out', folder.at('no/o.json')), /no\/o\.json: .*folder/);
    await refused(() => produceIt(path, ...server, '--out', folder.at('sub')), /sub: .*folder/);
    await refused(() => produceIt(path, ...server, '--out', path), /t\.json: .*--force/);
  });

  it('refuses arguments that say nothing clear', async () => {
    const path = folder.file('t.json', { tools });
    await refused(() => produceIt('--server', 'x'), /one file/);
    await refused(() => produceIt(path, path, '--server', 'x'), /one file.*2 were given/);
    await refused(() => produceIt(path), /--server/);
    await refused(() => produceIt(path, '--server'), /--server/);
    await refused(() => produceIt(path, '--server', 'x', '--completeness', 'full'), /--completeness.*full/);
    await refused(() => produceIt(path, '--server', 'x', '--what'), /--what/);
    await refused(() => produceIt(path, '--server', 'x', '--force=yes'), /--force/);
  });
});

describe('the promote command', () => {
  const baseline = (entries: Parameters<typeof declared>[0]) => layOut(declared(entries)).text;

  it('prints a new baseline of a clean observation', async () => {
    const path = folder.file('a.observed.json', observed([search, key]));
    const expected = { output: baseline([search, key]), exitCode: 0 };
    assert.deepEqual(await promoteIt(path), expected);
    assert.deepEqual(await promoteIt(path, '--expect-digest', manifestDigest([key, search])), expected);
    assert.deepEqual(folder.names, ['a.observed.json']);
  });

  it('writes a new baseline, and then a review finds nothing', async () => {
    const path = folder.file('a.observed.json', observed([search, key]));
    const out = folder.at('a.declared.json');
    assert.deepEqual(await promoteIt(path, '--out', out), { output: '', exitCode: 0 });
    assert.equal(folder.read('a.declared.json'), baseline([search, key]));
    assert.equal((await runReview([folder.path, '--fail-on', 'warning'], { version: '0' })).exitCode, 0);
  });

  it('continues a baseline: unknown keys, layout, line ends, byte-order mark and link stay', async () => {
    const write = (entries: Parameters<typeof declared>[0]) =>
      `${MARK}${JSON.stringify({ note: 'June', ...declared(entries), last: [1.0] }, null, '\t')}`.replaceAll(
        '\n',
        '\r\n',
      );
    const path = folder.file('a.observed.json', observed([searchNow, key]));
    folder.file('real.json', write([search]));
    symlinkSync('real.json', folder.at('link.json'));
    await promoteIt(path, '--out', folder.at('link.json'));
    assert.equal(folder.read('real.json'), write([searchNow, key]));
    assert.equal(readlinkSync(folder.at('link.json')), 'real.json');
  });

  it('leaves a baseline alone that says so already', async () => {
    const path = folder.file('a.observed.json', observed([search]));
    const out = folder.file('b.json', `${MARK}${JSON.stringify(declared([search]))}`);
    utimesSync(out, 1_000_000, 1_000_000);
    assert.deepEqual(await promoteIt(path, '--out', out), { output: '', exitCode: 0 });
    assert.equal(statSync(out).mtimeMs, 1_000_000_000);
  });

  it('accepts single tools into a baseline', async () => {
    const path = folder.file('a.observed.json', observed([searchNow, key]));
    const gone = ordinary('gone');
    const out = folder.file('b.json', declared([search, gone]));
    await promoteIt(path, '--out', out, '--tool', 'search');
    assert.equal(folder.read('b.json'), baseline([searchNow, gone]));
    await promoteIt(path, '--out', out, '--tool', key.name, '--tool', 'gone');
    assert.equal(folder.read('b.json'), baseline([searchNow, key]));
    assert.deepEqual(notes, []);
  });

  it('exits 2 and writes nothing when the observation is refused', async () => {
    const out = folder.file('b.json', declared([search]));
    const REFUSED: readonly (readonly [record: object, words: RegExp, args?: string[]])[] = [
      [notObserved(), /no observed tools\/list/],
      [observed([search], { block: { tools_list_complete: 'unknown' } }), /not known to be complete/],
      [observed([search], { block: { tools_list_complete: 'partial' } }), /not known to be complete/],
      [observed([search], { block: { tool_count: 2 } }), /contradicts itself/],
      [observed([search], { block: { manifest_digest: zero } }), /contradicts itself/],
      [observed([search, searchNow]), /share one name/],
      [observed([search]), /changed since/, ['--expect-digest', zero]],
      [observed([search]), /changed since/, ['--expect-digest', 'x']],
      [observed([search], { id: 'gitlab' }), /another server/],
      [observed([search]), /No tool of that name/, ['--tool', 'nobody']],
      [observed([], { block: { tools_list_complete: 'unknown' } }), /not complete/, ['--tool', 'search']],
    ];
    for (const [record, words, args = []] of REFUSED) {
      notes = [];
      const path = folder.file('a.observed.json', record);
      const outcome = await folder.unchanged(() => promoteIt(path, '--out', out, ...args));
      assert.deepEqual(outcome, { output: '', exitCode: 2 });
      assert.match(notes.join('\n'), words);
      assert.ok(notes[0]?.startsWith(`${path}: `));
    }
  });

  it('refuses inputs that cannot be used, with nothing written', async () => {
    const path = folder.file('a.observed.json', observed([search]));
    const invalid = folder.file('x.observed.json', observed([search], { status: 'seen' }));
    const other = folder.file('b.json', declared([search]));
    mkdirSync(folder.at('sub'));
    const out = ['--out', folder.at('new.json')];
    await refused(() => promoteIt(folder.at('gone'), ...out), /gone: there is no such file/);
    await refused(() => promoteIt(folder.at('sub'), ...out), /sub:.*folder/);
    await refused(() => promoteIt(invalid, ...out), /x\.observed\.json:3:13: \$\.status/);
    await refused(() => promoteIt(other, ...out), /b\.json: an observed manifest is wanted.*baseline/);
    const none = folder.file('t.json', '{');
    await refused(() => promoteIt(none, ...out), /t\.json: .*no observed manifest/);
    await refused(() => promoteIt(path, '--out', folder.at('no/new.json')), /no\/new\.json: .*folder/);
    await refused(() => promoteIt(path, '--out', folder.at('sub')), /sub: .*folder/);
    await refused(() => promoteIt(path, '--out', path), /a per-tool baseline is wanted here/);
    const rules = folder.file('policy.yaml', policy({ github: zero }));
    const broken = folder.file('y.json', declared([search], { more: { canonicalization: 7 } }));
    await refused(() => promoteIt(path, '--out', rules), /policy\.yaml: a per-tool baseline is wanted/);
    await refused(() => promoteIt(path, '--tool', 'search'), /--tool.*--out/);
    await refused(() => promoteIt(path, '--tool', 'search', ...out), /--tool.*--out/);
    await refused(() => promoteIt(), /one file/);
    await refused(() => promoteIt(path, path), /one file/);
    await refused(() => promoteIt(path, '--nope'), /--nope/);
    await refused(() => promoteIt(path, '--out', broken), /y\.json:6:23: /);
  });
});

describe('the digest command', () => {
  const good = declared([search, key]);
  const wrong = declared([search, key], { more: { manifest_digest: zero } });
  const digest = `${manifestDigest([search, key])}\n`;

  it('prints what the tools have, and tells whether that is what the baseline says', async () => {
    const outcome = (content: object) => digestIt(folder.file('b.json', content));
    assert.deepEqual(await outcome(good), { output: digest, exitCode: 0 });
    assert.deepEqual(await outcome(wrong), { output: digest, exitCode: 1 });
    assert.deepEqual(JSON.parse(folder.read('b.json')), wrong);
  });

  it('stores it where it stands and changes nothing else', async () => {
    const write = (value: object) =>
      `${MARK}${JSON.stringify({ note: 1.5, ...value, tail: { a: [] } }, null, 1)}\n\n`.replaceAll(
        '\n',
        '\r\n',
      );
    const path = folder.file('b.json', write(wrong));
    assert.deepEqual(await digestIt(path, '--write'), { output: digest, exitCode: 0 });
    assert.equal(folder.read('b.json'), write(good));
    assert.deepEqual(folder.names, ['b.json']);
    assert.equal((await digestIt(path)).exitCode, 0);
  });

  it('leaves a baseline alone that is right, and a link a link', async () => {
    const path = folder.file('b.json', `${MARK}${JSON.stringify(good)}`);
    utimesSync(path, 1_000_000, 1_000_000);
    assert.equal((await digestIt(path, '--write')).exitCode, 0);
    assert.equal(statSync(path).mtimeMs, 1_000_000_000);
    folder.file('b.json', wrong);
    symlinkSync('b.json', folder.at('link.json'));
    await digestIt(folder.at('link.json'), '--write');
    assert.equal(readlinkSync(folder.at('link.json')), 'b.json');
    assert.deepEqual(JSON.parse(folder.read('b.json')), good);
  });

  it('refuses what is no valid baseline, with nothing written', async () => {
    const bad = folder.file('bad.json', declared([search], { more: { manifest_digest: 'x' } }));
    const record = folder.file('a.json', observed([search]));
    await refused(() => digestIt(bad, '--write'), /bad\.json:7:22: /);
    await refused(() => digestIt(record, '--write'), /a\.json: a per-tool baseline is wanted.*observed/);
    await refused(() => digestIt(folder.at('gone'), '--write'), /gone: there is no such file/);
    await refused(() => digestIt(folder.path, '--write'), /folder/);
    await refused(() => digestIt(), /one file/);
    await refused(() => digestIt(record, record), /one file/);
    await refused(() => digestIt(record, '--force'), /--force/);
  });
});

describe('an input', () => {
  it('has the same address however it is named, and is shown relative to the working directory', () => {
    const path = folder.at('a b #1%/ü.json');
    assert.equal(toUri(path), pathToFileURL(path).href);
    assert.equal(toUri(relative(process.cwd(), path)), toUri(path));
    assert.equal(shownPath(toUri(path)), relative(process.cwd(), path));
    assert.equal(shownPath(toUri('.')), '.');
    assert.equal(shownPath(toUri('test/unit')), 'test/unit');
  });

  it('is read without its byte-order mark', async () => {
    assert.equal(await readInputText(folder.file('t', `${MARK}x\r\n`)), 'x\r\n');
  });

  it('over the limit is not read, and its size is told', async () => {
    const path = folder.file('a.observed.json', observed([]));
    truncateSync(path, MAX_SIZE + 1);
    await refused(() => readNamed(path), /a\.observed\.json:1:1: .*20\.0 MB/);
  });

  it('is told its problems all at once, in order', async () => {
    const path = folder.file('a.json', { ...observed([search]), status: 'seen', server: { id: 7 } });
    await refused(() => readNamed(path), /^.*a\.json:3:13: \$\.status.*\n.*a\.json:5:11: \$\.server\.id/);
  });

  it('of another kind is refused by what it is', async () => {
    const path = folder.file('policy.yaml', policy({ github: zero }));
    await refused(
      () => readKind(path, 'declared'),
      /a per-tool baseline is wanted here, but this is a policy/,
    );
    assert.equal((await readKind(path, 'policy')).kind, 'policy');
  });

  it('has positions from 1, in UTF-16 units, by any line end', () => {
    assert.deepEqual(
      [0, 3, 5, 99].map((offset) => positionAt('a\r\nb\u{1F511}c', offset)),
      ['1:1', '2:1', '2:3', '2:5'],
    );
  });

  it('under a path that leads through a file is no such file', async () => {
    const path = folder.file('a.json', observed([]));
    await refused(() => runReview([`${path}/x`], { version: '0' }), /a\.json\/x: there is no such file/);
  });

  it('that is a link to itself is refused in words', async () => {
    symlinkSync('loop', folder.at('loop'));
    await refused(() => readNamed(folder.at('loop')), /loop: .*ELOOP/);
    await refused(() => runReview([folder.at('loop')], { version: '0' }), /loop: /);
  });
});

describe('files on disk', () => {
  const files = diskFiles([]);
  const read = (name: string, limit = 10) => files.read(toUri(folder.at(name)), limit);

  it('are read up to the limit, and no byte beyond', async () => {
    folder.file('a', '0123456789');
    folder.file('b', '0123456789x');
    const content = await read('a');
    assert.ok(content.kind === 'bytes');
    assert.equal(Buffer.from(content.bytes).toString(), '0123456789');
    assert.deepEqual(await read('b'), { kind: 'too large', size: 11 });
  });

  it('that are missing or no files are told apart', async () => {
    mkdirSync(folder.at('sub'));
    folder.file('a', '');
    symlinkSync('gone', folder.at('dangling'));
    assert.deepEqual(await read('gone'), { kind: 'missing' });
    assert.deepEqual(await read('a/x'), { kind: 'missing' });
    assert.deepEqual(await read('dangling'), { kind: 'missing' });
    assert.deepEqual(await read('sub'), { kind: 'failed', reason: 'it is a folder' });
    assert.deepEqual(await files.read('file:///dev/null', 10), {
      kind: 'failed',
      reason: 'it is no ordinary file',
    });
  });
});

describe('help', () => {
  for (const command of ['review', 'produce', 'promote', 'digest', undefined, 'nothing', '__proto__']) {
    it(`of ${command ?? 'the program'} fits 80 columns and names its flags`, () => {
      const text = helpFor(command);
      assert.match(text, /^Usage: mcp-manifest-review /);
      for (const line of text.split('\n')) assert.ok(line.length <= 80, line);
    });
  }

  it('names every flag of every command', () => {
    const FLAGS = {
      review: ['observed', 'declared', 'policy', 'format', 'fail-on'],
      produce: ['server', 'completeness', 'out', 'force'],
      promote: ['out', 'tool', 'expect-digest'],
      digest: ['write'],
    };
    for (const [command, flags] of Object.entries(FLAGS)) {
      for (const flag of flags) assert.ok(helpFor(command).includes(`--${flag} `), `${command} --${flag}`);
      assert.ok(helpFor(undefined).includes(`  ${command} `), command);
    }
  });
});
