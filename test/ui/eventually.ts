const PATIENCE_MS = 20_000;
const PAUSE_MS = 50;

/** Waits until a check no longer throws and gives what it gives; fails with the check's own last complaint. */
export async function eventually<T>(check: () => Promise<T> | T): Promise<T> {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > end) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
