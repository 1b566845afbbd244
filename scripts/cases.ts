// Writes fixtures/cases: documents laid out by hand-written definitions, and what the specification expects of them.
// Usage: npx tsx scripts/cases.ts. Expectations never come from the program under test.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CaseWriter } from '../test/support/caseWriter';
import { definitions } from '../test/support/definitions/all';

const folder = join(import.meta.dirname, '../fixtures/cases');

for (const entry of readdirSync(folder, { withFileTypes: true })) {
  if (entry.isDirectory()) rmSync(join(folder, entry.name), { recursive: true });
}
for (const [name, fill] of definitions()) {
  const written = new CaseWriter(name);
  fill(written);
  const expected = `${JSON.stringify(written.expected, null, 2)}\n`;
  for (const [path, content] of [...written.files, ['expected.json', expected] as const]) {
    mkdirSync(dirname(join(folder, name, path)), { recursive: true });
    writeFileSync(join(folder, name, path), content);
  }
}
