import { FIELDS } from '../canon/digests';
import type { JsonNodes } from '../json/nodes';
import type { DeclaredDocument } from '../manifest/documents';
import { printRecord } from '../manifest/record';
import { DECLARED_SCHEMA, type ToolEntry } from '../manifest/schema';

/** What a baseline is to say; unknown keys of an existing baseline stay as they are. */
export interface BaselineContent {
  readonly serverId: string;
  readonly canonicalization: string;
  readonly manifestDigest: string;
  readonly tools: readonly ToolEntry[];
}

type ValidBaseline = DeclaredDocument & { readonly content: NonNullable<DeclaredDocument['content']> };

/** The text of a new baseline (specification, "Baseline: assay.declared_mcp_manifest.v0"). */
export function printBaseline({
  serverId,
  canonicalization,
  manifestDigest,
  tools,
}: BaselineContent): string {
  return printRecord({
    schema: DECLARED_SCHEMA,
    server: { id: serverId },
    canonicalization,
    manifest_digest: manifestDigest,
    tools: tools.map(knownKeys),
  });
}

/**
 * The text of an existing baseline after it is made to say `content` (semantics 10): unknown keys, indentation, line
 * ends and every entry that stays the same are kept to the letter.
 */
export function rewriteBaseline(baseline: ValidBaseline, content: BaselineContent): string {
  const { text } = baseline.source;
  const { nodes, manifest } = baseline.content;
  const edits = [
    {
      ...nodes.rangeAt(['manifest_digest']),
      text: JSON.stringify(content.manifestDigest),
      same: manifest.manifest_digest === content.manifestDigest,
    },
    {
      ...nodes.rangeAt(['canonicalization']),
      text: JSON.stringify(content.canonicalization),
      same: manifest.canonicalization === content.canonicalization,
    },
    { ...nodes.rangeAt(['tools']), text: printTools(baseline, content.tools), same: false },
  ];
  return edits
    .filter((edit) => !edit.same)
    .sort((a, b) => b.start - a.start)
    .reduce((result, edit) => result.slice(0, edit.start) + edit.text + result.slice(edit.end), text);
}

function printTools(baseline: ValidBaseline, tools: readonly ToolEntry[]): string {
  const layout = layoutOf(baseline);
  const { nodes, entryNodes, manifest } = baseline.content;
  const existing = new Map(
    manifest.tools.map((entry, index) => [entry.name, { entry, node: entryNodes[index] ?? 0 }]),
  );
  const printed = tools.map((tool) => {
    const before = existing.get(tool.name);
    if (before === undefined) return printEntry(tool, [], layout);
    const { start, end } = nodes.range(before.node);
    if (sameEntry(before.entry, tool)) return baseline.source.text.slice(start, end);
    return printEntry(tool, unknownProperties(baseline.source.text, nodes, before.node), layout);
  });
  if (printed.length === 0) return '[]';
  return `[${layout.beforeItem}${printed.join(layout.between)}${layout.beforeEnd}]`;
}

/** How the entries of a baseline are laid out, read off the entries that are there. */
interface Layout {
  readonly beforeItem: string;
  readonly between: string;
  readonly beforeEnd: string;
  /** Null when an entry stands on one line. */
  readonly entry: { readonly eol: string; readonly indent: string; readonly unit: string } | null;
}

function layoutOf({ source: { text }, content: { nodes, entryNodes } }: ValidBaseline): Layout {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const unit = /[\r\n]([ \t]+)\S/.exec(text)?.[1] ?? '  ';
  const array = nodes.rangeAt(['tools']);
  const first = entryNodes[0];
  if (first === undefined) {
    if (!/[\r\n]/.test(text.trim())) return { beforeItem: '', between: ',', beforeEnd: '', entry: null };
    const indent = indentAt(text, array.start);
    return {
      beforeItem: eol + indent + unit,
      between: `,${eol}${indent}${unit}`,
      beforeEnd: eol + indent,
      entry: { eol, indent: indent + unit, unit },
    };
  }
  const entry = nodes.range(first);
  const last = nodes.range(entryNodes.at(-1) ?? first);
  const beforeItem = text.slice(array.start + 1, entry.start);
  const beforeEnd = text.slice(last.end, array.end - 1);
  const second = entryNodes[1];
  const between = second === undefined ? `,${beforeItem}` : text.slice(entry.end, nodes.range(second).start);
  const multiline = /[\r\n]/.test(text.slice(entry.start, entry.end));
  return {
    beforeItem,
    between,
    beforeEnd,
    entry: multiline ? { eol, indent: indentAt(text, entry.start), unit } : null,
  };
}

function printEntry(tool: ToolEntry, unknown: readonly string[], { entry }: Layout): string {
  const known = JSON.stringify(knownKeys(tool), null, entry?.unit ?? '');
  const lines = entry === null ? known : known.replaceAll('\n', entry.eol + entry.indent);
  if (unknown.length === 0) return lines;
  const separator = entry === null ? ',' : `,${entry.eol}${entry.indent}${entry.unit}`;
  const end = entry === null ? '}' : `${entry.eol}${entry.indent}}`;
  return lines.slice(0, -end.length) + separator + unknown.join(separator) + end;
}

/** Properties of an entry this version does not know, as they stand in the text. */
function unknownProperties(text: string, nodes: JsonNodes, entry: number): string[] {
  return nodes
    .children(entry)
    .filter((child) => !ENTRY_KEYS.has(nodes.key(child) ?? ''))
    .map((child) => text.slice(nodes.keyRange(child).start, nodes.range(child).end));
}

const ENTRY_KEYS: ReadonlySet<string> = new Set<keyof ToolEntry>([
  'name',
  'tool_digest',
  'privileged',
  'privilege_classification',
  'action_class',
  'field_digests',
]);

/** An entry in the key order of the specification; what is absent stays absent. */
function knownKeys(tool: ToolEntry): ToolEntry {
  const { name, tool_digest, privileged, privilege_classification, action_class, field_digests } = tool;
  return {
    name,
    tool_digest,
    privileged,
    ...(privilege_classification === undefined ? {} : { privilege_classification }),
    ...(action_class === undefined ? {} : { action_class }),
    ...(field_digests === undefined
      ? {}
      : { field_digests: Object.fromEntries(presentFields(field_digests)) }),
  };
}

function presentFields(digests: NonNullable<ToolEntry['field_digests']>): [string, string][] {
  return FIELDS.flatMap((field) => {
    const digest = digests[field];
    return digest === undefined ? [] : [[field, digest]];
  });
}

/** Whether two entries say the same of a tool. */
export function sameEntry(a: ToolEntry, b: ToolEntry): boolean {
  return JSON.stringify(knownKeys(a)) === JSON.stringify(knownKeys(b));
}

function indentAt(text: string, offset: number): string {
  const lineStart = Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1)) + 1;
  return /^[ \t]*/.exec(text.slice(lineStart))?.[0] ?? '';
}
