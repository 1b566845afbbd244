import { pick } from './random';
import { strictJson } from './strictJson';

type Random = () => number;

const below = (random: Random, limit: number) => Math.floor(random() * limit);

/** What is put into documents: signs, words of the format, and what readers are known to stumble over. */
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
  '\\ud800',
  '\\udc00',
  '\\u0000',
  '\ud83d\udd11',
  '\n',
  '\r\n',
  '\r',
  '\t',
  ' ',
  '\u{0}',
  '\u{7F}',
  '\u{85}',
  '\u{A0}',
  '\u{2028}',
  '\u{FEFF}',
  '\u{FFFD}',
  'null',
  'true',
  'false',
  '0',
  '-0',
  '1e400',
  '-1e400',
  '1e-400',
  '9007199254740993',
  '1E2',
  '01',
  'NaN',
  '{}',
  '[]',
  '""',
  '"__proto__":{},',
  '"constructor":1,',
  '"status":"observed",',
  '"name":"a",',
  '"result":{"tools":[]},',
  '"nextCursor":"",',
  'data: ',
  '// x\n',
  '/**/',
  '# x\n',
  '- ',
  '---\n',
  '...\n',
  '&a ',
  '*a',
  '? ',
  '!!str ',
  '!!map ',
  '!!binary ',
  '!x ',
  '| ',
  '>-\n  ',
  '<<: *a',
  '%YAML 1.1\n',
  'declared_mcp_manifests',
  'assay.mcp_manifest_observed.v0',
  'assay.declared_mcp_manifest.v0',
  'assay.mcp_manifest_projection.v0',
] as const;

const DEPTHS = [1, 20, 120, 126, 127, 128, 300, 3_000] as const;

/** A change of bytes that knows nothing of what they say. */
type OfBytes = (random: Random, bytes: Buffer, others: readonly [Buffer, ...Buffer[]]) => Buffer;
/** A change of a text that knows a little. */
type OfText = (random: Random, text: string) => string;
/** A change of a JSON value that keeps it JSON. */
type OfValue = (random: Random, value: unknown) => unknown;

const BYTES: readonly [OfBytes, ...OfBytes[]] = [
  (random, bytes) => {
    const changed = Buffer.from(bytes);
    for (let count = 1 + below(random, 3); count > 0; count--) {
      const at = below(random, changed.length);
      changed[at] = (changed[at] ?? 0) ^ (1 << below(random, 8));
    }
    return changed;
  },
  (random, bytes) => {
    const changed = Buffer.from(bytes);
    if (changed.length > 0) changed[below(random, changed.length)] = below(random, 256);
    return changed;
  },
  (random, bytes) => {
    const at = below(random, bytes.length + 1);
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + below(random, 40))]);
  },
  (random, bytes) => bytes.subarray(0, below(random, bytes.length + 1)),
  (random, bytes) => {
    const at = below(random, bytes.length + 1);
    const end = at + below(random, 400);
    return Buffer.concat([bytes.subarray(0, end), bytes.subarray(at)]);
  },
  (random, bytes, others) => {
    const other = pick(random, others);
    const at = below(random, bytes.length + 1);
    const from = below(random, other.length + 1);
    return Buffer.concat([bytes.subarray(0, at), other.subarray(from)]);
  },
  (random, bytes, others) => {
    const other = pick(random, others);
    const at = below(random, bytes.length + 1);
    const from = below(random, other.length + 1);
    const part = other.subarray(from, from + below(random, 300));
    return Buffer.concat([bytes.subarray(0, at), part, bytes.subarray(at + below(random, part.length + 1))]);
  },
  (random, bytes) => {
    const text = bytes.toString();
    return pick(random, [
      Buffer.from(`\u{FEFF}${text}`),
      Buffer.from(`\u{FEFF}\u{FEFF}${text}`),
      Buffer.from(text, 'utf16le'),
      Buffer.from(`\u{FEFF}${text}`, 'utf16le'),
      Buffer.from(`\u{FEFF}${text}`, 'utf16le').swap16(),
      Buffer.from(text, 'latin1'),
      Buffer.concat([Buffer.from([0xff]), bytes]),
      Buffer.concat([bytes, Buffer.from([0xc3])]),
    ]);
  },
];

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s{}[\]:,"]+/g;
const WORDS = [
  '"observed"',
  '"not_observed"',
  '"ambiguous"',
  '"complete"',
  '"partial"',
  '"unknown"',
  '"warning"',
  '"inconclusive"',
  '"classified"',
  '"unclassified"',
  'true',
  'false',
  'null',
] as const;
/** One of them as a value, with quotes or as YAML writes it. */
const A_WORD = new RegExp(`(?<=:\\s*)(?:${WORDS.join('|').replaceAll('"', '"?')})`, 'g');
const A_DIGEST = /sha256:[0-9a-f]{64}/g;

