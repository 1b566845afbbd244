import * as vscode from 'vscode';
import type { Snapshot } from '../../workspace/session';
import { CONTEXT_KEYS, VIEWS } from '../ids';
import type { State } from '../state';
import { toTreeItem } from './items';
import { childNodes, type Node, rootNodes } from './nodes';

/** The tree of reviews in its own container, with a badge of the reviews that wait for a person. */
export class ReviewsView implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changed.event;
  readonly view: vscode.TreeView<Node>;
  private readonly subscriptions: readonly { dispose(): void }[];

  constructor(private readonly state: State) {
    this.view = vscode.window.createTreeView(VIEWS.reviews, {
      treeDataProvider: this,
      showCollapseAll: true,
    });
    this.subscriptions = [
      this.changed,
      this.view,
      state.onDidChange((snapshot) => {
        this.update(snapshot);
      }),
    ];
    this.update(state.snapshot);
  }

  getTreeItem(node: Node): vscode.TreeItem {
    return toTreeItem(node);
  }

  getChildren(node?: Node): Node[] {
    return node === undefined ? rootNodes(this.state.snapshot) : childNodes(node);
  }

  getParent(node: Node): Node | null {
    return node.parent;
  }

  /** Selects the row of a review. */
  async reveal(key: string): Promise<void> {
    const row = rootNodes(this.state.snapshot).find((node) => node.id === key);
    if (row !== undefined) await this.view.reveal(row, { select: true, focus: true, expand: true });
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private update({ reviews, excluded, complete, listed }: Snapshot): void {
    this.changed.fire();
    const pending = reviews.filter(({ result }) => result.verdict === 'pending_tool_manifest_review').length;
    this.view.badge =
      pending === 0
        ? undefined
        : { value: pending, tooltip: vscode.l10n.t('{0} reviews need a look', pending) };
    this.view.message = [
      ...(listed
        ? []
        : [
            vscode.l10n.t(
              'The files of a folder could not be listed. Documents may be missing; see the log.',
            ),
          ]),
      ...(excluded === 0 ? [] : [vscode.l10n.t('{0} documents are left out by a setting.', excluded)]),
    ].join(' ');
    void vscode.commands.executeCommand('setContext', CONTEXT_KEYS.ready, complete);
  }
}
