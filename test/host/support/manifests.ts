import { sha256 } from '../../../src/desktop/sha256';
import { digestManifest, FIELDS, MANIFEST_PROJECTION } from '../../../src/engine/canon/digests';
import { classify } from '../../../src/engine/manifest/privilege';

/** A tool of a test, told by the values of its fields; every value has a digest of its own. */
export interface TestTool {
  readonly name: string;
  /** Changes all of the tool's digests that are not given otherwise. */
  readonly version?: number;
  readonly fields?: Partial<Record<(typeof FIELDS)[number], number>>;
}

/** An entry of a manifest: made-up digests that differ where the tool's values differ. */
function entry({ name, version = 1, fields = {} }: TestTool) {
  const values = FIELDS.map((field) => [field, fields[field] ?? version] as const);
  const digest = (...what: readonly unknown[]) => `sha256:${sha256(JSON.stringify(what))}`;
  return {
    name,
    tool_digest: digest(name, values),
    ...classify(name),
    field_digests: Object.fromEntries(values.map(([field, value]) => [field, digest(name, field, value)])),
  };
}

/** The text of an observed manifest. */
export function observedText(server: string, tools: readonly TestTool[], completeness = 'complete'): string {
  const entries = tools.map(entry);
  return print({
    schema: 'assay.mcp_manifest_observed.v0',
    status: 'observed',
    server: { id: server },
    observed: {
      manifest_digest: digestManifest(entries, sha256),
      canonicalization: MANIFEST_PROJECTION,
      tool_count: entries.length,
      privileged_tool_count: entries.filter(({ privileged }) => privileged).length,
      tools_list_observed: true,
      tools_list_complete: completeness,
      tool_digests: entries,
    },
  });
}

/** The text of a per-tool baseline. */
export function declaredText(server: string, tools: readonly TestTool[]): string {
  const entries = tools.map(entry);
  return print({
    schema: 'assay.declared_mcp_manifest.v0',
    server: { id: server },
    canonicalization: MANIFEST_PROJECTION,
    manifest_digest: digestManifest(entries, sha256),
    tools: entries,
  });
}

/** The text of a policy that approves these tools by one digest. */
export function policyText(server: string, tools: readonly TestTool[]): string {
  const digest = digestManifest(tools.map(entry), sha256);
  return `# approved in June\ndeclared_mcp_manifests:\n  ${server}:\n    manifest_digest: "${digest}" # keep\n`;
}

/** The line and column (from 0) of the nth occurrence of a part of a text. */
export function positionOf(text: string, part: string, nth = 1): { line: number; character: number } {
  let offset = -1;
  for (let count = 0; count < nth; count++) {
    offset = text.indexOf(part, offset + 1);
    if (offset < 0) throw new Error(`The text does not hold “${part}” ${nth} times.`);
  }
  const before = text.slice(0, offset).split('\n');
  return { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
}

function print(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
