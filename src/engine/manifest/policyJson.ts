import type { JsonText } from '../json/reader';
import { isSound, printPath } from '../json/reader';
import { isFatal, problem, type Problem } from '../problems';
import { own } from './check';
import type { PolicyDocument, PolicyEntry } from './documents';
import type { Source } from './place';
import { PARTIAL_KEY, partialObservationSchema, POLICY_KEY, policyEntrySchema } from './schema';

/** Reads a policy written as JSON (semantics 1 and 5). Input: the text already parsed. */
export function readJsonPolicy(source: Source, json: JsonText): PolicyDocument {
  const problems: Problem[] = [...json.problems];
  const entries = json.value === undefined ? new Map<string, PolicyEntry>() : readEntries(json, problems);
  return {
    kind: 'policy',
    source,
    problems,
    valid: isSound(json) && !isFatal(problems),
    entries,
    partialIsWarning: readPartial(json, problems),
  };
}

function readEntries(json: JsonText, problems: Problem[]): Map<string, PolicyEntry> {
  const map = own(json.value, POLICY_KEY);
  if (typeof map !== 'object' || map === null || Array.isArray(map)) {
    const at = json.nodes.rangeAt([POLICY_KEY]);
    problems.push(problem('value_malformed', at, { path: printPath([POLICY_KEY]), expected: 'object' }));
    return new Map();
  }
  const entries = new Map<string, PolicyEntry>();
  const mapNode = json.nodes.resolve([POLICY_KEY]).node;
  for (const node of json.nodes.children(mapNode)) {
    const id = json.nodes.key(node) ?? '';
    const value = own(map, id);
    const checked = policyEntrySchema.safeParse(value);
    const at = json.nodes.rangeAt(['manifest_digest'], node);
    const keyAt = json.nodes.keyRange(node);
    if (!checked.success) problems.push(problem('policy_entry_malformed', at, { server: id }));
    entries.set(id, { digest: checked.data?.manifest_digest ?? null, at, keyAt, editable: true });
  }
  return entries;
}

function readPartial(json: JsonText, problems: Problem[]): boolean {
  const value = own(json.value, PARTIAL_KEY);
  if (value === undefined) return false;
  const checked = partialObservationSchema.safeParse(value);
  if (!checked.success) {
    const expected = partialObservationSchema.options.map((option) => JSON.stringify(option)).join(' | ');
    const at = json.nodes.rangeAt([PARTIAL_KEY]);
    problems.push(problem('optional_value_ignored', at, { path: printPath([PARTIAL_KEY]), expected }));
  }
  return checked.data === 'warning';
}
