import assert from 'node:assert/strict';
import type { ManifestDocument } from '../../src/engine/manifest/documents';
import { sha256 } from '../../src/desktop/sha256';
import { review } from '../../src/engine/verdict/review';
import { createMatcher, DEFAULT_GLOBS, kindByName, listedPatterns } from '../../src/workspace/globs';
import { pair, type Pairing } from '../../src/workspace/pairing';
import { commonDepth, folderOf, relativePath, resolvePath } from '../../src/workspace/paths';
import { declared, manifestDigest, observed, ordinary, policy } from '../support/documents';
import { readAs } from '../support/read';

const folder = { uri: 'file:///w', name: 'w' };
const tools = [ordinary('search')];
const more = [ordinary('search'), ordinary('web.fetch')];

const seen = (path: string, id = 'github') =>
  readAs('observed', `${folder.uri}/${path}`, observed(tools, { id }));
const approved = (path: string, id = 'github', entries = tools) =>
  readAs('declared', `${folder.uri}/${path}`, declared(entries, { id }));
const rules = (path: string, ...ids: string[]) =>
  readAs(
    'policy',
    `${folder.uri}/${path}`,
    policy(Object.fromEntries(ids.map((id) => [id, manifestDigest(tools)]))),
  );

function pairUp(documents: readonly ManifestDocument[], pairings: readonly Pairing[] = [], whole = true) {
  const short = (document: ManifestDocument | null) =>
    document?.source.uri.slice(folder.uri.length + 1) ?? null;
  return pair({ folder, documents, pairings, whole }).map(({ input }) => ({
    id: input.serverId,
    observed: short(input.observed),
    declared: input.declared.map(short),
    policies: input.policies.map(short),
    others: input.others.map(short),
  }));
}

describe('pairing', () => {
  it('gives each review an identity that survives edits', () => {
    const keys = (document: ManifestDocument) =>
      pair({ folder, documents: [document], pairings: [], whole: true }).map(({ key }) => key);
    const before = keys(seen('a.observed.json'));
    const edited = readAs('observed', `${folder.uri}/a.observed.json`, observed(more));
    assert.deepEqual(keys(edited), before);
    assert.notDeepEqual(keys(seen('b.observed.json')), before);
    const elsewhere = { uri: 'file:///v', name: 'v' };
    const [other] = pair({ folder: elsewhere, documents: [edited], pairings: [], whole: true });
    assert.notEqual(other?.key, before[0]);
  });

  it('gives every review of a folder its own identity', () => {
    const documents = [
      seen('a.observed.json'),
      seen('b.observed.json'),
      rules('policy.yaml', 'x', 'y', 'github'),
    ];
    const keys = pair({ folder, documents, pairings: [], whole: true }).map(({ key }) => key);
    assert.equal(keys.length, 4);
    assert.equal(new Set(keys).size, 4);
  });

  it('does not depend on the order in which documents are found', () => {
    const documents = [
      seen('b/x.observed.json'),
      approved('b/x.declared.json', 'github', more),
      approved('x.declared.json'),
      seen('a.observed.json', 'other'),
      rules('policy.yaml', 'github', 'third'),
    ];
    assert.deepEqual(pairUp([...documents].reverse()), pairUp(documents));
  });

  it('orders reviews by path, then server id', () => {
    const found = pairUp([
      rules('policy.yaml', 'z', 'y'),
      seen('q.observed.json'),
      seen('a/b.observed.json'),
    ]);
    assert.deepEqual(
      found.map(({ id, observed }) => [id, observed]),
      [
        ['github', 'a/b.observed.json'],
        ['y', null],
        ['z', null],
        ['github', 'q.observed.json'],
      ],
    );
  });

  it('by hand wins over nearness, for the kind it names', () => {
    const by = { observed: `${folder.uri}/a.observed.json`, declared: `${folder.uri}/far/x.declared.json` };
    const [found] = pairUp(
      [
        seen('a.observed.json'),
        approved('near.declared.json'),
        approved('far/x.declared.json', 'github', more),
        rules('policy.yaml', 'github'),
      ],
      [by],
    );
    assert.deepEqual(found, {
      id: 'github',
      observed: 'a.observed.json',
      declared: ['far/x.declared.json'],
      policies: ['policy.yaml'],
      others: ['near.declared.json'],
    });
  });

  it('by hand with what is not there leaves nothing out in silence', () => {
    const by = { observed: `${folder.uri}/a.observed.json`, declared: `${folder.uri}/gone.declared.json` };
    const [paired] = pair({
      folder,
      documents: [seen('a.observed.json'), approved('near.declared.json')],
      pairings: [by],
      whole: true,
    });
    assert.deepEqual(paired?.input.declared, []);
    assert.deepEqual(paired.input.others, []);
    assert.deepEqual(paired.input.absent, { declared: by.declared, policy: null });
    const { inconclusive, verdict } = review(paired.input, sha256);
    assert.equal(verdict, 'inconclusive');
    assert.deepEqual(
      inconclusive.map(({ code, at }) => [code, at.uri]),
      [['paired_baseline_missing', by.observed]],
    );
  });

  it('of named documents misses no observation', () => {
    assert.deepEqual(pairUp([approved('x.declared.json'), rules('policy.yaml', 'y')], [], false), []);
  });

  it('does not take a baseline for missing its observation when one was paired by hand', () => {
    const by = { observed: `${folder.uri}/a.observed.json`, declared: `${folder.uri}/x.declared.json` };
    const found = pairUp([seen('a.observed.json'), approved('x.declared.json', 'other')], [by]);
    assert.deepEqual(
      found.map(({ id }) => id),
      ['github'],
    );
  });

  it('keeps as near baselines that say something else, and no others', () => {
    const [found] = pairUp([
      seen('a.observed.json'),
      approved('one.declared.json'),
      approved('same.declared.json'),
      approved('two.declared.json', 'github', more),
    ]);
    assert.deepEqual(found?.declared, ['one.declared.json', 'two.declared.json']);
    assert.deepEqual(found.others, []);
  });
});

