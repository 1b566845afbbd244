import type { Range } from '../problems';

export type JsonPath = readonly (string | number)[];

const NONE = -1;

/** The numbers of a row: where a value starts and ends, where its key starts, and the row behind all it holds. */
const START = 0;
const END = 1;
const KEY = 2;
const NEXT = 3;
const WIDTH = 4;

/**
 * Where every value of a JSON text stands: one row of numbers a value, in the order of the text. A node is a row's
 * index; the root is 0. This is the whole price of positions: no object is kept per value.
 */
export class JsonNodes {
  constructor(
    private readonly text: string,
    private readonly rows: Int32Array,
  ) {}

  /** The range of a value's text. */
  range(node: number): Range {
    return { start: this.at(node, START), end: this.at(node, END) };
  }

  /** The range of the key a value stands under; of the opening bracket for a value without a key. */
  keyRange(node: number): Range {
    const start = this.at(node, KEY);
    if (start !== NONE) return { start, end: endOfString(this.text, start) };
    const open = this.at(node, START);
    return { start: open, end: Math.min(open + 1, this.text.length) };
  }

  /** The values directly inside an object or an array, in the order of the text. */
  children(node: number): number[] {
    const found: number[] = [];
    const end = this.at(node, NEXT);
    for (let child = node + 1; child < end; child = this.at(child, NEXT)) found.push(child);
    return found;
  }

  /** The key a value stands under, decoded; null for the root and for items of arrays. */
  key(node: number): string | null {
    const start = this.at(node, KEY);
    if (start === NONE) return null;
    const decoded: unknown = JSON.parse(this.text.slice(start, endOfString(this.text, start)));
    return typeof decoded === 'string' ? decoded : null;
  }

  /** The last value under a key (as the parsers keep it), or null. */
  property(node: number, key: string): number | null {
    return this.children(node).findLast((child) => this.key(child) === key) ?? null;
  }

  /**
   * The node at a path from `from`, or the nearest enclosing one when the path leaves the document.
   * Output: the node and whether the whole path was found.
   */
  resolve(path: JsonPath, from = 0): { node: number; found: boolean } {
    let node = from;
    for (const step of path) {
      const child = typeof step === 'number' ? this.children(node)[step] : this.property(node, step);
      if (child === null || child === undefined) return { node, found: false };
      node = child;
    }
    return { node, found: true };
  }

  /** The range of the value at a path, or of the enclosing key when the value is missing (cli.md, positions). */
  rangeAt(path: JsonPath, from = 0): Range {
    const { node, found } = this.resolve(path, from);
    return found ? this.range(node) : this.keyRange(node);
  }

  private at(node: number, what: number): number {
    return this.rows[node * WIDTH + what] ?? 0;
  }
}

/** Collects the rows of {@link JsonNodes} while a text is visited. */
export class NodeCollector {
  private rows = new Int32Array(WIDTH * 256);
  private count = 0;
  private readonly open: number[] = [];
  private pendingKey = NONE;

  get depth(): number {
    return this.open.length;
  }

  key(offset: number): void {
    this.pendingKey = offset;
  }

  begin(offset: number): void {
    this.open.push(this.add(offset, offset + 1));
  }

  end(offset: number): void {
    const node = this.open.pop();
    if (node === undefined) return;
    this.rows[node * WIDTH + END] = offset;
    this.rows[node * WIDTH + NEXT] = this.count;
  }

  literal(offset: number, length: number): void {
    this.add(offset, offset + length);
  }

  /** The rows as they are, packed. */
  nodes(text: string): JsonNodes {
    return new JsonNodes(text, this.rows.slice(0, this.count * WIDTH));
  }

  private add(start: number, end: number): number {
    const at = this.count * WIDTH;
    if (at === this.rows.length) {
      const larger = new Int32Array(this.rows.length * 2);
      larger.set(this.rows);
      this.rows = larger;
    }
    this.rows[at + START] = start;
    this.rows[at + END] = end;
    this.rows[at + KEY] = this.pendingKey;
    this.rows[at + NEXT] = this.count + 1;
    this.pendingKey = NONE;
    return this.count++;
  }
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const char = text[at];
    if (char === '\\') at++;
    else if (char === '"') return at + 1;
  }
  return text.length;
}
