// The cases of fixtures/cases: workspaces with what the specification expects of them. Read by unit, command-line
// and host tests alike; the folder is named by whoever reads, since host tests run from a bundle.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

const located = { path: z.string(), line: z.int().min(1), column: z.int().min(1) };

const remark = z.object({ reason_code: z.string(), tool: z.string().nullable(), ...located });

const finding = z.object({
  reason_code: z.string(),
  severity: z.string(),
  tool: z.string().nullable(),
  field: z.string().nullable(),
  privileged: z.boolean().nullable(),
  notes: z.array(z.string()),
  ...located,
});

const review = z.object({
  server: z.object({ id: z.string().nullable() }),
  observed: z.string().nullable(),
  declared: z.string().nullable(),
  policy: z.string().nullable(),
  verdict: z.string(),
  tools_list_complete: z.string().nullable(),
  findings: z.array(finding),
  inconclusive: z.array(remark),
  warnings: z.array(remark),
});

/** What matters of a report in JSON; other keys of the report are left out. */
const expectedSchema = z.object({
  verdict: z.string(),
  reviews: z.array(review),
  problems: z.array(z.object({ ...located, code: z.string() })),
});

/** A pairing written by hand for the whole case, as a setting or a flag would (semantics 9). */
const pairingSchema = z.object({
  observed: z.string(),
  declared: z.string().optional(),
  policy: z.string().optional(),
});

export interface Located {
  readonly path: string;
  readonly line: number;
  readonly column: number;
}
export type Expected = z.infer<typeof expectedSchema>;
export type ExpectedReview = z.infer<typeof review>;
export type ExpectedFinding = z.infer<typeof finding>;
export type ExpectedRemark = z.infer<typeof remark>;

/** One case: its name, its folder, what is expected, and the pairing by hand if there is one. */
export interface Case {
  readonly name: string;
  readonly folder: string;
  readonly expected: Expected;
  readonly pairing: z.infer<typeof pairingSchema> | null;
}

/** All cases of a folder, in the order of their names. Throws when there is none or one is malformed. */
export function loadCases(folder: string): Case[] {
  const names = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  if (names.length === 0) throw new Error(`There are no cases in ${folder}.`);
  return names
    .map(({ name }) => loadCase(join(folder, name), name))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function loadCase(folder: string, name: string): Case {
  const read = (file: string): unknown => JSON.parse(readFileSync(join(folder, file), 'utf8'));
  const pairing = existsSync(join(folder, 'pairing.json')) ? pairingSchema.parse(read('pairing.json')) : null;
  return { name, folder, expected: expectedSchema.parse(read('expected.json')), pairing };
}

/**
 * What matters of a report printed with `--format json`, for a comparison with what is expected. The specification
 * orders findings and reviews; remarks have no order of their own and are put in one here.
 */
export function reduceReport(report: unknown): Expected {
  const { reviews, ...rest } = expectedSchema.parse(report);
  const inOrder = (remarks: ExpectedRemark[]) => remarks.sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
  return {
    ...rest,
    reviews: reviews.map((one) => ({
      ...one,
      inconclusive: inOrder(one.inconclusive),
      warnings: inOrder(one.warnings),
    })),
  };
}

function orderOf({ path, line, column, reason_code, tool }: ExpectedRemark): string {
  return JSON.stringify([path, String(line).padStart(9), String(column).padStart(9), reason_code, tool]);
}
