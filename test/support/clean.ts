// Whether a document still says what the clean one says, in every key the specification compares. Written from the
// specification and semantics 1, 5, 6, 7 and 8; nothing of the engine is used. This is the yardstick of a fuzz run: a
// review may only have no finding when the mutated document passes here.
import { parseAllDocuments } from 'yaml';
import { DECLARED, OBSERVED, PROJECTION } from './documents';
import { strictJson, strictText } from './strictJson';

/** What both sides of the clean pair agree on. */
export interface Agreement {
  readonly id: string;
  readonly manifestDigest: string;
  readonly tools: ReadonlyMap<
    string,
    { readonly digest: string; readonly fields: ReadonlyMap<string, string> }
  >;
}

const DIGEST = /^sha256:[0-9a-f]{64}$/;
const isDigest = (value: unknown): value is string => typeof value === 'string' && DIGEST.test(value);
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const own = (value: unknown, key: string): unknown => {
  if (value instanceof Map) return value.get(key);
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
};

/**
 * An observed record is clean when all of this holds:
 * - it is strict JSON, and says the schema, the server, `status` observed, the v0 canonicalization, an observed
 *   tools/list, and `complete`;
 * - its entries are the approved ones: the same names, each once, each with its tool digest, in any order;
 * - `manifest_digest` is the approved one or stands for nothing: it may be left out, and what is no digest counts as
 *   left out (semantics 1). Null does not: it contradicts `observed` (semantics 8);
 * - what it says besides agrees with itself: both counts, and of each entry `privileged` with its classification and
 *   its class. What is malformed counts as left out. `privileged` itself is not compared with the baseline;
 * - no field digest that is there differs from the approved one (semantics 7).
 * Unknown keys may say anything.
 */
export function isCleanObserved(bytes: Uint8Array, agreed: Agreement): boolean {
  const record = read(bytes);
  const block = own(record, 'observed');
  const entries = own(block, 'tool_digests');
  if (own(record, 'schema') !== OBSERVED || own(record, 'status') !== 'observed') return false;
  if (own(own(record, 'server'), 'id') !== agreed.id) return false;
  if (own(block, 'canonicalization') !== PROJECTION) return false;
  if (own(block, 'tools_list_observed') !== true || own(block, 'tools_list_complete') !== 'complete')
    return false;
  const digest = own(block, 'manifest_digest');
  if (digest === null || (isDigest(digest) && digest !== agreed.manifestDigest)) return false;
  if (!areAgreed(entries, agreed)) return false;
  const privileged = entries.filter((entry) => own(entry, 'privileged') === true).length;
  if (!agreesOrIsNone(own(block, 'tool_count'), entries.length)) return false;
  if (!agreesOrIsNone(own(block, 'privileged_tool_count'), privileged)) return false;
  return entries.every((entry) => {
    const classification = own(entry, 'privilege_classification');
    const actionClass = own(entry, 'action_class');
    const classed = typeof actionClass === 'string' || actionClass === null;
    const claims = [
      classification === 'classified' || classification === 'unclassified'
        ? classification === 'classified'
        : null,
      classed ? actionClass !== null : null,
    ];
    return claims.every((claim) => claim === null || claim === own(entry, 'privileged'));
  });
}

/**
 * A baseline of either kind is clean when it is a clean per-tool baseline or a clean policy: which of them it is it
 * says itself, whatever its name, and by `schema` before all else (semantics 1). `yaml` tells whether its name lets it
 * be YAML.
 */
export function isCleanBaseline(bytes: Uint8Array, agreed: Agreement, yaml: boolean): boolean {
  const json = read(bytes);
  const schema = own(json, 'schema');
  if (schema === OBSERVED || schema === DECLARED) return isCleanDeclared(json, agreed);
  return isCleanPolicy(yaml ? readYaml(bytes) : json, agreed);
}

/**
 * A per-tool baseline is clean when it is strict JSON and says the schema, the server, the v0 canonicalization, the
 * digest that its entries have, and the entries that were observed: the same names, each once, each with its tool
 * digest, in any order; and no field digest that is there differs. Its classification is not compared with anything.
 */
function isCleanDeclared(baseline: unknown, agreed: Agreement): boolean {
  return (
    own(baseline, 'schema') === DECLARED &&
    own(own(baseline, 'server'), 'id') === agreed.id &&
    own(baseline, 'canonicalization') === PROJECTION &&
    own(baseline, 'manifest_digest') === agreed.manifestDigest &&
    areAgreed(own(baseline, 'tools'), agreed)
  );
}

/** A policy is clean when its map pins the observed digest for the server; nothing else of it is compared. */
function isCleanPolicy(policy: unknown, agreed: Agreement): boolean {
  const entry = own(own(policy, 'declared_mcp_manifests'), agreed.id);
  return own(entry, 'manifest_digest') === agreed.manifestDigest;
}

function read(bytes: Uint8Array): unknown {
  const text = strictText(bytes);
  return text === null ? undefined : strictJson(text)?.value;
}

/**
 * There is no second reader of YAML: this is the library's own value of the only document, errors allowed nowhere. The
 * limits of semantics 1 (depth, surrogates, numbers) are not asked for again: for YAML this yardstick is the laxer one.
 */
function readYaml(bytes: Uint8Array): unknown {
  const text = strictText(bytes);
  if (text === null) return undefined;
  const [document, ...more] = parseAllDocuments(text, { version: '1.2', uniqueKeys: true });
  if (document === undefined || more.length > 0 || !('errors' in document)) return undefined;
  if (document.errors.length > 0) return undefined;
  try {
    const value: unknown = document.toJS({ mapAsMap: true, maxAliasCount: -1 });
    return value;
  } catch {
    // An alias without an anchor: the text is no YAML (YAML 1.2.2, 7.1).
    return undefined;
  }
}

function areAgreed(entries: unknown, { tools }: Agreement): entries is readonly unknown[] {
  if (!Array.isArray(entries) || entries.length !== tools.size) return false;
  const names = new Set(entries.map((entry: unknown) => own(entry, 'name')));
  return (
    names.size === tools.size &&
    entries.every((entry: unknown) => {
      const name = own(entry, 'name');
      const approved = typeof name === 'string' ? tools.get(name) : undefined;
      if (approved === undefined || own(entry, 'tool_digest') !== approved.digest) return false;
      if (typeof own(entry, 'privileged') !== 'boolean') return false;
      const fields = own(entry, 'field_digests');
      return [...approved.fields].every(([field, digest]) => {
        const stated = own(fields, field);
        return !isDigest(stated) || stated === digest;
      });
    })
  );
}

/** A count that is a whole number from 0 has to agree; anything else counts as left out. */
function agreesOrIsNone(count: unknown, actual: number): boolean {
  const counts = typeof count === 'number' && Number.isSafeInteger(count) && count >= 0;
  return !counts || count === actual;
}
