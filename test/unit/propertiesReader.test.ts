import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Lines } from '../../src/engine/json/lines';
import { isSound, readJson } from '../../src/engine/json/reader';
import { readBytes, readText } from '../../src/engine/manifest/read';
import { isFatal } from '../../src/engine/problems';
import { DECLARED, observed, OBSERVED, ordinary } from '../support/documents';
import { layOut } from '../support/layout';
import { strictJson } from '../support/strictJson';

const PIECES = [
  '{',
  '}',
  '[',
  ']',
  ':',
  ',',
  '"',
  '"a"',
  '"a":',
  '"a":1,',
  '"\\u0061":2',
  '"__proto__":',
  '"\\ud800"',
  '"\ud800"',
  '"\\ud83d\\udd11"',
  '\\',
  '\\u',
  '\\n',
  ' ',
  '\n',
  '\r\n',
  '\t',
  '\u{A0}',
  '\u{2028}',
  '\u{FEFF}',
  'null',
  'true',
  'nul',
  'NaN',
  '-',
  '0',
  '01',
  '1.',
  '.5',
  '1e5',
  '1e400',
  '-1e400',
  '1E+',
  '9007199254740993',
  '-0',
  '//',
  '/* */',
  '#',
  "'a'",
  '\u{0}',
  '\u{1F511}',
  '[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[',
] as const;

/** Texts that are nearly JSON, and some that are. */
const nearly = fc.oneof(
  fc.array(fc.constantFrom(...PIECES), { maxLength: 24 }).map((pieces) => pieces.join('')),
  fc
    .tuple(fc.json({ stringUnit: 'binary' }), fc.nat(), fc.nat(12), fc.constantFrom(...PIECES, ''))
    .map(([text, place, length, piece]) => {
      const at = place % (text.length + 1);
      return text.slice(0, at) + piece + text.slice(at + length);
    }),
  fc.json({ stringUnit: 'binary' }),
  fc.string({ unit: 'binary' }),
);
const PARAMETERS = { numRuns: 1_500 };

function parse(text: string): { value: unknown } | null {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return null;
  }
}

