import assert from 'node:assert/strict';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readBytes } from '../../src/engine/manifest/read';
import { declared, observed, ordinary, policy } from '../support/documents';
import { judgeFolder } from '../support/judge';
import { layOut } from '../support/layout';
import { sharedPath } from '../support/shared';

const names = readdirSync(sharedPath('nasty')).filter((name) => name !== 'README.md');
const search = ordinary('search');

describe('excerpts that break implementations', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'mcp-manifest-review-nasty-'));
    write('github.observed.json', layOut(observed([search, ordinary('web.fetch')])).text);
    write('github.declared.json', layOut(declared([search])).text);
    write('policy.yaml', policy({ gone: `sha256:${'0'.repeat(64)}` }));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  function write(path: string, text: string): void {
    writeFileSync(join(folder, path), text);
  }
  function save(name: string, path: string): void {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    copyFileSync(sharedPath('nasty', name), join(folder, path));
  }
  const judge = () => judgeFolder({ folder, pairing: null });

  it('are all here', () => {
    assert.equal(names.length, 16);
  });

  for (const name of names) {
    it(`${name} disturbs nothing under a watched name`, async () => {
      const alone = await judge();
      assert.equal(alone.reviews.length, 2);
      save(name, `${name}.observed.json`);
      save(name, `.mcp/${name}.json`);
      save(name, `.mcp/${name}`);
      save(name, `${name}.declared.json`);
      save(name, `${name}-policy.yaml`);
      save(name, `${name}-policy.json`);
      const bytes = readFileSync(sharedPath('nasty', name));
      // None of the excerpts is one of the kinds, so none may show up anywhere.
      assert.equal(readBytes(`file:///${name}.observed.json`, bytes), null);
      assert.deepEqual(await judge(), alone);
    });
  }
});
