/** Every name the extension shares with package.json, once. A test compares the two. */
export const COMMANDS = {
  refresh: 'mcpManifestReview.refresh',
  reviewFile: 'mcpManifestReview.reviewFile',
  copyBlock: 'mcpManifestReview.copyObservedBlock',
  recomputeDigest: 'mcpManifestReview.recomputeBaselineDigest',
  buildManifest: 'mcpManifestReview.buildManifest',
  saveReport: 'mcpManifestReview.saveReport',
  explainReason: 'mcpManifestReview.explainReason',
  showLog: 'mcpManifestReview.showLog',
} as const;
export type CommandId = (typeof COMMANDS)[keyof typeof COMMANDS];

export const VIEWS = { reviews: 'mcpManifestReview.reviews' } as const;

/** Values of a tree row's `viewItem`, for menus. */
export const ROWS = { review: 'mcpManifestReview.review', other: 'mcpManifestReview.row' } as const;

/** Set once everything in the workspace has been read, so that the empty state does not show before. */
export const CONTEXT_KEYS = { ready: 'mcpManifestReview.ready' } as const;

export const SETTINGS_SECTION = 'mcpManifestReview';
export const SETTINGS = {
  observed: 'files.observed',
  declared: 'files.declared',
  policy: 'files.policy',
  exclude: 'files.exclude',
  maxSize: 'files.maxSize',
  pairings: 'pairings',
  severity: 'severity',
  delay: 'delay',
} as const;

/** The scheme of the extension's own read-only documents. */
export const SCHEME = 'mcp-manifest-review';

/** What diagnostics name as their source. */
export const DIAGNOSTIC_SOURCE = 'MCP Manifest';
