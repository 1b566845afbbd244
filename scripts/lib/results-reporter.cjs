'use strict';
// A mocha reporter that shows what one of mocha's own shows (reporter option `show`: 'Spec' or 'Dot') and keeps
// the counts in a file (`results`), up to date after every test: a run that dies leaves what it had reached.
const fs = require('node:fs');
const Mocha = require('mocha');

const { EVENT_TEST_PASS, EVENT_TEST_FAIL, EVENT_TEST_PENDING, EVENT_RUN_END } = Mocha.Runner.constants;

module.exports = class ResultsReporter {
  constructor(runner, options) {
    const { show, results } = options.reporterOptions;
    const shown = new Mocha.reporters[show](runner, options);
    this.done = shown.done?.bind(shown);

    const counts = { passed: 0, failed: 0, skipped: 0, finished: false };
    const count = (event, change) =>
      runner.on(event, () => {
        change();
        fs.writeFileSync(results, JSON.stringify(counts));
      });
    count(EVENT_TEST_PASS, () => counts.passed++);
    count(EVENT_TEST_FAIL, () => counts.failed++);
    count(EVENT_TEST_PENDING, () => counts.skipped++);
    count(EVENT_RUN_END, () => (counts.finished = true));
  }
};
