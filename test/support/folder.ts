import assert from 'node:assert/strict';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A folder of its own for one test, with what is in it; other users may look into it. */
export class TempFolder {
  readonly path = mkdtempSync(join(realpathSync(tmpdir()), 'mcp-manifest-review-'));

  constructor() {
    chmodSync(this.path, 0o755);
  }

  /** Writes a file; a value that is no text is written as JSON. Output: its path. */
  file(name: string, content: object | string): string {
    const path = this.at(name);
    mkdirSync(dirname(path), { recursive: true });
    const raw = typeof content === 'string' || content instanceof Uint8Array;
    writeFileSync(path, raw ? content : `${JSON.stringify(content, null, 2)}\n`);
    return path;
  }

  at(name: string): string {
    return join(this.path, name);
  }

  read(name: string): string {
    return readFileSync(this.at(name), 'utf8');
  }

  /** All names in the folder and below it, sorted. */
  get names(): string[] {
    return readdirSync(this.path, { recursive: true, encoding: 'utf8' }).sort();
  }

  /** Asserts that nothing in the folder is added, taken away or changed while something runs. */
  async unchanged<T>(run: () => Promise<T>): Promise<T> {
    const before = this.contents();
    const result = await run();
    assert.deepEqual(this.contents(), before);
    return result;
  }

  remove(): void {
    rmSync(this.path, { recursive: true });
  }

  private contents(): [name: string, content: string][] {
    return readdirSync(this.path, { recursive: true, withFileTypes: true }).map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [path, entry.isFile() ? readFileSync(path, 'latin1') : ''];
    });
  }
}
