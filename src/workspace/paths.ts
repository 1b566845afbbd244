import { compareUtf8 } from '../engine/canon/order';

/** A folder whose documents belong together: a workspace folder, or a folder named on the command line. */
export interface Folder {
  /** Address without a trailing slash. */
  readonly uri: string;
  readonly name: string;
}

/** Whether an address lies inside a folder. */
export function isInside(folder: Folder, uri: string): boolean {
  return uri.startsWith(`${folder.uri}/`);
}

/** The innermost of the folders that holds an address. */
export function folderOf(folders: readonly Folder[], uri: string): Folder | undefined {
  return folders
    .filter((folder) => isInside(folder, uri))
    .reduce<Folder | undefined>(
      (best, next) => (best && best.uri.length >= next.uri.length ? best : next),
      undefined,
    );
}

/** The path of an address inside a folder, decoded, as globs and people write it. */
export function relativePath(folder: Folder, uri: string): string {
  return decoded(uri.slice(folder.uri.length + 1));
}

/** The order of two addresses by the paths they stand for. */
export function compareUris(a: string, b: string): number {
  return compareUtf8(decoded(a), decoded(b));
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** The address of a path written relative to a folder; `./` and `../` are resolved. */
export function resolvePath(folder: Folder, path: string): string {
  const steps: string[] = [];
  for (const step of path.replaceAll('\\', '/').split('/')) {
    if (step === '..') steps.pop();
    else if (step !== '.' && step !== '') steps.push(encodeURIComponent(step));
  }
  return `${folder.uri}/${steps.join('/')}`;
}

/** How many folders, from the top, two addresses have in common (semantics 9, "nearest"). */
export function commonDepth(a: string, b: string): number {
  const left = a.split('/').slice(0, -1);
  const right = b.split('/').slice(0, -1);
  const different = left.findIndex((step, index) => step !== right[index]);
  return different < 0 ? left.length : different;
}
