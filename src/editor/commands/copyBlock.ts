import * as vscode from 'vscode';
import type { Sha256 } from '../../engine/canon/digests';
import { planPromotion, type FileChange, type Promotion } from '../../engine/promote/plan';
import { REFUSAL_WORDS } from '../../report/refusalWords';
import { showName } from '../../report/escape';
import type { JudgedReview } from '../../workspace/reviews';
import type { Session } from '../../workspace/session';
import { promotionTarget } from '../../workspace/target';
import type { VirtualDocuments } from '../documents';
import { applyChanges, hasUnsavedChanges } from '../edits';
import { HumanError } from '../errors';
import { shownPath, withoutIcons } from '../plain';
import type { State } from '../state';
import { pickReview } from './pick';

export interface CopyContext {
  readonly state: State;
  readonly session: Session;
  readonly documents: VirtualDocuments;
  readonly sha256: Sha256;
}

/**
 * “Copy Observed Block into Baseline” (semantics 10): shows what would be written, asks, asks again for privileged
 * tools, and writes only what was shown.
 */
export async function copyObservedBlock(context: CopyContext, argument: unknown): Promise<void> {
  const picked = await pickReview(context.state, argument);
  if (picked === undefined) return;
  const review = await fresh(context, picked);
  const shown = plan(review, null, context.sha256);
  if (shown.files.length === 0) {
    await vscode.window.showInformationMessage(vscode.l10n.t('The baseline already holds this observation.'));
    return;
  }
  const preview = await showPreview(context.documents, shown);
  try {
    if (!(await confirm(shown))) return;
  } finally {
    await preview.close();
  }
  const now = plan(await fresh(context, review), shown.manifestDigest, context.sha256);
  if (JSON.stringify(now.files) !== JSON.stringify(shown.files)) {
    throw new HumanError(
      vscode.l10n.t(
        'The baseline has changed since it was shown. Nothing was written; run the command again.',
      ),
    );
  }
  await applyChanges(now.files);
  const [first] = now.files;
  if (first !== undefined)
    await vscode.window.showTextDocument(vscode.Uri.parse(first.uri), { preview: false });
}

/** The review as its documents are at this moment, whether or not a watcher has spoken yet. */
async function fresh({ session, state }: CopyContext, { key, input }: JudgedReview): Promise<JudgedReview> {
  for (const document of [input.observed, ...input.declared, ...input.policies]) {
    if (document !== null) await session.reread(document.source.uri);
  }
  const review = state.review(key);
  if (review === undefined) throw new HumanError(REFUSAL_WORDS.observation_changed);
  return review;
}

function plan(review: JudgedReview, reviewed: string | null, sha256: Sha256): Promotion {
  const target = promotionTarget(review);
  const { observed } = review.input;
  if (typeof target === 'string' || observed === null) {
    throw new HumanError(REFUSAL_WORDS[typeof target === 'string' ? target : 'not_observed']);
  }
  const promotion = planPromotion(observed, target, reviewed, sha256);
  if (typeof promotion === 'string') throw new HumanError(REFUSAL_WORDS[promotion]);
  return promotion;
}

/** Opens a comparison of each file before and after; closing takes it away again. */
async function showPreview(documents: VirtualDocuments, { files, serverId }: Promotion) {
  const put = ({ uri, before, after }: FileChange) => {
    const name = uri.slice(uri.lastIndexOf('/') + 1);
    return {
      uri: vscode.Uri.parse(uri),
      before: documents.show(name, before ?? ''),
      after: documents.show(name, after),
    };
  };
  const sides = files.map(put);
  const title = vscode.l10n.t('{0}: baseline after copying', showName(serverId, 40));
  const [only, ...more] = sides;
  if (only !== undefined && more.length === 0) {
    await vscode.commands.executeCommand('vscode.diff', only.before, only.after, title, { preview: true });
  } else {
    await vscode.commands.executeCommand(
      'vscode.changes',
      title,
      sides.map((side) => [side.uri, side.before, side.after]),
    );
  }
  return {
    async close() {
      const ours = new Set(sides.map(({ after }) => after.toString()));
      const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
      await vscode.window.tabGroups.close(
        tabs.filter((tab) => showsOneOf(tab, ours) || tab.label.startsWith(title)),
      );
      for (const { before, after } of sides) {
        documents.drop(before);
        documents.drop(after);
      }
    },
  };
}

function showsOneOf({ input }: vscode.Tab, addresses: ReadonlySet<string>): boolean {
  return input instanceof vscode.TabInputTextDiff && addresses.has(input.modified.toString());
}

/** Asks once for the whole, and once more when a privileged tool is new or changed. */
async function confirm({ files, tools, serverId }: Promotion): Promise<boolean> {
  const names = files.map(({ uri }) => shownPath(uri)).join(', ');
  const unsaved = files.filter(hasUnsavedChanges).length > 0;
  const summary = (['added', 'changed', 'removed'] as const)
    .map((change) => ({ change, count: tools.filter((tool) => tool.change === change).length }))
    .filter(({ count }) => count > 0)
    .map(({ change, count }) => vscode.l10n.t('{0} {1}', count, change));
  const accepted = await ask(
    vscode.l10n.t('Copy the observed block of “{0}” into its baseline?', showName(serverId, 60)),
    vscode.l10n.t('Copy into {0}', names),
    [
      summary.length > 0
        ? vscode.l10n.t('Tools: {0}', summary.join(', '))
        : vscode.l10n.t('The manifest digest changes.'),
      ...(unsaved ? [vscode.l10n.t('The baseline has unsaved changes. They are kept and saved too.')] : []),
    ].join(' '),
  );
  const privileged = tools.filter((tool) => tool.privileged && tool.change !== 'removed');
  if (!accepted || privileged.length === 0) return accepted;
  return ask(
    vscode.l10n.t('Privileged tools are new or changed: accept them too?'),
    vscode.l10n.t('Accept {0} privileged tools', privileged.length),
    privileged.map((tool) => showName(tool.tool, 60)).join(', '),
  );
}

async function ask(title: string, action: string, detail: string): Promise<boolean> {
  const accept = { label: `$(check) ${withoutIcons(action)}`, detail: withoutIcons(detail) };
  const cancel = { label: `$(close) ${vscode.l10n.t('Cancel')}` };
  const answer = await vscode.window.showQuickPick([accept, cancel], {
    title,
    placeHolder: vscode.l10n.t('The comparison below shows what would be written'),
    ignoreFocusOut: true,
  });
  return answer === accept;
}
