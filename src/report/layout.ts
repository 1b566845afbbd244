/** Columns a terminal is taken to have. */
export const COLUMNS = 80;

/** A blank at which {@link wrap} does not break. */
export const GLUE = '\u{A0}';

/** Breaks a text at blanks into lines of at most `width` characters; a longer word has a line of its own. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.map((line) => line.replaceAll(GLUE, ' '));
}

/** A count with its noun: `1 review`, `2 reviews`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
