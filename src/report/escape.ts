/**
 * Characters that change how a text looks without being seen (semantics 11): controls, formats (bidirectional and
 * zero-width among them), tags, variation selectors, private and unassigned code points, lone surrogates, and every
 * space that is not the plain one.
 */
const HIDDEN =
  /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Cn}\p{Zl}\p{Zp}\u{115F}\u{1160}\u{3164}\u{FFA0}\u{FE00}-\u{FE0F}\u{E0000}-\u{E0FFF}]|(?! )\p{Zs}/gu;

/** Shows hidden characters of foreign text as visible escapes such as `\u{200B}`; nothing is taken out. */
export function showHidden(text: string): string {
  return text.replace(
    HIDDEN,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`,
  );
}

/** Foreign text for one line of a message: hidden characters shown, at most `length` characters, never nothing. */
export function showName(text: string, length = 120): string {
  if (text === '') return '(empty)';
  const shown = showHidden(text);
  const characters = Array.from(shown);
  return characters.length <= length ? shown : `${characters.slice(0, length - 1).join('')}…`;
}