describe('paths', () => {
  it('have as many folders in common as they share from the top', () => {
    assert.equal(
      commonDepth('file:///w/a/x', 'file:///w/a/y'),
      commonDepth('file:///w/a/x', 'file:///w/a/b/y'),
    );
    assert.ok(commonDepth('file:///w/a/x', 'file:///w/a/y') > commonDepth('file:///w/a/x', 'file:///w/b/y'));
    assert.equal(
      commonDepth('file:///w/ab/x', 'file:///w/a/x'),
      commonDepth('file:///w/b/x', 'file:///w/a/x'),
    );
  });

  it('belong to the innermost folder', () => {
    const inner = { uri: 'file:///w/in', name: 'in' };
    assert.equal(folderOf([folder, inner], 'file:///w/in/x'), inner);
    assert.equal(folderOf([inner, folder], 'file:///w/in/x'), inner);
    assert.equal(folderOf([folder, inner], 'file:///w/inside'), folder);
    assert.equal(folderOf([folder, inner], 'file:///world/x'), undefined);
  });

  it('go from addresses to what people write and back', () => {
    for (const path of ['a b/ü.json', 'x%25.json', '#1/[a]?.json', '100%.json']) {
      assert.equal(relativePath(folder, resolvePath(folder, path)), path);
    }
    assert.equal(resolvePath(folder, './a/../b//c.json'), 'file:///w/b/c.json');
    assert.equal(resolvePath(folder, 'a\\b.json'), 'file:///w/a/b.json');
    assert.equal(relativePath(folder, 'file:///w/100%'), '100%');
  });
});

describe('names', () => {
  const standing = createMatcher(DEFAULT_GLOBS);

  it('are watched by default', () => {
    const watched = [
      'a.observed.json',
      'x/y/a.declared.json',
      'policy.yaml',
      'our-policy.v2.yml',
      'x/policy.json',
    ];
    for (const path of [...watched, '.mcp/a.json', 'x/.mcp/y/a.json', '.hidden/a.observed.json']) {
      assert.equal(standing(path), 'watched', path);
    }
    for (const path of [
      'observed.json',
      'a.observed.jsonc',
      'policy.txt',
      'policies/a.yaml',
      'mcp/a.json',
      '.mcp/a.yaml',
    ]) {
      assert.equal(standing(path), 'ignored', path);
    }
  });

  it('in folders of other programs are never watched', () => {
    for (const name of ['node_modules', '.git', 'dist', 'out']) {
      assert.equal(standing(`${name}/a.observed.json`), 'ignored');
      assert.equal(standing(`x/${name}/y/.mcp/a.json`), 'ignored');
      assert.equal(standing(`x${name}/a.observed.json`), 'watched');
    }
  });

  it('that a setting leaves out are told from those nobody asked for', () => {
    const settings = { ...DEFAULT_GLOBS, policy: [], exclude: [...DEFAULT_GLOBS.exclude, 'vendor/**'] };
    const set = createMatcher(settings);
    assert.equal(set('vendor/a.observed.json'), 'excluded');
    assert.equal(set('policy.yaml'), 'excluded');
    assert.equal(set('vendor/readme.md'), 'ignored');
    assert.equal(set('node_modules/a.observed.json'), 'ignored');
    assert.equal(set('a.observed.json'), 'watched');
    assert.ok(listedPatterns(settings).includes('**/*policy*.{json,yml,yaml}'));
  });

  it('speak of a kind where the text cannot', () => {
    const kind = (path: string) => kindByName(DEFAULT_GLOBS, path);
    assert.equal(kind('a.observed.json'), 'observed');
    assert.equal(kind('x/a.declared.json'), 'declared');
    assert.equal(kind('policy.json'), 'policy');
    assert.equal(kind('.mcp/a.json'), 'observed');
  });
});
