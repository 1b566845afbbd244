import { problem, type Problem } from '../problems';

const NAMES_BY_BOM: readonly (readonly [bytes: readonly number[], name: string])[] = [
  [[0xff, 0xfe, 0, 0], 'UTF-32LE'],
  [[0, 0, 0xfe, 0xff], 'UTF-32BE'],
  [[0xff, 0xfe], 'UTF-16LE'],
  [[0xfe, 0xff], 'UTF-16BE'],
];

/** A text read from bytes; `lossy` is set when the bytes were no UTF-8 and the text only serves to tell the kind. */
export interface Decoded {
  readonly text: string;
  readonly lossy?: Problem;
}

/**
 * Decodes a file's bytes (semantics 1, reading rules). UTF-8 with or without a byte-order mark gives its text, the
 * mark left out. Anything else gives one problem that names the encoding, never an exception.
 */
export function decodeUtf8(bytes: Uint8Array): Decoded {
  const encoding = foreignEncoding(bytes);
  if (encoding === null) {
    try {
      return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
    } catch {
      return lossy(bytes, 'unknown');
    }
  }
  return lossy(bytes, encoding);
}

function lossy(bytes: Uint8Array, encoding: string): Decoded {
  // NUL bytes drop out, so that a schema id written in UTF-16 or UTF-32 is still found in the text.
  const text = new TextDecoder('latin1').decode(bytes).replaceAll('\0', '');
  return { text, lossy: problem('encoding_not_utf8', { start: 0, end: 0 }, { encoding }) };
}

function foreignEncoding(bytes: Uint8Array): string | null {
  for (const [mark, name] of NAMES_BY_BOM) {
    if (bytes.length >= mark.length && mark.every((byte, index) => bytes[index] === byte)) return name;
  }
  // JSON and YAML begin with an ASCII character: a NUL beside it means two bytes a character.
  if (bytes.length >= 2 && bytes[0] !== 0 && bytes[1] === 0) return 'UTF-16LE';
  if (bytes.length >= 2 && bytes[0] === 0 && bytes[1] !== 0) return 'UTF-16BE';
  return null;
}