describe('reading any text as JSON', function () {
  this.timeout(60_000);
  it('never throws, and points inside the text', () => {
    fc.assert(
      fc.property(nearly, (text) => {
        const { problems, nodes } = readJson(text);
        const lines = new Lines(text);
        for (const { start, end } of [...problems, nodes.range(0), nodes.keyRange(0)]) {
          assert.ok(start >= 0 && start <= end && end <= text.length, `${start}–${end}`);
          assert.ok(lines.at(start).line >= 0 && lines.at(end).column >= 0);
        }
      }),
      PARAMETERS,
    );
  });

  it('agrees with JSON.parse on what is JSON and what it says', () => {
    fc.assert(
      fc.property(nearly, (text) => {
        const { value, problems } = readJson(text);
        const parsed = parse(text);
        const broken = problems.some(({ code }) => code === 'json_syntax');
        const deep = problems.some(({ code }) => code === 'nesting_too_deep');
        if (parsed === null) assert.ok(broken || deep, 'is no JSON');
        else if (deep) assert.equal(value, undefined);
        else {
          assert.ok(!broken, 'is JSON');
          assert.deepEqual(value, parsed.value);
        }
        if (problems.length === 0) assert.ok(parsed !== null);
      }),
      PARAMETERS,
    );
  });

  it('agrees with a reader of its own on what is sound', () => {
    fc.assert(
      fc.property(nearly, (text) => {
        const json = readJson(text);
        const strict = strictJson(text);
        assert.equal(isSound(json), strict !== null);
        if (strict !== null) assert.deepEqual(json.value, strict.value);
      }),
      PARAMETERS,
    );
  });

  it('finds every value at its path, with the text that says it', () => {
    fc.assert(
      fc.property(nearly, (text) => {
        const json = readJson(text);
        fc.pre(isSound(json));
        const { nodes } = json;
        let count = 0;
        const walk = (node: number, value: unknown, path: (string | number)[]): void => {
          count++;
          const { start, end } = nodes.range(node);
          const parsed: unknown = JSON.parse(text.slice(start, end));
          assert.deepEqual(parsed, value);
          assert.deepEqual(nodes.resolve(path), { node, found: true });
          const children = nodes.children(node);
          if (typeof value !== 'object' || value === null) {
            assert.deepEqual(children, []);
            return;
          }
          const entries = Object.entries(value);
          assert.equal(children.length, entries.length);
          for (const [index, child] of children.entries()) {
            const key = nodes.key(child);
            if (key !== null) {
              const at = nodes.keyRange(child);
              assert.equal(JSON.parse(text.slice(at.start, at.end)), key);
            }
            const step = key ?? index;
            assert.ok(Object.hasOwn(value, step));
            walk(child, Reflect.get(value, step), [...path, step]);
          }
        };
        walk(0, json.value, []);
        assert.ok(count > 0);
      }),
      PARAMETERS,
    );
  });

  it('finds two keys that are one, among few and among many', () => {
    const pool = [
      'a',
      '\\u0061',
      '__proto__',
      '',
      ...Array.from({ length: 30 }, (_, index) => `key${index}`),
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pool), { maxLength: 60 }), (keys) => {
        const text = `{"deep":[{${keys.map((key) => `"${key}":{"a":1}`).join(',')}}]}`;
        const decoded = keys.map((key) => (key === '\\u0061' ? 'a' : key));
        const repeats = decoded.filter((key, index) => decoded.indexOf(key) < index).length;
        const { problems } = readJson(text);
        assert.equal(problems.filter(({ code }) => code === 'duplicate_key').length, repeats);
        assert.equal(isFatal(problems), repeats > 0);
      }),
      PARAMETERS,
    );
  });

  it('goes down 127 levels and no further, by whatever way', () => {
    const ways = fc.array(fc.constantFrom('[', '[0,', '{"a":', '{"b":1,"a":'), {
      minLength: 124,
      maxLength: 131,
    });
    fc.assert(
      fc.property(ways, (steps) => {
        const open = steps.join('');
        const close = steps.map((step) => (step.startsWith('[') ? ']' : '}')).reverse();
        const text = `${open}0${close.join('')}`;
        assert.deepEqual(
          readJson(text).problems.map(({ code }) => code),
          steps.length > 127 ? ['nesting_too_deep'] : [],
        );
      }),
      PARAMETERS,
    );
  });
});

describe('reading any document', function () {
  this.timeout(60_000);
  const heads = fc.constantFrom(
    `{"schema":"${OBSERVED}",`,
    `{"schema":"${DECLARED}",`,
    '{"declared_mcp_manifests":',
    'declared_mcp_manifests: ',
    layOut(observed([ordinary('a')])).text.slice(0, -3),
    '',
  );
  const uris = fc.constantFrom(
    'file:///a.observed.json',
    'file:///policy.yaml',
    'file:///.mcp/x.json',
    'untitled:x',
  );
  const texts = fc.tuple(heads, nearly).map(([head, rest]) => Buffer.from(head + rest).toString());

  it('never throws, points inside the text, and reads a file as its buffer', () => {
    fc.assert(
      fc.property(uris, texts, (uri, text) => {
        fc.pre(!text.startsWith('\u{FEFF}'));
        const document = readText(uri, text);
        // A NUL in the second place makes bytes look like UTF-16, which is then the one thing said of them.
        if (!text.slice(0, 2).includes('\0')) assert.deepEqual(readBytes(uri, Buffer.from(text)), document);
        for (const { start, end } of document?.problems ?? []) {
          assert.ok(start >= 0 && start <= end && end <= text.length, `${start}–${end}`);
        }
      }),
      PARAMETERS,
    );
  });

  it('never throws whatever the bytes are', () => {
    fc.assert(
      fc.property(uris, heads, fc.uint8Array({ maxLength: 40 }), fc.boolean(), (uri, head, bytes, before) => {
        const parts = [Buffer.from(head), bytes];
        const document = readBytes(uri, Buffer.concat(before ? parts.reverse() : parts));
        const length = document?.source.text.length ?? 0;
        for (const { start, end } of document?.problems ?? []) assert.ok(start >= 0 && end <= length);
      }),
      PARAMETERS,
    );
  });
});
