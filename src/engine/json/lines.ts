/** A place in a text: line and column from 0, columns in UTF-16 units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Where the lines of a text begin. Lines end at `\n`, `\r\n` or `\r`, as in the editor. */
export class Lines {
  private starts: Uint32Array | undefined;

  constructor(private readonly text: string) {}

  /** The position of an offset; an offset outside the text is moved to its nearest end. */
  at(offset: number): Position {
    const target = Math.min(Math.max(offset, 0), this.text.length);
    // Found when first asked for: most texts are read without a single position.
    const starts = (this.starts ??= lineStarts(this.text));
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= target) low = middle;
      else high = middle - 1;
    }
    return { line: low, column: target - (starts[low] ?? 0) };
  }
}

function lineStarts(text: string): Uint32Array {
  if (text.includes('\r')) {
    return Uint32Array.from([
      0,
      ...Array.from(text.matchAll(/\r\n|\n|\r/g), (match) => match.index + match[0].length),
    ]);
  }
  let count = 1;
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) count++;
  const starts = new Uint32Array(count);
  let line = 1;
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) starts[line++] = end + 1;
  return starts;
}
