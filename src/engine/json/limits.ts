/** Deepest nesting a document may have, counted from its root (semantics 1). */
export const MAX_DEPTH = 127;

const LONE_SURROGATE = /[\uD800-\uDFFF]/u;

/** Whether a string holds no lone surrogate, so that it has UTF-8 bytes. */
export function isWellFormed(text: string): boolean {
  return !LONE_SURROGATE.test(text);
}

/** How many bytes a text has as UTF-8: what its file would have. */
export function utf8Length(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
  }
  return bytes;
}
