import { AssertionError } from 'node:assert/strict';

const PATIENCE_MS = 20_000;
const PAUSE_MS = 50;

/** Waits until no assertion of a check fails and gives what it gives; in the end fails as the check did last. */
export async function eventually<T>(check: () => Promise<T> | T): Promise<T> {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (!(error instanceof AssertionError) || Date.now() > end) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
