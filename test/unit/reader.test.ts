import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Lines } from '../../src/engine/json/lines';
import { printPath, readJson } from '../../src/engine/json/reader';
import { readBytes, readText, tooLarge } from '../../src/engine/manifest/read';
import type { ProblemCode } from '../../src/engine/problems';
import { declared, observed, ordinary, policy } from '../support/documents';
import { type Json, layOut, spotAt, withValue } from '../support/layout';
import { mutate, pick, seeded } from '../support/random';
import { readAs } from '../support/read';

const record = observed([ordinary('search'), ordinary('web.fetch')]);

/** All paths of a value, the value's own first. */
function paths(value: unknown, path: (string | number)[] = []): (string | number)[][] {
  if (typeof value !== 'object' || value === null) return [path];
  const entries: [string | number, unknown][] = Array.isArray(value)
    ? [...value.entries()]
    : Object.entries(value);
  return [path, ...entries.flatMap(([step, child]) => paths(child, [...path, step]))];
}

const isJson = (value: unknown): value is Json => value !== undefined;

describe('positions in JSON', () => {
  it('are those of the text, for every value and key', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
        assert.ok(isJson(value));
        const layout = layOut(value);
        const { nodes, value: read } = readJson(layout.text);
        const lines = new Lines(layout.text);
        assert.deepEqual(read, JSON.parse(layout.text));
        for (const path of paths(value)) {
          const { start, end } = nodes.rangeAt(path);
          const { line, column } = lines.at(start);
          assert.deepEqual({ line: line + 1, column: column + 1 }, layout.value(path));
          assert.doesNotThrow(() => void JSON.parse(layout.text.slice(start, end)));
          if (typeof path.at(-1) !== 'string') continue;
          const key = nodes.keyRange(nodes.resolve(path).node);
          assert.deepEqual(spotAt(layout.text, key.start), layout.key(path));
          assert.equal(JSON.parse(layout.text.slice(key.start, key.end)), path.at(-1));
        }
      }),
    );
  });

  it('of a missing value are those of the enclosing key, or of the bracket where there is none', () => {
    const text = '{ "a": { "b": [ { } ] } }';
    const { nodes } = readJson(text);
    const at = (...path: (string | number)[]) => {
      const { start, end } = nodes.rangeAt(path);
      return [start, text.slice(start, end)];
    };
    assert.deepEqual(at('x'), [0, '{']);
    assert.deepEqual(at('a', 'x', 'y'), [2, '"a"']);
    assert.deepEqual(at('a', 'b', 0, 'x'), [16, '{']);
    assert.deepEqual(at('a', 'b', 7), [9, '"b"']);
  });

  it('count lines by any line end and columns by UTF-16 units', () => {
    const lines = new Lines('a\r\nb\rc\n\u{1F511}d');
    const at = (offset: number) => {
      const { line, column } = lines.at(offset);
      return [line, column];
    };
    assert.deepEqual([0, 3, 5, 7, 9].map(at), [
      [0, 0],
      [1, 0],
      [2, 0],
      [3, 0],
      [3, 2],
    ]);
    assert.deepEqual(
      [at(-1), at(99)],
      [
        [0, 0],
        [3, 3],
      ],
    );
  });

  it('are the last of two equal keys, as the value is', () => {
    const text = '{ "a": 1, "\\u0061": 2 }';
    const { nodes, value } = readJson(text);
    assert.deepEqual(value, { a: 2 });
    assert.equal(nodes.rangeAt(['a']).start, text.indexOf('2'));
  });

  it('print as paths people know', () => {
    assert.equal(
      printPath(['observed', 'tools', 3, 'a b', '__proto__']),
      '$.observed.tools[3]["a b"].__proto__',
    );
  });
});

