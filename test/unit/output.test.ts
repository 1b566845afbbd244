import assert from 'node:assert/strict';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { writeOutput } from '../../src/desktop/output';
import { TempFolder } from '../support/folder';

const MARK = '\u{FEFF}';
const replace = { replace: true };
const keep = { replace: false };

describe('writing a result', () => {
  let folder: TempFolder;
  beforeEach(() => {
    folder = new TempFolder();
  });
  afterEach(() => {
    folder.remove();
  });

  it('makes a file, and nothing beside it', async () => {
    for (const options of [keep, replace]) {
      const name = options.replace ? 'a b.json' : 'ü.json';
      assert.equal(await writeOutput(folder.at(name), 'x – y\n', options), null);
      assert.equal(folder.read(name), 'x – y\n');
    }
    assert.deepEqual(folder.names, ['a b.json', 'ü.json']);
  });

  it('makes a file that others may read, as any program does', async () => {
    await writeOutput(folder.at('a'), 'x', keep);
    writeFileSync(folder.at('b'), 'x');
    assert.equal(statSync(folder.at('a')).mode, statSync(folder.at('b')).mode);
  });

  it('replaces a file only when asked', async () => {
    const path = folder.file('a', 'before');
    assert.equal(await folder.unchanged(() => writeOutput(path, 'after', keep)), 'differs');
    assert.equal(await writeOutput(path, 'after', replace), null);
    assert.equal(folder.read('a'), 'after');
    assert.deepEqual(folder.names, ['a']);
  });

  it('replaces a longer file whole, and an empty one', async () => {
    for (const before of ['x'.repeat(100_000), '']) {
      assert.equal(await writeOutput(folder.file('a', before), 'after', replace), null);
      assert.equal(folder.read('a'), 'after');
    }
  });

  it('replaces by a rename: who has the file open keeps what was there', async () => {
    const path = folder.file('a', 'before');
    const { ino } = statSync(path);
    await writeOutput(path, 'after', replace);
    assert.notEqual(statSync(path).ino, ino);
  });

  it('keeps who may run the file', async () => {
    const path = folder.file('a', 'before');
    chmodSync(path, 0o700);
    await writeOutput(path, 'after', replace);
    assert.equal(statSync(path).mode & 0o777, 0o700);
  });

  it('leaves a file alone that says the same', async () => {
    const path = folder.file('a', 'same');
    utimesSync(path, 1_000_000, 1_000_000);
    const before = statSync(path);
    for (const options of [keep, replace, { replace: true, keepMark: true }]) {
      assert.equal(await writeOutput(path, 'same', options), null);
    }
    const { mtimeMs, ino } = statSync(path);
    assert.deepEqual([mtimeMs, ino], [before.mtimeMs, before.ino]);
  });

  it('keeps a byte-order mark when asked', async () => {
    const path = folder.file('a', `${MARK}before`);
    await writeOutput(path, 'after', { replace: true, keepMark: true });
    assert.equal(folder.read('a'), `${MARK}after`);
    await writeOutput(path, 'last', replace);
    assert.equal(folder.read('a'), 'last');
    await writeOutput(path, 'end', { replace: true, keepMark: true });
    assert.equal(folder.read('a'), 'end');
    await writeOutput(folder.at('new'), 'end', { replace: true, keepMark: true });
    assert.equal(folder.read('new'), 'end');
  });

  it('leaves a file with a mark alone that says the same', async () => {
    const path = folder.file('a', `${MARK}same`);
    utimesSync(path, 1_000_000, 1_000_000);
    assert.equal(await writeOutput(path, 'same', { replace: true, keepMark: true }), null);
    assert.equal(statSync(path).mtimeMs, 1_000_000_000);
  });

  it('leaves a link a link, and replaces what it points at', async () => {
    mkdirSync(folder.at('deep'));
    folder.file('deep/target', 'before');
    symlinkSync('deep/target', folder.at('link'));
    assert.equal(await writeOutput(folder.at('link'), 'after', keep), 'differs');
    assert.equal(await writeOutput(folder.at('link'), 'after', replace), null);
    assert.equal(readlinkSync(folder.at('link')), 'deep/target');
    assert.equal(folder.read('deep/target'), 'after');
    assert.deepEqual(folder.names, ['deep', 'deep/target', 'link']);
  });

  it('leaves a link a link when what it points at does not exist yet', async () => {
    symlinkSync('target', folder.at('link'));
    await writeOutput(folder.at('link'), 'text', keep);
    assert.equal(lstatSync(folder.at('link')).isSymbolicLink(), true);
  });

  it('is refused where the folder is missing, or is no folder', async () => {
    folder.file('a', 'x');
    for (const path of ['no/b', 'a/b']) {
      const refusal = await folder.unchanged(() => writeOutput(folder.at(path), 'x', replace));
      assert.equal(refusal, 'folder missing');
    }
  });

  it('is refused over a folder', async () => {
    mkdirSync(folder.at('a'));
    symlinkSync('a', folder.at('link'));
    for (const path of ['a', 'link', '.']) {
      assert.equal(await folder.unchanged(() => writeOutput(folder.at(path), 'x', replace)), 'is a folder');
    }
  });

  it('is refused where nothing can be written, and leaves nothing behind', async () => {
    // A temporary name longer than a name may be is refused to everyone, the superuser included.
    const long = folder.at('x'.repeat(300));
    assert.equal(await folder.unchanged(() => writeOutput(long, 'x', replace)), 'not writable');
  });

  it('is refused over what is no ordinary file', async () => {
    const server = createServer().listen(folder.at('socket'));
    await once(server, 'listening');
    try {
      for (const options of [keep, replace]) {
        assert.notEqual(await writeOutput(folder.at('socket'), 'x', options), null);
        assert.equal(lstatSync(folder.at('socket')).isSocket(), true);
      }
    } finally {
      server.close();
    }
  });

  it('of many at a time to one file leaves one of them, whole', async () => {
    const texts = Array.from({ length: 8 }, (_, index) => String(index).repeat(10_000));
    const refusals = await Promise.all(texts.map((text) => writeOutput(folder.at('a'), text, replace)));
    assert.deepEqual(new Set(refusals), new Set([null]));
    assert.ok(texts.includes(readFileSync(folder.at('a'), 'utf8')));
    assert.deepEqual(folder.names, ['a']);
  });
});
