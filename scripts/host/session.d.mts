import type { Browser, LaunchOptions } from 'playwright-core';

export interface Server {
  readonly address: string;
  readonly exited: Promise<string>;
  output(): string;
  stop(): Promise<void>;
}

export interface ServerOptions {
  readonly port?: number | string;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly testDriver?: boolean;
  readonly workspaceTrust?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  readonly userDataDir?: string;
  readonly extensionsDir?: string;
}

export interface WindowTarget {
  readonly folder?: string | undefined;
  readonly workspace?: string | undefined;
  readonly payload?: readonly (readonly [name: string, value: string])[];
}

export function temporaryFolder(purpose: string): string;
export function removeFolder(folder: string): void;
export function installExtension(vsix: string, extensionsDir: string): Promise<void>;
export function startServer(options?: ServerOptions): Promise<Server>;
export function launchBrowser(options?: LaunchOptions): Promise<Browser>;
export function workbenchUrl(address: string, target?: WindowTarget): string;
export function remoteUri(address: string, file: string): string;