/** One of the matches of a pattern; null when there is none. */
function anyMatch(
  random: Random,
  text: string,
  pattern: RegExp,
): { start: number; end: number; found: string } | null {
  const matches = [...text.matchAll(pattern)];
  const match = matches[below(random, matches.length)];
  return match === undefined
    ? null
    : { start: match.index, end: match.index + match[0].length, found: match[0] };
}

function replaced(text: string, at: { start: number; end: number } | null, by: string): string {
  return at === null ? text : text.slice(0, at.start) + by + text.slice(at.end);
}

const TEXTS: readonly [OfText, ...OfText[]] = [
  (random, text) => {
    const at = below(random, text.length + 1);
    return text.slice(0, at) + pick(random, PIECES) + text.slice(at + below(random, 4));
  },
  (random, text) => replaced(text, anyMatch(random, text, TOKEN), pick(random, PIECES)),
  (random, text) => {
    const one = anyMatch(random, text, TOKEN);
    const other = anyMatch(random, text, TOKEN);
    if (one === null || other === null || one.start === other.start) return text;
    const [first, second] = one.start < other.start ? [one, other] : [other, one];
    return replaced(replaced(text, second, first.found), first, second.found);
  },
  (random, text) => {
    const token = anyMatch(random, text, TOKEN);
    const other = anyMatch(random, text, TOKEN);
    return replaced(text, token, other?.found ?? '');
  },
  (random, text) => replaced(text, anyMatch(random, text, A_WORD), pick(random, WORDS)),
  (random, text) => {
    // A digest with one digit changed, in capitals, of another length, or under another name.
    const digest = anyMatch(random, text, A_DIGEST);
    if (digest === null) return text;
    const { found } = digest;
    const at = 7 + below(random, 64);
    return replaced(
      text,
      digest,
      pick(random, [
        found.slice(0, at) + below(random, 16).toString(16) + found.slice(at + 1),
        found.slice(0, 7) + found.slice(7).toUpperCase(),
        found.slice(0, -1),
        `${found}0`,
        ` ${found}`,
        `${found}\\n`,
        found.replace('sha256', 'sha512'),
        found.slice(7),
        anyMatch(random, text, A_DIGEST)?.found ?? found,
      ]),
    );
  },
  (random, text) => {
    // A key under the name of another, or spelled another way.
    const key = anyMatch(random, text, /"[A-Za-z_.]+"(?=\s*:)/g);
    if (key === null) return text;
    const other = anyMatch(random, text, /"[A-Za-z_.]+"(?=\s*:)/g)?.found ?? key.found;
    return replaced(
      text,
      key,
      pick(random, [
        other,
        key.found.toUpperCase(),
        key.found.replaceAll('_', ''),
        key.found.replace(/[a-z]/, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`),
        '"__proto__"',
        '""',
      ]),
    );
  },
  (random, text) => {
    const value = anyMatch(random, text, TOKEN);
    const depth = pick(random, DEPTHS);
    const [open, close] = random() < 0.5 ? ['[', ']'] : ['{"a":', '}'];
    return replaced(text, value, open.repeat(depth) + (value?.found ?? '') + close.repeat(depth));
  },
  (random, text) => {
    // A letter of a string as an escape, or half of one.
    const letter = anyMatch(random, text, /(?<=")[a-z]/g);
    if (letter === null) return text;
    const code = letter.found.charCodeAt(0).toString(16).padStart(4, '0');
    return replaced(
      text,
      letter,
      pick(random, [`\\u${code}`, `\\u${code.toUpperCase()}`, '\\ud800', '\\udfff', '\\u']),
    );
  },
  (random, text) => {
    const number = anyMatch(random, text, /(?<=[:[\s])-?\d+(?=[\s,}\]])/g);
    return replaced(
      text,
      number,
      pick(random, [
        '1e400',
        '-1e999',
        '9007199254740993',
        '1.0',
        '2e0',
        '-0',
        '00',
        '1.',
        '9'.repeat(400),
        '"1"',
      ]),
    );
  },
  (random, text) => {
    // The same in another layout.
    const parsed = strictJson(text);
    const lines = pick(random, [
      text.replaceAll('\n', '\r\n'),
      text.replaceAll('\n', '\r'),
      text.replaceAll('  ', '\t'),
      `\n\n${text}\n`,
      text.trimEnd(),
      `${text}\u{0}`,
    ]);
    return parsed === null || random() < 0.5 ? lines : JSON.stringify(parsed.value, null, below(random, 5));
  },
];

/** The containers of a value, itself among them. */
function containers(value: unknown): object[] {
  if (typeof value !== 'object' || value === null) return [];
  return [value, ...Object.values(value).flatMap(containers)];
}

/** Changes one of the objects or arrays of a value, which nobody else holds. */
const inOne = (
  random: Random,
  value: unknown,
  change: (container: object, keys: string[]) => void,
): unknown => {
  const all = containers(value);
  const container = all[below(random, all.length)];
  if (container !== undefined) change(container, Object.keys(container));
  return value;
};

const VALUES: readonly [OfValue, ...OfValue[]] = [
  (random, value) =>
    inOne(random, value, (container, keys) => {
      const key = keys[below(random, keys.length)];
      if (key !== undefined) Reflect.deleteProperty(container, key);
    }),
  (random, value) =>
    inOne(random, value, (container, keys) => {
      const key = keys[below(random, keys.length)];
      const odd: readonly [unknown, ...unknown[]] = [
        null,
        true,
        false,
        0,
        1,
        -1,
        2 ** 60,
        '',
        'x',
        [],
        {},
        ['x'],
      ];
      if (key !== undefined) Reflect.set(container, key, pick(random, odd));
    }),
  (random, value) =>
    inOne(random, value, (container, keys) => {
      const from = keys[below(random, keys.length)];
      const to = keys[below(random, keys.length)];
      if (from === undefined || to === undefined) return;
      const one: unknown = Reflect.get(container, from);
      const other: unknown = Reflect.get(container, to);
      Reflect.set(container, from, other);
      Reflect.set(container, to, one);
    }),
  (random, value) =>
    inOne(random, value, (container, keys) => {
      const from = keys[below(random, keys.length)];
      if (from === undefined) return;
      const copied: unknown = Reflect.get(container, from);
      if (Array.isArray(container))
        container.splice(below(random, container.length + 1), 0, structuredClone(copied));
      else Reflect.set(container, `${from}2`, structuredClone(copied));
    }),
  (random, value) =>
    inOne(random, value, (container, keys) => {
      // Another order of keys or items.
      const entries = keys.map((key): [string, unknown] => [key, Reflect.get(container, key)]);
      if (Array.isArray(container)) {
        container.reverse();
        return;
      }
      for (const key of keys) Reflect.deleteProperty(container, key);
      for (const [key, child] of random() < 0.5
        ? entries.reverse()
        : [...entries.slice(1), ...entries.slice(0, 1)]) {
        Reflect.set(container, key, child);
      }
    }),
  (random, value) => {
    const all = containers(value);
    const from = all[below(random, all.length)];
    return inOne(random, value, (container, keys) => {
      const key = keys[below(random, keys.length)];
      if (key !== undefined && from !== undefined) Reflect.set(container, key, structuredClone(from));
    });
  },
];

/** A document with one to three changes of any sort. */
export function mutateBytes(
  random: Random,
  original: Buffer,
  others: readonly [Buffer, ...Buffer[]],
): Buffer {
  let bytes = original;
  for (let count = pick(random, [1, 1, 1, 2, 3]); count > 0; count--) {
    const sort = random();
    if (sort < 0.3) {
      bytes = pick(random, BYTES)(random, bytes, others);
    } else if (sort < 0.7) {
      bytes = Buffer.from(pick(random, TEXTS)(random, bytes.toString()));
    } else {
      const parsed = strictJson(bytes.toString());
      if (parsed === null) bytes = Buffer.from(pick(random, TEXTS)(random, bytes.toString()));
      else {
        const changed = pick(random, VALUES)(random, parsed.value);
        bytes = Buffer.from(JSON.stringify(changed, null, pick(random, [0, 2])));
      }
    }
  }
  return bytes;
}
