import { digestManifest, FIELDS, type Sha256 } from '../canon/digests';
import { compareUtf8 } from '../canon/order';
import type { ToolEntry } from '../manifest/schema';
import { FIELD_REASONS, type FindingCode, REASONS, type Severity } from '../reasons';
import { attribute, differingFields } from './fields';
import { type DeclaredSide, firstDuplicate, type ObservedSide } from './positions';
import { combine, type Finding, inconclusive, NOTHING, type Outcome, warning } from './result';

/** An entry and where it stands among its side's entries. */
interface Indexed {
  readonly entry: ToolEntry;
  readonly index: number;
}

/** The per-tool gate: presence and digests of each tool (specification, "Granular per-tool drift"; semantics 6). */
export function judgeTools(observed: ObservedSide, declared: DeclaredSide, sha256: Sha256): Outcome {
  return (
    checkBaseline(observed, declared, sha256) ??
    checkObservation(observed) ??
    compareTools(observed, declared)
  );
}

/** The first four validity checks: those that speak of the baseline and of whether it belongs to the observation. */
export function checkBaseline(
  observed: ObservedSide,
  declared: DeclaredSide,
  sha256: Sha256,
): Outcome | null {
  if (digestManifest(declared.entries, sha256) !== declared.manifest.manifest_digest) {
    return inconclusive('declared_manifest_digest_mismatch', declared.at('manifest_digest'));
  }
  const duplicate = firstDuplicate(declared.entries);
  if (duplicate !== null) {
    const tool = declared.entries[duplicate]?.name ?? '';
    return inconclusive('declared_mcp_manifest_ambiguous', declared.entryAt(duplicate, 'name'), { tool });
  }
  if (observed.manifest.server.id !== declared.manifest.server.id) {
    const related = [declared.at('server', 'id')];
    return inconclusive('mcp_manifest_server_mismatch', observed.at('server', 'id'), { related });
  }
  if (observed.manifest.observed.canonicalization !== declared.manifest.canonicalization) {
    const at = observed.at('observed', 'canonicalization');
    return inconclusive('mcp_manifest_canonicalization_mismatch', at, {
      related: [declared.at('canonicalization')],
    });
  }
  return null;
}

function checkObservation(observed: ObservedSide): Outcome | null {
  const { status, observed: block } = observed.manifest;
  if (status === 'not_observed')
    return inconclusive('inconclusive_manifest_not_observed', observed.at('status'));
  if (!block.tools_list_observed) {
    return inconclusive('inconclusive_manifest_not_observed', observed.at('observed', 'tools_list_observed'));
  }
  const duplicate = firstDuplicate(observed.entries);
  if (duplicate !== null) {
    const tool = observed.entries[duplicate]?.name ?? '';
    return inconclusive('mcp_manifest_observation_ambiguous', observed.entryAt(duplicate, 'name'), { tool });
  }
  if (status === 'ambiguous')
    return inconclusive('mcp_manifest_observation_ambiguous', observed.at('status'));
  return null;
}

/** The finding matrix, then what an incomplete observation takes from a clean result. */
function compareTools(observed: ObservedSide, declared: DeclaredSide): Outcome {
  const approved = indexByName(declared.entries);
  const seen = indexByName(observed.entries);
  const present = [...seen.values()].map((entry) => {
    const baseline = approved.get(entry.entry.name);
    return baseline === undefined
      ? added(observed, declared, entry)
      : compareTool(observed, declared, entry, baseline);
  });
  const missing = [...approved.values()].filter(({ entry }) => !seen.has(entry.name));
  const complete = observed.manifest.observed.tools_list_complete;
  const coverage = observed.at('observed', 'tools_list_complete');
  const found = combine([
    ...present.filter((outcome) => outcome !== NOTHING),
    ...(complete === 'complete' ? missing.map((entry) => removed(observed, declared, entry)) : []),
  ]);
  if (complete === 'complete') return found;
  if (missing.length > 0) {
    return combine([found, inconclusive('inconclusive_manifest_partial_observation', coverage)]);
  }
  if (found.findings.length > 0) return found;
  const limit =
    complete === 'unknown'
      ? warning('manifest_coverage_unknown', coverage)
      : inconclusive('inconclusive_manifest_partial_observation', coverage);
  return combine([found, limit]);
}

