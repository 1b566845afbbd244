/** Up to this many keys a list is faster to search than a set, and most objects have no more. */
const FEW = 12;

/** The keys seen so far in each collection that is open while a text is visited; arrays simply have none. */
export class OpenKeys {
  private readonly levels: { few: string[]; many: Set<string> | null }[] = [];
  private depth = -1;

  open(): void {
    this.depth++;
    const level = this.levels[this.depth];
    if (level === undefined) {
      this.levels.push({ few: [], many: null });
    } else {
      level.few.length = 0;
      level.many = null;
    }
  }

  close(): void {
    this.depth--;
  }

  /** Notes a key of the innermost collection; false when it was there already. */
  add(key: string): boolean {
    const level = this.levels[this.depth];
    if (level === undefined) return true;
    if (level.many !== null ? level.many.has(key) : level.few.includes(key)) return false;
    if (level.many !== null) level.many.add(key);
    else if (level.few.push(key) > FEW) level.many = new Set(level.few);
    return true;
  }
}
