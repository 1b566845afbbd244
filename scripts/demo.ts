// Makes fixtures/workspaces/demo from raw tools/list captures: digests and tool names only, never their text.
// Usage: npx tsx scripts/demo.ts CAPTURES, a folder with SERVER/VERSION.tools.json files.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sha256 } from '../src/desktop/sha256';
import { own } from '../src/engine/manifest/check';
import { produce } from '../src/engine/manifest/produce';
import { printRecord } from '../src/engine/manifest/record';
import { readText } from '../src/engine/manifest/read';
import type { Completeness } from '../src/engine/manifest/schema';
import { planPromotion } from '../src/engine/promote/plan';

const captures = process.argv[2];
if (captures === undefined) throw new Error('Name the folder of captures.');
const demo = join(import.meta.dirname, '../fixtures/workspaces/demo');

function observe(
  server: string,
  version: string,
  completeness: Completeness = 'complete',
  limit?: number,
): string {
  const capture: unknown = JSON.parse(
    readFileSync(join(captures ?? '', server, `${version}.tools.json`), 'utf8'),
  );
  const tools = own(capture, 'tools');
  if (!Array.isArray(tools)) throw new Error(`${server} ${version} has no tools.`);
  return printRecord(produce(tools.slice(0, limit), server, completeness, sha256));
}

function approve(record: string): string {
  const document = readText('approved.observed.json', record);
  if (document?.kind !== 'observed') throw new Error('This is no observed manifest.');
  const plan = planPromotion(document, { declared: null, policy: null, newBaseline: 'new' }, null, sha256);
  const text = typeof plan === 'string' ? undefined : plan.files[0]?.after;
  if (text === undefined) throw new Error(`The observation cannot be approved: ${JSON.stringify(plan)}`);
  return text;
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(demo, path)), { recursive: true });
  writeFileSync(join(demo, path), text);
}

function digestOf(record: string): string {
  return String(own(own(JSON.parse(record), 'observed'), 'manifest_digest'));
}

rmSync(demo, { recursive: true, force: true });
for (const [server, before, after] of [
  ['filesystem', '2025.12.18', '2026.8.31'],
  ['playwright', '0.0.56', '0.0.83'],
  ['github', 'v1.5.0', 'v1.9.0'],
  ['memory', '2026.8.31', '2026.8.31'],
] as const) {
  write(`baselines/${server}.declared.json`, approve(observe(server, before)));
  write(`observed/${server}.observed.json`, observe(server, after));
}
// Pagination broke off after 60 of 108 tools.
write('baselines/okta.declared.json', approve(observe('okta', '2026-06-24')));
write('observed/okta.observed.json', observe('okta', '2026-06-24', 'partial', 60));
// Never approved.
write('observed/everything.observed.json', observe('everything', '2026.8.31'));
// Approved by one overall digest only.
write('observed/kubernetes.observed.json', observe('kubernetes', 'v0.0.66'));
write(
  'mcp-policy.yaml',
  `# Coarse baselines: one digest for all tools of a server.\ndeclared_mcp_manifests:\n  kubernetes:\n    # v0.0.63, approved in June\n    manifest_digest: "${digestOf(observe('kubernetes', 'v0.0.63'))}"\n`,
);
