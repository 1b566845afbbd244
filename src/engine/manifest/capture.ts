import { readJson } from '../json/reader';
import { isFatal, type Problem } from '../problems';
import { own } from './check';

/** What a raw tools/list capture holds: the definitions of all its pages, untouched. */
export interface Capture {
  readonly definitions: readonly unknown[];
  /** Whether the last page says that there is another one, so that the list was not seen to its end. */
  readonly pending: boolean;
  /** Lines and messages that are no tools/list result and were passed over. */
  readonly skipped: number;
  /** What is read all the same, but is worth knowing. */
  readonly cautions: readonly Problem[];
}

/** Why a text is no capture: coded, with an offset in the text. */
export type CaptureError = { readonly offset: number } & (
  | { readonly code: 'problem'; readonly problem: Problem }
  | { readonly code: 'not a capture'; readonly found: string }
  | { readonly code: 'tools is no array'; readonly found: string }
  | { readonly code: 'no tools result'; readonly skipped: number }
  | { readonly code: 'no chain'; readonly page: number; readonly pages: number }
);

/** A piece of JSON in a text, and where it begins. */
interface Piece {
  readonly offset: number;
  readonly text: string;
}

/**
 * Reads a raw capture in any accepted form (semantics 4): a result, a bare array of tools, one JSON-RPC response,
 * several as an array or as JSON Lines, or the `data:` lines of an SSE dump. Never throws and never guesses: any other
 * text is an error that says what was found.
 */
export function readCapture(text: string): Capture | CaptureError {
  const events = eventData(text);
  if (events !== null) return readPieces(events, 0);
  const lines = jsonLines(text);
  if (lines !== null) return readPieces(lines.pieces, lines.skipped);
  const whole = readPiece({ offset: 0, text });
  if ('code' in whole) return whole;
  if (isBareArray(whole.value)) {
    return { definitions: whole.value, pending: false, skipped: 0, cautions: whole.cautions };
  }
  return collect([{ offset: 0, ...whole }], 0, whole.value);
}

export function isCaptureError(capture: Capture | CaptureError): capture is CaptureError {
  return 'code' in capture;
}

interface Read {
  readonly value: unknown;
  readonly cautions: readonly Problem[];
}

function readPiece({ offset, text }: Piece): Read | CaptureError {
  const { value, problems } = readJson(text);
  const fatal = problems.find((problem) => isFatal([problem]));
  if (fatal !== undefined) return { code: 'problem', problem: fatal, offset: offset + fatal.start };
  return { value, cautions: problems };
}

function readPieces(pieces: readonly Piece[], skippedLines: number): Capture | CaptureError {
  const read: (Read & { readonly offset: number })[] = [];
  for (const piece of pieces) {
    const one = readPiece(piece);
    if ('code' in one) return one;
    read.push({ ...one, offset: piece.offset });
  }
  return collect(read, skippedLines);
}

/** Joins the pages of all messages into one chain. `whole` is the value of a text that is one JSON value. */
function collect(
  read: readonly (Read & { readonly offset: number })[],
  skippedLines: number,
  whole?: unknown,
): Capture | CaptureError {
  const pages: { offset: number; tools: readonly unknown[]; more: boolean }[] = [];
  let skipped = skippedLines;
  for (const { value, offset } of read) {
    for (const message of Array.isArray(value) ? (value as readonly unknown[]) : [value]) {
      const result = own(message, 'result') ?? message;
      const tools = own(result, 'tools');
      if (tools === undefined) skipped++;
      else if (!Array.isArray(tools)) return { code: 'tools is no array', found: describe(tools), offset };
      else pages.push({ offset, tools, more: (own(result, 'nextCursor') ?? null) !== null });
    }
  }
  const last = pages.at(-1);
  if (last === undefined) {
    if (whole !== undefined) return { code: 'not a capture', found: describe(whole), offset: 0 };
    return { code: 'no tools result', skipped, offset: 0 };
  }
  // Every page but the last has to name the next one; otherwise these are answers to different questions.
  const broken = pages.findIndex((page) => page !== last && !page.more);
  if (broken >= 0) {
    return { code: 'no chain', page: broken + 1, pages: pages.length, offset: pages[broken]?.offset ?? 0 };
  }
  return {
    definitions: pages.flatMap(({ tools }) => tools),
    pending: last.more,
    skipped,
    cautions: read.flatMap(({ cautions }) => cautions),
  };
}

/** A bare array is one of tools unless its items are JSON-RPC messages or results. */
function isBareArray(value: unknown): value is readonly unknown[] {
  const isMessage = (item: unknown) =>
    ['jsonrpc', 'result', 'tools'].some((key) => own(item, key) !== undefined) &&
    own(item, 'name') === undefined;
  return Array.isArray(value) && !value.some(isMessage);
}

/** The data of each event of an SSE dump; null when the text is none. */
function eventData(text: string): Piece[] | null {
  const lines = linesOf(text);
  const isField = ({ text: line }: Piece) => line === '' || /^(?:data|event|id|retry)?:/.test(line);
  if (!lines.some(({ text: line }) => line.startsWith('data:')) || !lines.every(isField)) return null;
  const pieces: Piece[] = [];
  let data: Piece[] = [];
  for (const { offset, text: line } of [...lines, { offset: text.length, text: '' }]) {
    const [field = ''] = /^data: ?/.exec(line) ?? [];
    if (field !== '') data.push({ offset: offset + field.length, text: line.slice(field.length) });
    if (line !== '') continue;
    const joined = data.map((piece) => piece.text).join('\n');
    if (joined.trim() !== '') pieces.push({ offset: data[0]?.offset ?? 0, text: joined });
    data = [];
  }
  return pieces;
}

/** The JSON lines of a text that is not one JSON value but has lines that are; null when it has none. */
function jsonLines(text: string): { pieces: Piece[]; skipped: number } | null {
  const lines = linesOf(text).filter(({ text: line }) => line.trim() !== '');
  const candidates = lines.filter(({ text: line }) => /^\s*[[{]/.test(line));
  const [first] = candidates;
  if (first === undefined || lines.length < 2) return null;
  // A text whose first candidate is no JSON by itself is one value spread over lines, right or wrong.
  if (readJson(first.text).value === undefined) return null;
  return { pieces: candidates, skipped: lines.length - candidates.length };
}

function linesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  for (const match of text.matchAll(/[^\r\n]*(?:\r\n|\n|\r|$)/g)) {
    if (match[0] !== '') pieces.push({ offset: match.index, text: match[0].replace(/[\r\n]+$/, '') });
  }
  return pieces;
}

/** What a value is, for the error: its type, and the first keys of an object. */
function describe(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array without tools/list results';
  if (typeof value !== 'object') return `a ${typeof value}`;
  if (own(value, 'error') !== undefined && own(value, 'jsonrpc') !== undefined)
    return 'a JSON-RPC error response';
  const keys = Object.keys(value);
  if (keys.length === 0) return 'an empty object';
  return `an object with ${keys
    .slice(0, 5)
    .map((key) => JSON.stringify(key))
    .join(', ')}${keys.length > 5 ? ', …' : ''}`;
}
