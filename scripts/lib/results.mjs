// The counts that mocha runs leave (see results-reporter.cjs), and their sum.
import fs from 'node:fs';
import path from 'node:path';
import { Interrupted, Problem, ROOT, say } from './process.mjs';

export const RESULTS_REPORTER = path.join(ROOT, 'scripts/lib/results-reporter.cjs');
export const NO_RESULTS = { passed: 0, failed: 0, skipped: 0 };

/**
 * The counts of one run. A run that did not come to its end, ended badly without a failed test, or had no test at
 * all counts as one more failure, so that it is never mistaken for a good one.
 */
export function readResults(name, file, exitCode, { mayBeEmpty = false } = {}) {
  const counts = fs.existsSync(file)
    ? JSON.parse(fs.readFileSync(file, 'utf8'))
    : { ...NO_RESULTS, finished: false };
  const problem = describeProblem(counts, exitCode, mayBeEmpty);
  if (problem === undefined) return counts;
  say(`${name}: ${problem} This counts as a failure.`);
  return { ...counts, failed: counts.failed + 1 };
}

function describeProblem({ passed, failed, skipped, finished }, exitCode, mayBeEmpty) {
  if (!finished) return `the run did not come to its end (${exitCode}).`;
  if (passed + failed + skipped === 0 && !mayBeEmpty) return 'no test was run.';
  if (exitCode !== 0 && failed === 0) return `the run ended with ${exitCode}, though no test failed.`;
  return undefined;
}

export function addResults(a, b) {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped };
}

/** The counts of a part; one that cannot be carried out counts as one failure. */
export async function countFailure(name, part) {
  try {
    return await part();
  } catch (error) {
    if (error instanceof Interrupted) throw error;
    say(`${name} could not be carried out: ${error instanceof Problem ? error.message : error.stack}`);
    return { ...NO_RESULTS, failed: 1 };
  }
}
