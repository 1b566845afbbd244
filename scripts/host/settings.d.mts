export const RESTRICTED_MODE_SETTINGS: Readonly<Record<string, unknown>>;
