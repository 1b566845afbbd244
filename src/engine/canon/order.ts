/**
 * Compares two strings by their UTF-8 bytes, which is code-point order (semantics 2). JavaScript's own order is by
 * UTF-16 units and differs for a character outside the BMP beside one in U+E000–U+FFFF.
 */
export function compareUtf8(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const left = a.charCodeAt(at);
    const right = b.charCodeAt(at);
    if (left !== right) return rank(left) - rank(right);
  }
  return a.length - b.length;
}

/** Moves surrogates above the rest of the BMP, where the characters they stand for belong. */
function rank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit >= 0xe000 ? unit - 0x800 : unit + 0x2000;
}
