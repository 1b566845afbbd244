// Strict JSON once more, by hand and from RFC 8259 and semantics 1 alone: the judge of what a mutated document says.

class Refused extends Error {}

const MAX_DEPTH = 127;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const SPACE = /[ \t\n\r]*/y;
const WORDS: readonly (readonly [string, boolean | null])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
];

/**
 * The value of a text that is strict JSON: no key twice, no more than 127 levels, no number beyond a double, no lone
 * surrogate. Null for every other text.
 */
export function strictJson(text: string): { readonly value: unknown } | null {
  let at = 0;
  const match = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    const [found] = pattern.exec(text) ?? [];
    if (found === undefined) throw new Refused();
    at += found.length;
    return found;
  };
  const take = (sign: string): boolean => {
    match(SPACE);
    if (text[at] !== sign) return false;
    at++;
    return true;
  };
  const need = (sign: string): void => {
    if (!take(sign)) throw new Refused();
  };
  const string = (): string => {
    match(SPACE);
    const value: unknown = JSON.parse(match(STRING));
    if (typeof value !== 'string' || /[\ud800-\udfff]/u.test(value)) throw new Refused();
    return value;
  };
  const items = (end: string, one: () => void): void => {
    if (take(end)) return;
    do one();
    while (take(','));
    need(end);
  };
  const value = (depth: number): unknown => {
    if (depth > MAX_DEPTH && /^[ \t\n\r]*[[{]/.test(text.slice(at, at + 1_000))) throw new Refused();
    if (take('{')) {
      const object = new Map<string, unknown>();
      items('}', () => {
        const key = string();
        if (object.has(key)) throw new Refused();
        need(':');
        object.set(key, value(depth + 1));
      });
      return Object.fromEntries(object);
    }
    if (take('[')) {
      const array: unknown[] = [];
      items(']', () => {
        array.push(value(depth + 1));
      });
      return array;
    }
    if (text[at] === '"') return string();
    const word = WORDS.find(([spelling]) => text.startsWith(spelling, at));
    if (word !== undefined) {
      at += word[0].length;
      return word[1];
    }
    const number = Number(match(NUMBER));
    if (!Number.isFinite(number)) throw new Refused();
    return number;
  };
  try {
    const whole = value(1);
    match(SPACE);
    return at === text.length ? { value: whole } : null;
  } catch (error) {
    if (error instanceof Refused) return null;
    throw error;
  }
}

/** The text of bytes that are UTF-8, a byte-order mark left out; null for any others. */
export function strictText(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
