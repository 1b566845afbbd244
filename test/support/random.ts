/** Repeatable random numbers from 0 to below 1 (mulberry32); a test prints its seed. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** One of several. */
export function pick<T>(random: () => number, [first, ...rest]: readonly [T, ...T[]]): T {
  return [first, ...rest][Math.floor(random() * (rest.length + 1))] ?? first;
}

/** A text with a few pieces taken out, put in, doubled or swapped. */
export function mutate(random: () => number, text: string, pieces: readonly [string, ...string[]]): string {
  let mutated = Array.from(text);
  for (let count = 1 + Math.floor(random() * 4); count > 0; count--) {
    const at = Math.floor(random() * (mutated.length + 1));
    const length = Math.floor(random() * 8);
    const piece = Array.from(pick(random, pieces));
    const change = pick(random, ['take', 'put', 'double', 'replace', 'cut'] as const);
    if (change === 'take') mutated.splice(at, length);
    else if (change === 'put') mutated.splice(at, 0, ...piece);
    else if (change === 'double') mutated.splice(at, 0, ...mutated.slice(at, at + length * 8));
    else if (change === 'replace') mutated.splice(at, length, ...piece);
    else mutated = mutated.slice(0, at);
  }
  return mutated.join('');
}