function added(observed: ObservedSide, declared: DeclaredSide, { entry, index }: Indexed): Outcome {
  const code = entry.privileged ? 'mcp_new_privileged_tool' : 'mcp_tool_added';
  return finding(code, entry, entry.privileged, {
    at: observed.entryAt(index, 'name'),
    related: [declared.list()],
  });
}

function removed(observed: ObservedSide, declared: DeclaredSide, { entry, index }: Indexed): Outcome {
  const code = entry.privileged ? 'mcp_privileged_tool_removed' : 'mcp_tool_removed';
  return finding(code, entry, entry.privileged, {
    at: declared.entryAt(index),
    related: [observed.list()],
  });
}

function compareTool(observed: ObservedSide, declared: DeclaredSide, now: Indexed, before: Indexed): Outcome {
  if (now.entry.tool_digest === before.entry.tool_digest) return guardEqual(observed, declared, now, before);
  const privileged = now.entry.privileged || before.entry.privileged;
  const attribution = attribute(now.entry, before.entry);
  if ('note' in attribution) {
    const code = privileged ? 'mcp_privileged_tool_changed' : 'mcp_tool_changed';
    const at = observed.entryAt(now.index, 'name');
    return finding(code, now.entry, privileged, {
      at,
      related: [declared.entryAt(before.index, 'name')],
      notes: [attribution.note],
    });
  }
  return combine(
    attribution.fields.map((field) => {
      const reason = FIELD_REASONS[field];
      return finding(reason.code, now.entry, privileged, {
        field,
        digest: now.entry.field_digests?.[field] ?? now.entry.tool_digest,
        severity: privileged ? reason.privileged : reason.ordinary,
        at: observed.entryAt(now.index, 'field_digests', field),
        related: [declared.entryAt(before.index, 'field_digests', field)],
      });
    }),
  );
}

/** Field digests must never tell a stronger story than the tool digest (semantics 7, reverse guard). */
function guardEqual(observed: ObservedSide, declared: DeclaredSide, now: Indexed, before: Indexed): Outcome {
  const [field] = differingFields(now.entry, before.entry);
  if (field === undefined) return NOTHING;
  const related = [declared.entryAt(before.index, 'field_digests', field)];
  const at = observed.entryAt(now.index, 'field_digests', field);
  return warning('field_attribution_inconsistent', at, { tool: now.entry.name, related });
}

function finding(
  code: FindingCode,
  { name: tool, tool_digest }: ToolEntry,
  privileged: boolean,
  rest: Pick<Finding, 'at' | 'related'> & Partial<Pick<Finding, 'field' | 'notes' | 'severity' | 'digest'>>,
): Outcome {
  const own = REASONS[code].severity;
  const severity: Severity = rest.severity ?? (own === 'by field' ? 'medium' : own);
  const { at, related, field = null, notes = [], digest = tool_digest } = rest;
  return { ...NOTHING, findings: [{ code, severity, tool, field, privileged, notes, digest, at, related }] };
}

function indexByName(entries: readonly ToolEntry[]): Map<string, Indexed> {
  return new Map(entries.map((entry, index) => [entry.name, { entry, index }]));
}

/** The order of findings: the whole manifest first, then tool names by UTF-8 bytes, then fields (semantics 8). */
export function compareFindings(a: Finding, b: Finding): number {
  if (a.tool === null || b.tool === null) return Number(a.tool !== null) - Number(b.tool !== null);
  return compareUtf8(a.tool, b.tool) || fieldRank(a) - fieldRank(b);
}

function fieldRank({ field }: Finding): number {
  return field === null ? -1 : FIELDS.indexOf(field);
}
