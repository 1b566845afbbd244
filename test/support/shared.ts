import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

/** The folder of public vectors and captures, outside this repository; named by scripts/conformance.mjs. */
export function sharedPath(...parts: readonly string[]): string {
  const folder = process.env['MCP_MANIFEST_REVIEW_SHARED'];
  if (folder === undefined) throw new Error('Run these tests by npm run test:conformance -- FOLDER.');
  return join(folder, ...parts);
}

/** A JSON file of that folder in the shape a test expects. */
export function readShared<T>(schema: z.ZodType<T>, ...parts: readonly string[]): T {
  return schema.parse(JSON.parse(readFileSync(sharedPath(...parts), 'utf8')));
}

/** The raw tool definitions of a captured tools/list result. */
export function readCapture(name: string): unknown[] {
  return readShared(z.object({ tools: z.array(z.unknown()) }), 'manifests', name).tools;
}
