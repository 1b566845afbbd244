/** Wrong usage, or an input that cannot be read: exit code 3, the message says what to do (cli.md). */
export class UsageError extends Error {}

const REVIEW = `mcp-manifest-review review [PATH…] [options]

Reviews observed MCP manifests against their baselines. A PATH is a file or a
folder, - is standard input; without one, the current folder is reviewed.

  --observed FILE   the observed manifest to review
  --declared FILE   the per-tool baseline to use
  --policy FILE     the policy to use
  --format FORMAT   text (default), json, sarif or markdown
  --fail-on LEVEL   warning, inconclusive (default), pending or never

Exit code: 0 no finding, 1 needs review, 2 inconclusive, 3 wrong usage or an
input that cannot be read.
`;

const PRODUCE = `mcp-manifest-review produce TOOLS --server ID [options]

Makes an observed manifest of a raw tools/list capture: a result, an array of
tools, JSON-RPC responses (one, an array, or one a line), or an SSE dump.
TOOLS is a file, or - for standard input.

  --server ID             the id the server's baseline goes by
  --completeness CLAIM    unknown (default), partial, or complete: you observed
                          every page, until no next one was named
  --out FILE              write here instead of standard output
  --force                 replace FILE when it holds something else

Exit code: 0, or 3 for wrong usage or an input that cannot be read.
`;

const PROMOTE = `mcp-manifest-review promote OBSERVED [options]

Makes the baseline that approves a clean, complete observation. An existing
baseline named by --out is continued: keys this version does not know stay.

  --out FILE            write here instead of standard output
  --tool NAME           accept this tool alone into FILE; may be repeated
  --expect-digest D     refuse another observation than the one with digest D

Exit code: 0, 2 when the observation is refused, 3 for wrong usage or an input
that cannot be read.
`;

const DIGEST = `mcp-manifest-review digest BASELINE [--write]

Prints the manifest_digest that the tools of a per-tool baseline have.

  --write           store it in the baseline

Exit code: 0 it matches or was stored, 1 it differs, 3 wrong usage or an input
that cannot be read.
`;

const GENERAL = `mcp-manifest-review COMMAND

  review    review observed manifests against their baselines
  produce   make an observed manifest of a tools/list capture
  promote   make the baseline that approves an observation
  digest    recompute the digest of a baseline

  COMMAND --help    what a command takes
  --version         the version
`;

/** The help of a command, or the general one. */
export function helpFor(command: string | undefined): string {
  const text = new Map([
    ['review', REVIEW],
    ['produce', PRODUCE],
    ['promote', PROMOTE],
    ['digest', DIGEST],
  ]).get(command ?? '');
  return `Usage: ${text ?? GENERAL}`;
}
