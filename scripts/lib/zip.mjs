// Reads a zip archive (a .vsix is one): its list of files and what is in them.
import fs from 'node:fs';
import path from 'node:path';
import { inflateRawSync } from 'node:zlib';

const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
const STORED = 0;

/** The files of an archive: `{ name, compressedSize, size, read() }`. Folders are left out. */
export function readZip(file) {
  const zip = fs.readFileSync(file);
  const end = zip.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  if (end < 0 || zip.readUInt32LE(end) !== END_OF_DIRECTORY) throw new Error(`${file} is not a zip archive.`);
  const entries = [];
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    if (zip.readUInt32LE(at) !== DIRECTORY_ENTRY) throw new Error(`${file} has a broken directory.`);
    const nameLength = zip.readUInt16LE(at + 28);
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength);
    const entry = {
      name,
      method: zip.readUInt16LE(at + 10),
      compressedSize: zip.readUInt32LE(at + 20),
      size: zip.readUInt32LE(at + 24),
      headerAt: zip.readUInt32LE(at + 42),
    };
    if (!name.endsWith('/')) entries.push({ ...entry, read: () => readEntry(zip, entry) });
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return entries;
}

function readEntry(zip, { method, compressedSize, headerAt }) {
  // The local header repeats the name and may carry another extra field than the directory does.
  const start = headerAt + 30 + zip.readUInt16LE(headerAt + 26) + zip.readUInt16LE(headerAt + 28);
  const data = zip.subarray(start, start + compressedSize);
  return method === STORED ? data : inflateRawSync(data);
}

/** Writes the files below one folder of an archive into a folder on disk. */
export function unpackZip(file, prefix, target) {
  for (const entry of readZip(file)) {
    if (!entry.name.startsWith(prefix)) continue;
    const destination = path.join(target, entry.name.slice(prefix.length));
    if (!destination.startsWith(target + path.sep)) throw new Error(`${entry.name} leads out of the folder.`);
    fs.mkdirSync(path.dirname(destination), { recursive: true });
    fs.writeFileSync(destination, entry.read());
  }
}
