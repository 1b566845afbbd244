/** A JSON value; a key whose value is undefined is left out, as `JSON.stringify` does. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

export type Path = readonly (string | number)[];

/** A place as reports print it: from 1, columns in UTF-16 units. */
export interface Spot {
  readonly line: number;
  readonly column: number;
}

/** A JSON text with the places of its values, worked out while it is printed and not by reading it again. */
export interface Layout {
  readonly text: string;
  /** Where a value begins. */
  value(path: Path): Spot;
  /** Where the key of a value begins. */
  key(path: Path): Spot;
}

/** Prints a value with two blanks of indentation and a final newline, and remembers where everything stands. */
export function layOut(root: Json): Layout {
  const values = new Map<string, number>();
  const keys = new Map<string, number>();
  let text = '';
  const print = (value: Json, path: Path, indent: string): void => {
    values.set(JSON.stringify(path), text.length);
    if (typeof value !== 'object' || value === null) {
      text += JSON.stringify(value);
      return;
    }
    const items: [string | number, Json | undefined][] = isArray(value)
      ? [...value.entries()]
      : Object.entries(value);
    const present = items.filter((item): item is [string | number, Json] => item[1] !== undefined);
    const [open, close] = isArray(value) ? '[]' : '{}';
    text += open ?? '';
    for (const [index, [step, child]] of present.entries()) {
      text += `${index === 0 ? '' : ','}\n${indent}  `;
      if (typeof step === 'string') {
        keys.set(JSON.stringify([...path, step]), text.length);
        text += `${JSON.stringify(step)}: `;
      }
      print(child, [...path, step], `${indent}  `);
    }
    text += `${present.length === 0 ? '' : `\n${indent}`}${close ?? ''}`;
  };
  print(root, [], '');
  text += '\n';
  const spotOf = (places: ReadonlyMap<string, number>, path: Path) => {
    const offset = places.get(JSON.stringify(path));
    if (offset === undefined) throw new Error(`There is nothing at ${JSON.stringify(path)}.`);
    return spotAt(text, offset);
  };
  return { text, value: (path) => spotOf(values, path), key: (path) => spotOf(keys, path) };
}

/** The place of an offset in a text with `\n` line ends. */
export function spotAt(text: string, offset: number): Spot {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 };
}

/** A copy of a value with another value at a path; undefined leaves it out. */
export function withValue(value: Json, [step, ...rest]: Path, replacement: Json | undefined): Json {
  if (step === undefined) {
    if (replacement === undefined) throw new Error('A whole document cannot be left out.');
    return replacement;
  }
  if (isArray(value)) {
    return value.map((item, index) => (index === step ? withValue(item, rest, replacement) : item));
  }
  if (typeof value !== 'object' || value === null) throw new Error(`There is nothing under ${step}.`);
  const entries = Object.entries(value).map(([key, child]): [string, Json | undefined] => {
    if (key !== step) return [key, child];
    return [
      key,
      rest.length === 0 || child === undefined ? replacement : withValue(child, rest, replacement),
    ];
  });
  return Object.fromEntries(entries);
}

function isArray(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
