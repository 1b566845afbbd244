'use strict';
// Loaded by the extension host in place of the tests (see test-bridge.mjs, which writes bridge.json beside a copy
// of this file). The host's console reaches a browser page only in part and mixed with other lines, so everything
// printed is appended to a file instead, and the start and the end of the tests to another.
const fs = require('fs');
const path = require('path');
const { pathToFileURL } = require('url');
const { format } = require('util');

const { tests, outputFile, eventsFile } = JSON.parse(
  fs.readFileSync(path.join(__dirname, 'bridge.json'), 'utf8'),
);
const output = fs.openSync(outputFile, 'a');
const events = fs.openSync(eventsFile, 'a');

let finished = false;

function print(text) {
  fs.writeSync(output, `${text}\n`);
}

function report(event) {
  fs.writeSync(events, `${JSON.stringify({ event, pid: process.pid })}\n`);
}

for (const method of ['log', 'info', 'debug', 'warn', 'error']) {
  const replacement = (...args) => print(format(...args));
  // The editor made these properties without a setter, and would put its own function back.
  Object.defineProperty(console, method, { configurable: true, get: () => replacement, set() {} });
}
for (const event of ['unhandledRejection', 'uncaughtException']) {
  process.on(event, (error) => {
    if (!finished && error?.name !== 'Canceled') print(`[${event}] ${error?.stack ?? error}`);
  });
}

async function loadTests() {
  try {
    return require(tests);
  } catch (error) {
    if (error.code !== 'ERR_REQUIRE_ESM' && error.code !== 'ERR_REQUIRE_ASYNC_MODULE') throw error;
    return import(pathToFileURL(tests).href);
  }
}

/** Calls the tests as a desktop editor does: run() gives a promise, or takes a callback (error, failures). */
function callTests(run) {
  return new Promise((resolve, reject) => {
    const callback = (error, failures) => {
      if (error) reject(error);
      else if (failures) reject(new Error(`${failures} tests failed`));
      else resolve();
    };
    const result = run(tests, callback);
    if (result?.then) result.then(resolve, reject);
    else if (run.length < 2) resolve();
  });
}

exports.run = async () => {
  let event = 'passed';
  try {
    const loaded = await loadTests();
    const run = loaded.run ?? loaded.default?.run ?? loaded.default;
    if (typeof run !== 'function') throw new Error(`${tests} does not export run().`);
    await callTests(run);
  } catch (error) {
    print(error?.stack ?? String(error));
    event = 'failed';
  }
  finished = true;
  // The launcher goes by this report: thrown on, the editor would print the error a second time.
  report(event);
};

report('started');
