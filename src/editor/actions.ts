import * as vscode from 'vscode';
import type { Sha256 } from '../engine/canon/digests';
import { REASONS, type ReasonCode } from '../engine/reasons';
import { recomputeEdit } from './commands/recompute';
import { HumanError } from './errors';
import { COMMANDS, DIAGNOSTIC_SOURCE } from './ids';
import { toRange } from './ranges';
import type { State } from './state';

/** Quick fixes for our diagnostics, made from the document's text at the moment they are asked for. */
export class QuickFixes implements vscode.CodeActionProvider {
  static readonly metadata: vscode.CodeActionProviderMetadata = {
    providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
  };

  constructor(
    private readonly state: State,
    private readonly sha256: Sha256,
  ) {}

  provideCodeActions(
    document: vscode.TextDocument,
    _range: vscode.Range,
    { diagnostics }: vscode.CodeActionContext,
  ): vscode.CodeAction[] {
    return diagnostics
      .filter(({ source }) => source === DIAGNOSTIC_SOURCE)
      .flatMap((diagnostic) => [...this.recompute(document, diagnostic), ...this.copy(document, diagnostic)]);
  }

  private recompute(document: vscode.TextDocument, diagnostic: vscode.Diagnostic): vscode.CodeAction[] {
    if (codeOf(diagnostic) !== 'declared_manifest_digest_mismatch') return [];
    const action = quickFix(vscode.l10n.t('Recompute baseline digest'), diagnostic);
    try {
      const edit = recomputeEdit(document, this.sha256);
      if (edit === undefined) return [];
      action.edit = edit;
      return [action];
    } catch (error) {
      // The text has become invalid since the diagnostic was made: there is nothing to offer.
      if (error instanceof HumanError) return [];
      throw error;
    }
  }

  private copy(document: vscode.TextDocument, diagnostic: vscode.Diagnostic): vscode.CodeAction[] {
    const code = codeOf(diagnostic);
    const remedied =
      code === 'no_declared_baseline' || (code !== undefined && REASONS[code].kind === 'finding');
    if (!remedied) return [];
    const uri = document.uri.toString();
    return this.state
      .reviewsOf(uri)
      .filter(({ result }) =>
        [...result.findings, ...result.inconclusive].some(
          ({ code: own, at }) =>
            own === code && at.uri === uri && toRange(at).start.isEqual(diagnostic.range.start),
        ),
      )
      .map((review) => {
        const title = vscode.l10n.t('Copy observed block into baseline…');
        const action = quickFix(title, diagnostic);
        action.command = { command: COMMANDS.copyBlock, title, arguments: [review.key] };
        return action;
      });
  }
}

function quickFix(title: string, diagnostic: vscode.Diagnostic): vscode.CodeAction {
  const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
  action.diagnostics = [diagnostic];
  return action;
}

function codeOf({ code }: vscode.Diagnostic): ReasonCode | undefined {
  const value = typeof code === 'object' ? code.value : code;
  return typeof value === 'string' && isReason(value) ? value : undefined;
}

function isReason(value: string): value is ReasonCode {
  return Object.hasOwn(REASONS, value);
}
