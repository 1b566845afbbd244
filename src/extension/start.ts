import * as vscode from 'vscode';
import * as z from 'zod';
import { QuickFixes } from '../editor/actions';
import { buildManifest } from '../editor/commands/buildManifest';
import { copyObservedBlock } from '../editor/commands/copyBlock';
import { recomputeBaselineDigest } from '../editor/commands/recompute';
import { reviewFile } from '../editor/commands/reviewFile';
import { register } from '../editor/commands/run';
import { saveReport } from '../editor/commands/saveReport';
import { Diagnostics } from '../editor/diagnostics';
import { VirtualDocuments } from '../editor/documents';
import { showExplanation } from '../editor/explanations';
import { editorFiles } from '../editor/files';
import { COMMANDS } from '../editor/ids';
import { logEvent } from '../editor/log';
import { State } from '../editor/state';
import { ReviewsView } from '../editor/tree/view';
import { watch } from '../editor/watch';
import type { Sha256 } from '../engine/canon/digests';
import type { Clock } from '../workspace/ports';
import { Session } from '../workspace/session';

const packageSchema = z.object({ version: z.string() });

/** What a host brings that differs between desktop and web. */
export interface Host {
  readonly sha256: Sha256;
  readonly clock: Clock;
}

/** Starts everything; whatever is started ends with the extension. */
export function start(context: vscode.ExtensionContext, { sha256, clock }: Host): void {
  const { version } = packageSchema.parse(context.extension.packageJSON);
  const log = vscode.window.createOutputChannel('MCP Manifest Review', { log: true });
  const state = new State();
  const session = new Session({
    files: editorFiles,
    clock,
    sha256,
    log: (event) => {
      logEvent(log, event);
    },
    publish: (snapshot) => {
      state.set(snapshot);
    },
  });
  const documents = new VirtualDocuments();
  const view = new ReviewsView(state);
  context.subscriptions.push(
    log,
    state,
    session,
    documents,
    view,
    new Diagnostics(state),
    vscode.languages.registerCodeActionsProvider(
      { pattern: '**' },
      new QuickFixes(state, sha256),
      QuickFixes.metadata,
    ),
    register(COMMANDS.refresh, log, () => session.reload()),
    register(COMMANDS.reviewFile, log, () => reviewFile(session, state, view)),
    register(COMMANDS.copyBlock, log, (row) => copyObservedBlock({ state, session, documents, sha256 }, row)),
    register(COMMANDS.recomputeDigest, log, () => recomputeBaselineDigest(sha256)),
    register(COMMANDS.buildManifest, log, () => buildManifest(sha256)),
    register(COMMANDS.saveReport, log, () => saveReport(state, version, sha256)),
    register(COMMANDS.explainReason, log, (code) => showExplanation(code)),
    register(COMMANDS.showLog, log, () => {
      log.show();
    }),
    watch(session, (error) => {
      log.error(error instanceof Error ? error : String(error));
    }),
  );
}