describe('strict JSON', () => {
  const PROBLEMS: readonly (readonly [string, ProblemCode, string, string?])[] = [
    ['{ "a": 1, "b": { "c": 1, "c": 2 } }', 'duplicate_key', '"c": 2', '$.b.c'],
    ['[1e400]', 'number_out_of_range', '1e400', '$[0]'],
    ['{ "a": -1e400 }', 'number_out_of_range', '-1e400', '$.a'],
    ['["\\ud800"]', 'lone_surrogate', '"\\ud800"', '$[0]'],
    ['["\\udc00\\ud800"]', 'lone_surrogate', '"\\udc00', '$[0]'],
    ['{ "\\ud800": 1 }', 'lone_surrogate', '"\\ud800"', '$["\\ud800"]'],
    ['{ "a": 9007199254740992 }', 'integer_not_exact', '9007', '$.a'],
    ['{ "a": -9007199254740992 }', 'integer_not_exact', '-9007', '$.a'],
    ['{ "a": 1, }', 'json_syntax', '}'],
    ['{ "a": 1 } {}', 'json_syntax', '{}'],
    ['{ a: 1 }', 'json_syntax', 'a'],
    ["{ 'a': 1 }", 'json_syntax', "'a'"],
    ['{ "a": 01 }', 'json_syntax', '1'],
    ['{ "a": NaN }', 'json_syntax', 'NaN'],
    ['/* a */ {}', 'json_syntax', '/*'],
    ['{ "a": "\\x" }', 'json_syntax', '"\\x'],
    ['{ "a": "\t" }', 'json_syntax', '"\t'],
  ];
  for (const [text, code, at, path] of PROBLEMS) {
    it(`finds ${code} in ${JSON.stringify(text)}`, () => {
      const [first, ...more] = readJson(text).problems;
      assert.deepEqual(more, []);
      assert.equal(first?.code, code);
      assert.equal(first.start, text.indexOf(at));
      if (path !== undefined) assert.equal(first.detail['path'], path);
    });
  }

  it('has nothing against the limits themselves', () => {
    for (const text of ['[9007199254740991, -9007199254740991, 0.1, 5e-324, 1e-400]', '""', ' null\n']) {
      assert.deepEqual(readJson(text).problems, []);
    }
  });

  it('of no text at all is no JSON', () => {
    for (const text of ['', ' ', '\u{FEFF}{}']) {
      const { value, problems } = readJson(text);
      assert.equal(value, undefined);
      assert.equal(problems[0]?.code, 'json_syntax');
    }
  });

  it('may be nested 127 levels and no more, however it is nested', () => {
    const nest = (levels: number) =>
      '{"a":['.repeat(Math.floor(levels / 2)) + '0' + ']}'.repeat(Math.floor(levels / 2));
    assert.deepEqual(readJson(`[${nest(126)}]`).problems, []);
    const text = nest(128);
    const { value, problems } = readJson(text);
    assert.equal(value, undefined);
    assert.deepEqual(
      problems.map((p) => [p.code, p.start]),
      [['nesting_too_deep', text.lastIndexOf('[')]],
    );
    assert.equal(problems[0]?.detail['limit'], 127);
  });

  it('of a hundred thousand levels is only too deep', () => {
    const [first] = readJson('['.repeat(100_000)).problems;
    assert.equal(first?.code, 'nesting_too_deep');
  });
});

describe('bytes', () => {
  const text = layOut(record).text;
  const utf16 = (mark: boolean, big: boolean) => {
    const bytes = Buffer.from((mark ? '\u{FEFF}' : '') + text, 'utf16le');
    return big ? bytes.swap16() : bytes;
  };
  const utf32 = Buffer.concat([
    Buffer.from([0xff, 0xfe, 0, 0]),
    ...Array.from(text, (char) => Buffer.from([char.charCodeAt(0), 0, 0, 0])),
  ]);
  const broken = Buffer.from(text);
  broken[text.indexOf('search')] = 0xe9;
  const FOREIGN: readonly (readonly [string, Uint8Array])[] = [
    ['UTF-16LE', utf16(true, false)],
    ['UTF-16BE', utf16(true, true)],
    ['UTF-16LE', utf16(false, false)],
    ['UTF-16BE', utf16(false, true)],
    ['UTF-32LE', utf32],
    ['unknown', broken],
  ];
  for (const [encoding, bytes] of FOREIGN) {
    it(`that are ${encoding} give one problem that says so`, () => {
      const document = readBytes('file:///a.observed.json', bytes);
      assert.equal(document?.kind, 'observed');
      assert.deepEqual(
        document.problems.map(({ code, detail }) => [code, detail]),
        [['encoding_not_utf8', { encoding }]],
      );
    });
  }

  it('with a byte-order mark read as those without', () => {
    const uri = 'file:///a.observed.json';
    const marked = Buffer.from(`\u{FEFF}${text}`);
    assert.deepEqual(readBytes(uri, marked), readBytes(uri, Buffer.from(text)));
  });

  it('of no kind are none of ours, in any encoding', () => {
    for (const bytes of [
      Buffer.from('{}'),
      Buffer.from('\u{FEFF}{}', 'utf16le'),
      Buffer.from([0xff, 0x00]),
      Buffer.of(),
    ]) {
      assert.equal(readBytes('file:///a.observed.json', bytes), null);
    }
  });

  it('over the limit are told by their size', () => {
    assert.deepEqual(tooLarge(30, 20), {
      code: 'file_too_large',
      start: 0,
      end: 0,
      detail: { size: 30, limit: 20 },
    });
  });
});

