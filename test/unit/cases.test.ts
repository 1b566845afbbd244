import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CaseWriter } from '../support/caseWriter';
import { loadCases, reduceReport } from '../support/cases';
import { definitions } from '../support/definitions/all';
import { judgeFolder } from '../support/judge';

const folder = join(import.meta.dirname, '../../fixtures/cases');
const cases = loadCases(folder);

describe('cases of the specification', () => {
  for (const one of cases) {
    it(one.name, async () => {
      assert.deepEqual(await judgeFolder(one), reduceReport(one.expected));
    });
  }

  it('are what scripts/cases.ts writes', () => {
    assert.deepEqual(
      cases.map(({ name }) => name),
      definitions()
        .map(([name]) => name)
        .sort(),
    );
    for (const [name, fill] of definitions()) {
      const written = new CaseWriter(name);
      fill(written);
      const files: [string, string | Uint8Array][] = [...written.files];
      files.push(['expected.json', `${JSON.stringify(written.expected, null, 2)}\n`]);
      for (const [path, content] of files) {
        assert.deepEqual(readFileSync(join(folder, name, path)), Buffer.from(content), `${name}/${path}`);
      }
    }
  });
});
