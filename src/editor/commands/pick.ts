import * as vscode from 'vscode';
import { showName } from '../../report/escape';
import { VERDICT_WORDS } from '../../report/words';
import type { JudgedReview } from '../../workspace/reviews';
import { HumanError } from '../errors';
import { shownPath, withoutIcons } from '../plain';
import type { State } from '../state';
import type { Node } from '../tree/nodes';

/** The review a command was asked for: by a tree row, by its key, by the active editor, or by asking. */
export async function pickReview(state: State, argument: unknown): Promise<JudgedReview | undefined> {
  const key = typeof argument === 'string' ? argument : isRow(argument) ? reviewOfRow(argument) : undefined;
  if (key !== undefined) {
    const review = state.review(key);
    if (review === undefined) throw new HumanError(vscode.l10n.t('This review is gone. Refresh the view.'));
    return review;
  }
  const active = vscode.window.activeTextEditor?.document.uri.toString();
  const here = active === undefined ? [] : state.reviewsOf(active).filter(hasObservation);
  const [only, ...more] = here;
  if (only !== undefined && more.length === 0) return only;
  const choices = here.length > 0 ? here : state.snapshot.reviews.filter(hasObservation);
  if (choices.length === 0)
    throw new HumanError(vscode.l10n.t('No observed manifest was found to copy from.'));
  return ask(choices);
}

async function ask(choices: readonly JudgedReview[]): Promise<JudgedReview | undefined> {
  const items = choices.map((review) => ({
    label: withoutIcons(showName(review.result.serverId ?? vscode.l10n.t('(no server id)'))),
    description: vscode.l10n.t(VERDICT_WORDS[review.result.verdict]),
    detail: withoutIcons(shownPath(review.result.observed ?? '')),
    review,
  }));
  const placeHolder = vscode.l10n.t('Select the observation to copy into its baseline');
  return (await vscode.window.showQuickPick(items, { placeHolder, matchOnDetail: true }))?.review;
}

function hasObservation({ input }: JudgedReview): boolean {
  return input.observed !== null;
}

function isRow(argument: unknown): argument is Node {
  return (
    typeof argument === 'object' &&
    argument !== null &&
    'kind' in argument &&
    'id' in argument &&
    'parent' in argument
  );
}

function reviewOfRow(row: Node): string | undefined {
  for (let node: Node | null = row; node !== null; node = node.parent) {
    if (node.kind === 'review') return node.id;
  }
  return undefined;
}
