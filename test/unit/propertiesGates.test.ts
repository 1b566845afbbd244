import assert from 'node:assert/strict';
import fc from 'fast-check';
import { sha256 } from '../../src/desktop/sha256';
import { review } from '../../src/engine/verdict/review';
import type { Review } from '../../src/engine/verdict/result';
import { pair } from '../../src/workspace/pairing';
import { naiveDocuments, type NaiveDocuments } from '../support/arbitraries';
import { DECLARED, OBSERVED } from '../support/documents';
import { naiveReview } from '../support/naiveGates';
import { readAs } from '../support/read';

const folder = { uri: 'file:///w', name: 'w' };
const uris = {
  observed: 'file:///w/a.observed.json',
  declared: 'file:///w/a.declared.json',
  policy: 'file:///w/policy.json',
};

/** What the program says of documents that are paired by hand. */
function engineReview({ observed, declared, policy }: NaiveDocuments): Review {
  const documents = [
    readAs('observed', uris.observed, JSON.stringify({ schema: OBSERVED, ...observed })),
    ...(declared === null
      ? []
      : [readAs('declared', uris.declared, JSON.stringify({ schema: DECLARED, ...declared }))]),
    ...(policy === null
      ? []
      : [
          readAs(
            'policy',
            uris.policy,
            JSON.stringify({
              ...(policy.partialIsWarning ? { mcp_manifest_partial_observation: 'warning' } : {}),
              declared_mcp_manifests: Object.fromEntries(
                [...policy.digests].map(([id, digest]) => [id, { manifest_digest: digest }]),
              ),
            }),
          ),
        ]),
  ];
  for (const { problems } of documents) assert.deepEqual(problems, []);
  const pairing = {
    observed: uris.observed,
    declared: declared === null ? undefined : uris.declared,
    policy: policy === null ? undefined : uris.policy,
  };
  const [paired] = pair({ folder, documents, pairings: [pairing], whole: false });
  assert.ok(paired);
  return review(paired.input, sha256);
}

/** The same in the terms of the naive rules. */
function reduced({ verdict, findings, inconclusive, warnings }: Review) {
  return {
    verdict,
    findings: findings.map(({ code, severity, tool, field, privileged, notes }) => ({
      code,
      severity,
      tool,
      field,
      privileged,
      notes,
    })),
    inconclusive: new Set(inconclusive.map(({ code }) => code)),
    warnings: new Set(
      warnings.map(({ code, tool }) =>
        code === 'field_attribution_inconsistent' ? `${code} ${tool ?? ''}` : code,
      ),
    ),
  };
}

describe('the gates', function () {
  this.timeout(60_000);
  it('say what the written rules say, whatever the documents', () => {
    fc.assert(
      fc.property(naiveDocuments, (documents) => {
        const { observed, declared, policy } = documents;
        assert.deepEqual(reduced(engineReview(documents)), naiveReview(observed, declared, policy));
      }),
      { numRuns: 3_000 },
    );
  });

  it('are met with every code that valid documents can lead to', () => {
    const seen = new Set<string>();
    const verdicts = new Set<string>();
    for (const { observed, declared, policy } of fc.sample(naiveDocuments, { numRuns: 3_000, seed: 1 })) {
      const { verdict, findings, inconclusive, warnings } = naiveReview(observed, declared, policy);
      verdicts.add(verdict);
      const notes = findings.flatMap((finding) => finding.notes);
      for (const code of [
        ...findings.map((finding) => finding.code),
        ...inconclusive,
        ...warnings,
        ...notes,
      ]) {
        seen.add(code.replace(/ .*/, ''));
      }
    }
    assert.equal(verdicts.size, 4);
    assert.deepEqual([...seen].sort(), [
      'declared_manifest_baseline_conflict',
      'declared_manifest_digest_mismatch',
      'declared_mcp_manifest_ambiguous',
      'field_attribution_inconsistent',
      'field_attribution_unavailable',
      'inconclusive_manifest_not_observed',
      'inconclusive_manifest_partial_observation',
      'manifest_coverage_unknown',
      'manifest_observation_ambiguous',
      'mcp_manifest_canonicalization_mismatch',
      'mcp_manifest_observation_ambiguous',
      'mcp_manifest_server_mismatch',
      'mcp_new_privileged_tool',
      'mcp_privileged_tool_changed',
      'mcp_privileged_tool_removed',
      'mcp_tool_added',
      'mcp_tool_annotations_changed',
      'mcp_tool_changed',
      'mcp_tool_description_changed',
      'mcp_tool_input_schema_changed',
      'mcp_tool_manifest_drift',
      'mcp_tool_output_schema_changed',
      'mcp_tool_removed',
      'no_declared_baseline',
      'observed_names_sanitised',
      'observed_record_inconsistent',
    ]);
  });
});
