import * as vscode from 'vscode';

/**
 * Runs a command that asks by quick picks and answers each of them by its first row, until the command ends.
 * The editor has no event for an open quick pick, so the answer is given again until it is taken.
 */
export async function acceptAll(command: string, ...args: readonly unknown[]): Promise<void> {
  await answer('workbench.action.acceptSelectedQuickOpenItem', command, args);
}

/** As {@link acceptAll}, but closes the first quick pick, as Escape does. */
export async function cancelFirst(command: string, ...args: readonly unknown[]): Promise<void> {
  await answer('workbench.action.closeQuickOpen', command, args);
}

async function answer(how: string, command: string, args: readonly unknown[]): Promise<void> {
  const ended = Promise.resolve(vscode.commands.executeCommand(command, ...args)).then(() => 'ended');
  const pause = () => new Promise<string>((resolve) => setTimeout(resolve, 50, 'again'));
  while ((await Promise.race([ended, pause()])) === 'again') await vscode.commands.executeCommand(how);
}
