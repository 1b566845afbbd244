/** A place in a text: line and column from 0, columns in UTF-16 units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Where the lines of a text begin. Lines end at `\n`, `\r\n` or `\r`, as in the editor. */
export class Lines {
  private readonly starts: Uint32Array;

  constructor(private readonly text: string) {
    const starts = [0];
    for (const match of text.matchAll(/\r\n|\n|\r/g)) starts.push(match.index + match[0].length);
    this.starts = Uint32Array.from(starts);
  }

  /** The position of an offset; an offset outside the text is moved to its nearest end. */
  at(offset: number): Position {
    const target = Math.min(Math.max(offset, 0), this.text.length);
    let low = 0;
    let high = this.starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.starts[middle] ?? 0) <= target) low = middle;
      else high = middle - 1;
    }
    return { line: low, column: target - (this.starts[low] ?? 0) };
  }
}
