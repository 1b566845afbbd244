/** Wrong usage, or an input that cannot be read: exit code 3, the message says what to do (cli.md). */
export class UsageError extends Error {}

export const HELP = `Usage: mcp-manifest-review review [PATH…] [options]

Reviews observed MCP manifests against their baselines. A PATH is a file or a
folder; without one, the current folder is reviewed.

  --observed FILE   the observed manifest to review
  --declared FILE   the per-tool baseline to use
  --policy FILE     the policy to use
  --format FORMAT   text (default) or json
  --fail-on LEVEL   warning, inconclusive (default), pending or never
  --help            show this help
  --version         show the version

Exit code: 0 no finding, 1 needs review, 2 inconclusive, 3 wrong usage or an
input that cannot be read.
`;
