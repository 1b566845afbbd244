import assert from 'node:assert/strict';
import * as z from 'zod';
import { TempFolder } from '../support/folder';
import { bundleProgram, runProgram } from '../support/program';
import { readShared, sharedPath } from '../support/shared';

const expected = Object.entries(
  readShared(
    z.record(z.string(), z.object({ manifest_digest: z.string().nullable() })),
    'manifests',
    'expected-digests.json',
  ),
);

const recordSchema = z.object({ observed: z.object({ manifest_digest: z.string().nullable() }) });
const reportSchema = z.object({
  reviews: z.array(z.object({ verdict: z.string(), inconclusive: z.array(z.unknown()) })),
});

describe('the program, with captures of real servers', function () {
  // A process for each: slow on a busy machine.
  this.timeout(60_000);
  const folder = new TempFolder();
  let program: string;
  before(async () => {
    program = await bundleProgram(folder.path);
  });
  after(() => {
    folder.remove();
  });

  const produce = async (capture: string, out: string) => {
    const flags = ['--server', 'x', '--completeness', 'complete', '--out', out, '--force'];
    const { exitCode, stderr } = await runProgram(
      program,
      ['produce', sharedPath('manifests', capture), ...flags],
      {
        cwd: folder.path,
      },
    );
    assert.equal(exitCode, 0, stderr);
    return recordSchema.parse(JSON.parse(folder.read(out)));
  };

  for (const [name, { manifest_digest }] of expected) {
    it(`produces ${name}`, async () => {
      assert.equal((await produce(name, 'x.observed.json')).observed.manifest_digest, manifest_digest);
    });
  }

  it('promotes one version and reviews the next against it', async () => {
    await produce('filesystem/2025.12.18.tools.json', 'x.observed.json');
    const run = (...args: string[]) => runProgram(program, args, { cwd: folder.path });
    assert.equal((await run('promote', 'x.observed.json', '--out', 'x.declared.json')).exitCode, 0);
    assert.equal((await run('review', 'x.observed.json', 'x.declared.json')).exitCode, 0);
    await produce('filesystem/2026.8.31.tools.json', 'x.observed.json');
    const { exitCode, stdout } = await run(
      'review',
      'x.observed.json',
      'x.declared.json',
      '--format',
      'json',
    );
    assert.equal(exitCode, 1);
    const [review] = reportSchema.parse(JSON.parse(stdout)).reviews;
    assert.deepEqual(review, { verdict: 'pending_tool_manifest_review', inconclusive: [] });
  });
});
