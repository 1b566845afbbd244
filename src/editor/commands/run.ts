import * as vscode from 'vscode';
import { HumanError } from '../errors';
import type { CommandId } from '../ids';
import { withoutLinks } from '../plain';

/** Registers a command; whatever it throws is told once: a known failure by its message, any other by the log. */
export function register(
  id: CommandId,
  log: vscode.LogOutputChannel,
  run: (...args: readonly unknown[]) => unknown,
): vscode.Disposable {
  return vscode.commands.registerCommand(id, async (...args: unknown[]) => {
    try {
      return await run(...args);
    } catch (error) {
      await tell(error, log);
      return undefined;
    }
  });
}

async function tell(error: unknown, log: vscode.LogOutputChannel): Promise<void> {
  if (error instanceof HumanError) {
    log.warn(error.message);
    await vscode.window.showErrorMessage(withoutLinks(error.message));
    return;
  }
  log.error(error instanceof Error ? error : String(error));
  const show = vscode.l10n.t('Show Log');
  const text = vscode.l10n.t('MCP Manifest Review met an unexpected error.');
  if ((await vscode.window.showErrorMessage(text, show)) === show) log.show();
}
