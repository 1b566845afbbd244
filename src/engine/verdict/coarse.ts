import { digestManifest, MANIFEST_PROJECTION, type Sha256 } from '../canon/digests';
import { combine, inconclusive, NOTHING, type Outcome, warning } from './result';
import { firstDuplicate, type ObservedSide, type PolicySide } from './positions';

/** The coarse gate: one overall digest against the policy's map (specification, "Coverage rules"; semantics 5). */
export function judgeCoarse(observed: ObservedSide, policy: PolicySide, sha256: Sha256): Outcome {
  const { status, observed: block } = observed.manifest;
  const duplicate = firstDuplicate(observed.entries);
  if (status === 'not_observed')
    return inconclusive('inconclusive_manifest_not_observed', observed.at('status'));
  if (!block.tools_list_observed) {
    return inconclusive('inconclusive_manifest_not_observed', observed.at('observed', 'tools_list_observed'));
  }
  if (duplicate !== null) {
    const tool = observed.entries[duplicate]?.name ?? '';
    return inconclusive('manifest_observation_ambiguous', observed.entryAt(duplicate, 'name'), { tool });
  }
  if (status === 'ambiguous') return inconclusive('manifest_observation_ambiguous', observed.at('status'));
  if (block.canonicalization !== MANIFEST_PROJECTION) {
    return inconclusive(
      'mcp_manifest_canonicalization_mismatch',
      observed.at('observed', 'canonicalization'),
    );
  }
  const coverage = observed.at('observed', 'tools_list_complete');
  const partial = block.tools_list_complete === 'partial';
  if (partial && !policy.partialIsWarning)
    return inconclusive('inconclusive_manifest_partial_observation', coverage);
  const limited = partial ? warning('inconclusive_manifest_partial_observation', coverage) : NOTHING;
  return combine([limited, compareDigests(observed, policy, sha256)]);
}

function compareDigests(observed: ObservedSide, policy: PolicySide, sha256: Sha256): Outcome {
  const { manifest_digest: stated, tools_list_complete: complete } = observed.manifest.observed;
  const digest = stated ?? digestManifest(observed.entries, sha256);
  if (digest === policy.digest) {
    const coverage = observed.at('observed', 'tools_list_complete');
    return complete === 'unknown' ? warning('manifest_coverage_unknown', coverage) : NOTHING;
  }
  return {
    ...NOTHING,
    findings: [
      {
        code: 'mcp_tool_manifest_drift',
        severity: 'medium',
        tool: null,
        field: null,
        privileged: null,
        notes: [],
        digest,
        at: observed.at('observed', 'manifest_digest'),
        related: [policy.at],
      },
    ],
  };
}
