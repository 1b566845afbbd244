import * as vscode from 'vscode';
import type { Session } from '../../workspace/session';
import { HumanError } from '../errors';
import { VIEWS } from '../ids';
import type { State } from '../state';
import type { ReviewsView } from '../tree/view';

/** “Review This File”: makes the active document take part, whatever its name, and shows its review. */
export async function reviewFile(session: Session, state: State, view: ReviewsView): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  if (document === undefined)
    throw new HumanError(vscode.l10n.t('Open a manifest, a baseline or a policy first.'));
  const uri = document.uri.toString();
  if (!session.belongs(uri)) {
    throw new HumanError(
      vscode.l10n.t(
        'Only files of an open folder and unsaved new files are reviewed. Open the folder of this file.',
      ),
    );
  }
  const found = await session.reread(uri);
  if (found === undefined) {
    throw new HumanError(vscode.l10n.t('This file is no observed manifest, no baseline and no policy.'));
  }
  const [first] = state.reviewsOf(uri);
  if (first === undefined) await vscode.commands.executeCommand(`${VIEWS.reviews}.focus`);
  else await view.reveal(first.key);
}
