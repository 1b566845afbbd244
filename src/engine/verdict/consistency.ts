import { digestManifest, MANIFEST_PROJECTION, type Sha256 } from '../canon/digests';
import type { JsonPath } from '../json/nodes';
import type { Place } from '../manifest/place';
import type { ToolEntry } from '../manifest/schema';
import { combine, inconclusive, NOTHING, type Outcome, warning } from './result';
import type { ObservedSide } from './positions';

/** The replacement character a producer writes for a control character, which no digest can be recomputed over. */
const SANITISED = '\u{FFFD}';

/**
 * Whether an observed record agrees with itself (semantics 8): a hand-edited digest must not buy a clean result.
 * Only what is present is compared. Output: one inconclusive for each value that contradicts another.
 */
export function judgeConsistency(observed: ObservedSide, sha256: Sha256): Outcome {
  return combine([
    checkDigest(observed, sha256),
    checkStatus(observed),
    checkCounts(observed),
    checkPrivilege(observed),
  ]);
}

function checkDigest(observed: ObservedSide, sha256: Sha256): Outcome {
  const { status, observed: block } = observed.manifest;
  const digest = block.manifest_digest;
  const at = observed.at('observed', 'manifest_digest');
  if (digest === undefined) return NOTHING;
  if ((status === 'observed') !== (digest !== null)) return contradiction(at);
  if (digest === null || block.canonicalization !== MANIFEST_PROJECTION) return NOTHING;
  if (digestManifest(observed.entries, sha256) === digest) return NOTHING;
  const sanitised = observed.entries.findIndex((entry) => entry.name.includes(SANITISED));
  return sanitised < 0
    ? contradiction(at)
    : warning('observed_names_sanitised', observed.entryAt(sanitised, 'name'));
}

function checkStatus(observed: ObservedSide): Outcome {
  const { status, observed: block } = observed.manifest;
  const wrong = (when: boolean, ...path: JsonPath) => (when ? contradiction(observed.at(...path)) : NOTHING);
  if (status !== 'not_observed') return wrong(!block.tools_list_observed, 'observed', 'tools_list_observed');
  return combine([
    wrong(observed.entries.length > 0, 'observed', 'tool_digests'),
    wrong(block.tools_list_observed, 'observed', 'tools_list_observed'),
    wrong(block.tools_list_complete !== 'unknown', 'observed', 'tools_list_complete'),
  ]);
}

function checkCounts(observed: ObservedSide): Outcome {
  const { tool_count: all, privileged_tool_count: privileged } = observed.manifest.observed;
  const actual = observed.entries.filter((entry) => entry.privileged).length;
  return combine([
    all === undefined || all === observed.entries.length
      ? NOTHING
      : contradiction(observed.at('observed', 'tool_count')),
    privileged === undefined || privileged === actual
      ? NOTHING
      : contradiction(observed.at('observed', 'privileged_tool_count')),
  ]);
}

/** `privileged` against its classification and class. */
function checkPrivilege(observed: ObservedSide): Outcome {
  const contradicting = [...observed.entries.keys()].filter((index) => !agrees(observed.entries[index]));
  return combine(
    contradicting.map((index) =>
      contradiction(observed.entryAt(index, 'privileged'), observed.entries[index]?.name),
    ),
  );
}

function agrees(entry: ToolEntry | undefined): boolean {
  if (entry === undefined) return true;
  const { privileged, privilege_classification: classification, action_class: actionClass } = entry;
  return (
    (classification === undefined || privileged === (classification === 'classified')) &&
    (actionClass === undefined || privileged === (actionClass !== null))
  );
}

function contradiction(at: Place, tool?: string): Outcome {
  return inconclusive('observed_record_inconsistent', at, tool === undefined ? {} : { tool });
}
