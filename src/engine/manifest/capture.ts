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

/** A piece of JSON in a text, and where its parts stand there: a piece may be joined of several lines. */
interface Piece {
  readonly text: string;
  readonly parts: readonly Part[];
}

/** Part of a piece: `offset` in the whole text, `start` in the piece. */
interface Part {
  readonly start: number;
  readonly offset: number;
}

/**
 * Reads a raw capture in any accepted form (semantics 4): a result, a bare array of tools, one JSON-RPC response,
 * several as an array or as JSON Lines, or the `data:` lines of an SSE dump. Never throws and never guesses: any other
 * text is an error that says what was found.
 */
export function readCapture(text: string): Capture | CaptureError {
  if (startsJson(text)) {
    const whole = readPiece(single(0, text));
    // Only a text that goes on after its first value can be one value a line.
    if (!('code' in whole)) return readWhole(whole);
    return readLines(text) ?? whole;
  }
  const events = eventData(text);
  if (events !== null) return readPieces(events, 0);
  const lines = readLines(text);
  if (lines !== null) return lines;
  const whole = readPiece(single(0, text));
  return 'code' in whole ? whole : readWhole(whole);
}

function readWhole(whole: Read): Capture | CaptureError {
  if (isBareArray(whole.value)) {
    return { definitions: whole.value, pending: false, skipped: 0, cautions: whole.cautions };
  }
  return collect([whole], 0, whole.value);
}

function readLines(text: string): Capture | CaptureError | null {
  const lines = jsonLines(text);
  return lines && readPieces(lines.pieces, lines.skipped);
}

export function isCaptureError(capture: Capture | CaptureError): capture is CaptureError {
  return 'code' in capture;
}

interface Read {
  readonly value: unknown;
  readonly offset: number;
  readonly cautions: readonly Problem[];
}

function readPiece({ text, parts }: Piece): Read | CaptureError {
  const { value, problems } = readJson(text);
  const inWhole = (offset: number) => {
    const part = parts.findLast(({ start }) => start <= offset) ?? { start: 0, offset: 0 };
    return part.offset + offset - part.start;
  };
  const placed = problems.map((problem) => ({
    ...problem,
    start: inWhole(problem.start),
    end: inWhole(problem.end),
  }));
  const fatal = placed.find((problem) => isFatal([problem]));
  if (fatal !== undefined) return { code: 'problem', problem: fatal, offset: fatal.start };
  return { value, cautions: placed, offset: inWhole(0) };
}

function readPieces(pieces: readonly Piece[], skippedLines: number): Capture | CaptureError {
  const read: Read[] = [];
  for (const piece of pieces) {
    const one = readPiece(piece);
    if ('code' in one) return one;
    read.push(one);
  }
  return collect(read, skippedLines);
}

/** Joins the pages of all messages into one chain. `whole` is the value of a text that is one JSON value. */
function collect(read: readonly Read[], skippedLines: number, whole?: unknown): Capture | CaptureError {
  const pages: { offset: number; tools: readonly unknown[]; more: boolean }[] = [];
  let skipped = skippedLines;
  for (const { value, offset } of read) {
    // Among messages an entry that is none could be a tool: it is not passed over.
    if (Array.isArray(value) && value.some(isMessage) && !value.every(isMessage)) {
      return { code: 'not a capture', found: 'an array of messages and other values', offset };
    }
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
  return Array.isArray(value) && !value.some(isMessage);
}

function isMessage(item: unknown): boolean {
  return (
    own(item, 'name') === undefined &&
    ['jsonrpc', 'result', 'error', 'method', 'tools'].some((key) => own(item, key) !== undefined)
  );
}

/** The data of each event of an SSE dump; null when the text is none. */
function eventData(text: string): Piece[] | null {
  const lines = linesOf(text);
  const isField = ({ text: line }: Line) => line === '' || /^(?:data|event|id|retry)?:/.test(line);
  if (!lines.some(({ text: line }) => line.startsWith('data:')) || !lines.every(isField)) return null;
  const pieces: Piece[] = [];
  let data: Line[] = [];
  for (const { offset, text: line } of [...lines, { offset: text.length, text: '' }]) {
    const [field = ''] = /^data: ?/.exec(line) ?? [];
    if (field !== '') data.push({ offset: offset + field.length, text: line.slice(field.length) });
    if (line !== '') continue;
    const piece = joined(data);
    if (piece.text.trim() !== '') pieces.push(piece);
    data = [];
  }
  return pieces;
}

/** The JSON lines among the lines of a text; null when it has none, or is one value spread over lines, right or wrong. */
function jsonLines(text: string): { pieces: Piece[]; skipped: number } | null {
  const lines = linesOf(text).filter(({ text: line }) => line.trim() !== '');
  const candidates = lines.filter(({ text: line }) => startsJson(line));
  const [first] = candidates;
  if (first === undefined || lines.length < 2) return null;
  if (first === lines[0] && readJson(first.text).value === undefined) return null;
  return {
    pieces: candidates.map(({ offset, text: line }) => single(offset, line)),
    skipped: lines.length - candidates.length,
  };
}

function startsJson(text: string): boolean {
  return /^\s*[[{]/.test(text);
}

interface Line {
  readonly offset: number;
  readonly text: string;
}

function single(offset: number, text: string): Piece {
  return { text, parts: [{ start: 0, offset }] };
}

function joined(lines: readonly Line[]): Piece {
  let start = 0;
  const parts = lines.map(({ offset, text }) => {
    const part = { start, offset };
    start += text.length + 1;
    return part;
  });
  return { text: lines.map(({ text }) => text).join('\n'), parts };
}

function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  for (const match of text.matchAll(/[^\r\n]*(?:\r\n|\n|\r|$)/g)) {
    if (match[0] !== '') lines.push({ offset: match.index, text: match[0].replace(/[\r\n]+$/, '') });
  }
  return lines;
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
