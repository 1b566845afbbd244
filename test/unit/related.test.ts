import assert from 'node:assert/strict';
import { sha256 } from '../../src/desktop/sha256';
import type { Place } from '../../src/engine/manifest/place';
import { review } from '../../src/engine/verdict/review';
import { declared, manifestDigest, observed, ordinary, policy, withFields } from '../support/documents';
import type { Json } from '../support/layout';
import { readAs } from '../support/read';

const search = ordinary('search');
const searchNow = ordinary('search', { description: 'Does another thing.' });

/** Reviews documents that were put together by hand. */
function judge(record: Json, baselines: readonly Json[], digests: readonly string[] = []) {
  const seen = readAs('observed', 'file:///a.observed.json', record);
  const approved = baselines.map((one, index) => readAs('declared', `file:///${index}.declared.json`, one));
  const rules = digests.map((one, index) =>
    readAs('policy', `file:///${index}.policy.yaml`, policy({ github: one })),
  );
  const result = review(
    { serverId: seen.serverId, observed: seen, declared: approved, policies: rules, others: [] },
    sha256,
  );
  const texts = new Map([seen, ...approved, ...rules].map(({ source }) => [source.uri, source.text]));
  const shown = ({ uri, start, end }: Place) => `${uri.slice(8)} ${texts.get(uri)?.slice(start, end) ?? ''}`;
  return [...result.findings, ...result.inconclusive, ...result.warnings].map(({ code, related }) => [
    code,
    ...related.map(shown),
  ]);
}

describe('the other side of a comparison', () => {
  it('is the pinned digest for drift of the whole manifest', () => {
    const digest = manifestDigest([search]);
    assert.deepEqual(judge(observed([searchNow]), [], [digest]), [
      ['mcp_tool_manifest_drift', `0.policy.yaml "${digest}"`],
    ]);
  });

  it('is the baseline’s name or field digest for a changed tool', () => {
    assert.deepEqual(judge(observed([searchNow]), [declared([search])]), [
      ['mcp_tool_changed', '0.declared.json "search"'],
    ]);
    const before = withFields(search);
    const now = withFields(searchNow, { description: 'Does another thing.' });
    const [finding] = judge(observed([now]), [declared([before])]);
    assert.equal(finding?.[0], 'mcp_tool_description_changed');
    assert.match(finding[1] ?? '', /^0\.declared\.json "sha256:/);
  });

  it('is every baseline of a conflict', () => {
    const [one, two] = [manifestDigest([search]), manifestDigest([searchNow])];
    assert.deepEqual(judge(observed([search]), [declared([search]), declared([searchNow])]), [
      ['declared_manifest_baseline_conflict', `1.declared.json "${two}"`],
    ]);
    assert.deepEqual(judge(observed([search]), [declared([search])], [two]), [
      ['declared_manifest_baseline_conflict', `0.policy.yaml "${two}"`],
    ]);
    assert.deepEqual(judge(observed([search]), [], [two, one]), [
      ['declared_manifest_baseline_conflict', `1.policy.yaml "${one}"`],
    ]);
  });

  it('is not lost where both gates say the same', () => {
    const record = observed([search], { block: { canonicalization: 'example.other.v1' } });
    const projection = '0.declared.json "assay.mcp_manifest_projection.v0"';
    assert.deepEqual(judge(record, [declared([search])]), [
      ['mcp_manifest_canonicalization_mismatch', projection],
    ]);
    assert.deepEqual(judge(record, [declared([search])], [manifestDigest([search])]), [
      ['mcp_manifest_canonicalization_mismatch', projection],
    ]);
  });
});
