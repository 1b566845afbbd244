import type * as vscode from 'vscode';
import { sha256 } from '../desktop/sha256';
import { start } from './start';

/** The entry on the desktop and on remote machines. */
export function activate(context: vscode.ExtensionContext): void {
  start(context, {
    sha256,
    clock: {
      after(delay, task) {
        const timer = setTimeout(task, delay);
        return () => {
          clearTimeout(timer);
        };
      },
    },
  });
}
