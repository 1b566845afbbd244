// Makes screenshots small: at most 256 colours, which a window of text and flat surfaces can spare without a visible
// change, and the best compression. Reads what a browser writes: 8 bits a channel, RGB or RGBA, not interlaced.
import { crc32, deflateSync, inflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const PALETTE_SIZE = 256;
/** The most frequent colours stay exact; the rest of the palette is for those that are farthest from all others. */
const EXACT = 128;

/** Gives the same picture as a PNG with a palette. */
export function shrinkPng(png) {
  const { width, height, pixels } = readPng(png);
  const counts = new Map();
  for (const colour of pixels) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const palette = choosePalette(counts);
  const indexes = new Map([...counts.keys()].map((colour) => [colour, indexOfNearest(palette, colour)]));
  const rows = Buffer.alloc((width + 1) * height);
  pixels.forEach((colour, at) => {
    rows[at + Math.floor(at / width) + 1] = indexes.get(colour);
  });
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3], 8);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flatMap(channels))),
    chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function choosePalette(counts) {
  const colours = [...counts]
    .map(([colour, count]) => ({ colour, count, error: Infinity }))
    .sort((a, b) => b.count - a.count);
  const need = ({ count, error }) => error * Math.sqrt(count);
  const palette = [];
  while (palette.length < Math.min(PALETTE_SIZE, colours.length)) {
    const { colour } =
      palette.length < EXACT
        ? colours[palette.length]
        : colours.reduce((a, b) => (need(b) > need(a) ? b : a));
    palette.push(colour);
    for (const entry of colours) entry.error = Math.min(entry.error, distance(entry.colour, colour));
  }
  return palette;
}

function indexOfNearest(palette, colour) {
  const distances = palette.map((other) => distance(colour, other));
  return distances.indexOf(Math.min(...distances));
}

function distance(a, b) {
  const other = channels(b);
  return channels(a).reduce((sum, value, channel) => sum + (value - other[channel]) ** 2, 0);
}

function channels(colour) {
  return [colour >> 16, (colour >> 8) & 255, colour & 255];
}

/** The pixels as numbers 0xRRGGBB, row by row. */
function readPng(png) {
  const data = [];
  let header;
  for (let at = SIGNATURE.length; at < png.length;) {
    const length = png.readUInt32BE(at);
    const type = png.toString('latin1', at + 4, at + 8);
    const content = png.subarray(at + 8, at + 8 + length);
    if (type === 'IHDR') header = content;
    if (type === 'IDAT') data.push(content);
    at += length + 12;
  }
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const size = { 2: 3, 6: 4 }[header[9]];
  if (header[8] !== 8 || size === undefined || header[12] !== 0)
    throw new Error('This PNG is of another kind.');
  const bytes = unfilter(inflateSync(Buffer.concat(data)), width * size, height, size);
  const pixels = new Uint32Array(width * height).map(
    (_, at) => (bytes[at * size] << 16) | (bytes[at * size + 1] << 8) | bytes[at * size + 2],
  );
  return { width, height, pixels };
}

/** Undoes the prediction of each row from its neighbours (PNG specification, section 9). */
function unfilter(rows, rowLength, height, size) {
  const bytes = Buffer.alloc(rowLength * height);
  for (let y = 0; y < height; y++) {
    const from = y * (rowLength + 1);
    const to = y * rowLength;
    for (let x = 0; x < rowLength; x++) {
      const left = x < size ? 0 : bytes[to + x - size];
      const above = y === 0 ? 0 : bytes[to + x - rowLength];
      const corner = x < size || y === 0 ? 0 : bytes[to + x - rowLength - size];
      bytes[to + x] = rows[from + 1 + x] + predict(rows[from], left, above, corner);
    }
  }
  return bytes;
}

function predict(filter, left, above, corner) {
  if (filter === 0) return 0;
  if (filter === 1) return left;
  if (filter === 2) return above;
  if (filter === 3) return (left + above) >> 1;
  const [toLeft, toAbove, toCorner] = [above - corner, left - corner, left + above - 2 * corner].map(
    Math.abs,
  );
  if (toLeft <= toAbove && toLeft <= toCorner) return left;
  return toAbove <= toCorner ? above : corner;
}

function chunk(type, content) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const frame = Buffer.alloc(4);
  frame.writeUInt32BE(content.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([frame, body, checksum]);
}
