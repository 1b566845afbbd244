/** Deepest nesting a document may have, counted from its root (semantics 1). */
export const MAX_DEPTH = 127;

const LONE_SURROGATE = /[\uD800-\uDFFF]/u;

/** Whether a string holds no lone surrogate, so that it has UTF-8 bytes. */
export function isWellFormed(text: string): boolean {
  return !LONE_SURROGATE.test(text);
}
