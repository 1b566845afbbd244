import type { Lines, Position } from '../json/lines';
import type { Range } from '../problems';

/** A range in a document, self-contained: by offsets for edits, by line and column for people. */
export interface Place extends Range {
  readonly uri: string;
  readonly from: Position;
  readonly to: Position;
}

/** A document's text under its address. The address is opaque to the engine. */
export interface Source {
  readonly uri: string;
  readonly text: string;
  readonly lines: Lines;
}

export function placeIn(source: Source, range: Range): Place {
  return {
    uri: source.uri,
    start: range.start,
    end: range.end,
    from: source.lines.at(range.start),
    to: source.lines.at(range.end),
  };
}