describe('documents', () => {
  it('are told by what they say, also when it is written with escapes', () => {
    const escaped = layOut(record).text.replace('assay.mcp', '\\u0061ssay.mcp');
    assert.equal(readText('file:///x.json', escaped)?.kind, 'observed');
    const key = '{ "declared_mcp\\u005fmanifests": {} }';
    assert.equal(readText('file:///x.json', key)?.kind, 'policy');
  });

  it('keep the server id where the rest is invalid, so that they can be paired', () => {
    const rest = withValue(record, ['observed'], undefined);
    const document = readAs('observed', 'file:///a.observed.json', rest);
    assert.equal(document.content, null);
    assert.equal(document.serverId, 'github');
  });

  it('without a telling name are JSON or YAML by their first character', () => {
    assert.deepEqual(readAs('policy', 'untitled:1', '{ "declared_mcp_manifests": {} }').problems, []);
    assert.deepEqual(readAs('policy', 'untitled:1', 'declared_mcp_manifests: {}').problems, []);
  });

  it('that are policies remember where each digest and key stands', () => {
    const text = policy({ github: `sha256:${'0'.repeat(64)}` });
    const entry = readAs('policy', 'file:///policy.yaml', text).entries.get('github');
    assert.ok(entry);
    assert.equal(text.slice(entry.at.start, entry.at.end), `"sha256:${'0'.repeat(64)}"`);
    assert.equal(text.slice(entry.keyAt.start, entry.keyAt.end), 'github');
    assert.equal(entry.editable, true);
  });

  it('that share a digest by an alias are not editable', () => {
    const digest = `sha256:${'0'.repeat(64)}`;
    const text = `declared_mcp_manifests:\n  a: &x\n    manifest_digest: ${digest}\n  b: *x\n  c:\n    manifest_digest: ${digest}\n`;
    const { entries } = readAs('policy', 'file:///policy.yaml', text);
    const editable = [...entries].map(([id, entry]) => [id, entry.digest, entry.editable]);
    assert.deepEqual(editable, [
      ['a', digest, false],
      ['b', digest, false],
      ['c', digest, true],
    ]);
  });

  it('in YAML are not blown up by aliases of aliases', () => {
    const lines = ['declared_mcp_manifests: {}', 'a: &a0 [1]'];
    for (let level = 1; level < 40; level++) {
      lines.push(`a${level}: &a${level} [*a${level - 1}, *a${level - 1}]`);
    }
    assert.deepEqual(readAs('policy', 'file:///policy.yaml', lines.join('\n')).problems, []);
  });

  it('in YAML with an alias that no anchor stands for are invalid', () => {
    for (const head of [
      'x: *nobody\n',
      'x: [&a 1, { b: *nobody }]\n',
      '? *nobody\n: 1\n',
      'x: &x [*y]\ny: &y 1\n',
    ]) {
      const text = head + policy({ github: `sha256:${'0'.repeat(64)}` });
      const { valid, problems } = readAs('policy', 'file:///policy.yaml', text);
      assert.deepEqual(
        [valid, problems.map(({ code, start }) => [code, start])],
        [false, [['yaml_syntax', text.indexOf('*')]]],
        text,
      );
    }
  });

  it('in YAML with a key that is no text are not read by its spelling', () => {
    const digest = `sha256:${'0'.repeat(64)}`;
    const entries = (text: string) =>
      [...readAs('policy', 'file:///policy.yaml', text).entries].map(([id, entry]) => [id, entry.digest]);
    assert.deepEqual(
      entries(
        `declared_mcp_manifests:\n  !!binary github:\n    manifest_digest: ${digest}\n  1.0: { manifest_digest: ${digest} }\n`,
      ),
      [['1.0', digest]],
    );
    assert.deepEqual(
      entries(`declared_mcp_manifests:\n  github:\n    !!binary manifest_digest: ${digest}\n`),
      [['github', null]],
    );
  });

  it('in YAML say at which path something cannot be reproduced', () => {
    const PROBLEMS: readonly (readonly [string, ProblemCode, string])[] = [
      ['a: [1, { b c: 1e400 }]', 'number_out_of_range', '$.a[1]["b c"]'],
      ['a:\n  - b: "\\ud800"', 'lone_surrogate', '$.a[0].b'],
      ['a: { "\\ud800": 1 }', 'lone_surrogate', '$.a["\\ud800"]'],
      ['a: [9007199254740993]', 'integer_not_exact', '$.a[0]'],
      [`a: ${'['.repeat(127)}${']'.repeat(127)}`, 'nesting_too_deep', `$.a${'[0]'.repeat(126)}`],
    ];
    for (const [text, code, path] of PROBLEMS) {
      const { problems } = readAs('policy', 'file:///policy.yaml', `declared_mcp_manifests: {}\n${text}\n`);
      assert.deepEqual(
        problems.map((problem) => [problem.code, problem.detail['path']]),
        [[code, path]],
      );
    }
  });

  it('in YAML may be nested 127 levels and no more, far beyond what a parser could bear', () => {
    const head = 'declared_mcp_manifests: {}\nx: ';
    for (const levels of [127, 2_000]) {
      const text = `${head}${'['.repeat(levels)}${']'.repeat(levels)}`;
      const { valid, problems } = readAs('policy', 'file:///policy.yaml', text);
      assert.equal(valid, false);
      assert.deepEqual(
        problems.map(({ code, start }) => [code, start]),
        [['nesting_too_deep', head.length + 126]],
      );
    }
  });
});

