// Runs tests inside the extension host of a server and brings back, without loss, what they print and how they end.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const BRIDGE = path.join(path.dirname(fileURLToPath(import.meta.url)), 'test-bridge.cjs');
const POLL_MS = 50;

/** Prepares a folder from which the extension host loads the tests. `entry` is the module to hand to the editor. */
export function createTestBridge(folder, tests) {
  const entry = path.join(folder, 'test-bridge.cjs');
  const outputFile = path.join(folder, 'output.log');
  const eventsFile = path.join(folder, 'events.log');
  fs.copyFileSync(BRIDGE, entry);
  fs.writeFileSync(path.join(folder, 'bridge.json'), JSON.stringify({ tests, outputFile, eventsFile }));
  fs.writeFileSync(outputFile, '');
  fs.writeFileSync(eventsFile, '');

  const output = fs.openSync(outputFile, 'r');
  const chunk = Buffer.alloc(64 * 1024);
  let hostPid;

  function drainOutput() {
    let length;
    while ((length = fs.readSync(output, chunk, 0, chunk.length, null)) > 0) {
      process.stdout.write(Buffer.from(chunk.subarray(0, length)));
    }
  }

  /** The outcome so far: 'passed', 'failed', { crash: reason }, or undefined while the tests run. */
  function readOutcome() {
    // Asked before reading: a host that ends in between has written its outcome first.
    const ended = hostPid !== undefined && !isAlive(hostPid);
    const lines = fs.readFileSync(eventsFile, 'utf8').split('\n').filter(Boolean);
    for (const { event, pid } of lines.map((line) => JSON.parse(line))) {
      if (hostPid !== undefined && pid !== hostPid)
        return { crash: 'The extension host was restarted during the tests.' };
      hostPid = pid;
      if (event !== 'started') return event;
    }
    if (ended) return { crash: 'The extension host ended during the tests.' };
    return undefined;
  }

  return {
    entry,
    drainOutput,
    hasStarted: () => hostPid !== undefined,
    /** Waits for the end of the tests, passing on their output. */
    outcome: () =>
      new Promise((resolve) => {
        const timer = setInterval(() => {
          drainOutput();
          const outcome = readOutcome();
          if (outcome === undefined) return;
          clearInterval(timer);
          resolve(outcome);
        }, POLL_MS);
      }),
  };
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