describe('random damage', () => {
  const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
  const TEXTS: readonly (readonly [string, string])[] = [
    ['file:///a.observed.json', layOut(record).text],
    ['file:///a.declared.json', layOut(declared([ordinary('search')])).text],
    ['file:///policy.json', JSON.stringify({ declared_mcp_manifests: { github: { manifest_digest: 'x' } } })],
    [
      'file:///policy.yaml',
      policy({ github: `sha256:${'0'.repeat(64)}`, b: 'x' }, '# a comment\na: &a {b: [1]}\n'),
    ],
  ];
  const PIECES = [
    '{',
    '}',
    '[',
    ']',
    '"',
    ':',
    ',',
    '\\',
    '\\u',
    '\\ud83d',
    '\n',
    '\r\n',
    '\t',
    '  ',
    '- ',
    '---\n',
    '...\n',
    '&a ',
    '*a',
    '? ',
    '!!',
    '!!map ',
    '| ',
    '> ',
    '#',
    '%YAML',
    '<<',
    '1e400',
    '-',
    'null',
    'true',
    '__proto__',
    '\u{1F511}',
    '\u{85}',
    '\u{2028}',
    '9007199254740993',
    'declared_mcp_manifests',
    'assay.mcp_manifest_observed.v0',
    '[[[[[[[[',
  ] as const;

  it(`never makes a reader throw, and a buffer reads as its file does (SEED=${seed})`, () => {
    const random = seeded(seed);
    for (let round = 0; round < 1_500; round++) {
      const [uri, original] = pick(random, [TEXTS[0] ?? ['', ''], ...TEXTS.slice(1)]);
      const text = mutate(random, original, PIECES);
      const fromBuffer = readText(uri, text);
      assert.deepEqual(readBytes(uri, Buffer.from(text)), fromBuffer, text);
      for (const { start, end } of fromBuffer?.problems ?? []) {
        assert.ok(start >= 0 && start <= text.length && start <= end, `${start}–${end} of ${text}`);
      }
    }
  }).timeout(60_000);

  it(`of bytes never makes a reader throw (SEED=${seed})`, () => {
    const random = seeded(seed);
    for (let round = 0; round < 1_000; round++) {
      const [uri, original] = pick(random, [TEXTS[0] ?? ['', ''], ...TEXTS.slice(1)]);
      const bytes = Buffer.from(original);
      for (let count = 0; count < 3; count++)
        bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
      assert.doesNotThrow(() => readBytes(uri, bytes));
    }
  }).timeout(60_000);
});
