import * as vscode from 'vscode';
import { type Place, placeIn } from '../engine/manifest/place';
import { groupBy } from '../engine/groupBy';
import { type Problem, PROBLEMS } from '../engine/problems';
import type { Finding, Inconclusive, Warning } from '../engine/verdict/result';
import { message } from '../report/messages';
import { problemMessage } from '../report/problemWords';
import type { Snapshot } from '../workspace/session';
import { explanationLink } from './explanations';
import { DIAGNOSTIC_SOURCE } from './ids';
import { toLocation, toRange } from './ranges';
import { type Category, type Level, readLevels } from './settings';
import type { State } from './state';

/** VS Code shows this many problems a file; one place is kept for the entry that says how many more there are. */
const PER_FILE = 1000;

/** Something to be shown at a place. `source` is the engine's own object: while it is the same, nothing changed. */
interface Item {
  readonly at: Place;
  readonly source: Finding | Inconclusive | Warning | Problem;
  readonly category: Category | 'problem';
  readonly server: string | null;
  /** The observed document of the review; null where there is none. */
  readonly observed: string | null;
}

const SEVERITIES: Readonly<Record<Level, vscode.DiagnosticSeverity>> = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  information: vscode.DiagnosticSeverity.Information,
  hint: vscode.DiagnosticSeverity.Hint,
};

const PROBLEM_LEVELS: Readonly<Record<(typeof PROBLEMS)[Problem['code']], Level>> = {
  invalid: 'error',
  entry: 'error',
  ignored: 'warning',
  caution: 'information',
};

/** Keeps the Problems panel true to the reviews; a file whose items are the same as before is left alone. */
export class Diagnostics implements vscode.Disposable {
  private readonly collection = vscode.languages.createDiagnosticCollection('mcpManifestReview');
  private readonly subscriptions: readonly { dispose(): void }[];
  private shown: ReadonlyMap<string, readonly Item[]> = new Map();

  constructor(private readonly state: State) {
    this.subscriptions = [
      this.collection,
      state.onDidChange((snapshot) => {
        this.update(snapshot);
      }),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('mcpManifestReview.severity')) this.update(this.state.snapshot, true);
      }),
    ];
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private update(snapshot: Snapshot, all = false): void {
    const next = groupBy(itemsOf(snapshot), (item) => item.at.uri);
    const levels = readLevels();
    for (const uri of this.shown.keys()) {
      if (!next.has(uri)) this.collection.delete(vscode.Uri.parse(uri));
    }
    for (const [uri, items] of next) {
      if (!all && sameItems(this.shown.get(uri), items)) continue;
      this.collection.set(vscode.Uri.parse(uri), limited(items, levels));
    }
    this.shown = next;
  }
}

function itemsOf({ reviews, documents }: Snapshot): Item[] {
  const problems = documents.flatMap(({ source, problems: found }) =>
    found.map((problem): Item => ({
      at: placeIn(source, problem),
      source: problem,
      category: 'problem',
      server: null,
      observed: null,
    })),
  );
  const results = reviews.flatMap(({ result }) => {
    const { serverId: server, observed } = result;
    return [
      ...result.findings.map((finding): Item => ({
        at: finding.at,
        source: finding,
        category: finding.severity,
        server,
        observed,
      })),
      // The document's own problems say the same at the same place, and more exactly.
      ...result.inconclusive
        .filter(({ code }) => code !== 'document_invalid')
        .map((item): Item => ({ at: item.at, source: item, category: 'inconclusive', server, observed })),
      ...result.warnings.map((item): Item => ({
        at: item.at,
        source: item,
        category: 'coverage',
        server,
        observed,
      })),
    ];
  });
  return [...problems, ...results];
}

function sameItems(before: readonly Item[] | undefined, now: readonly Item[]): boolean {
  return before?.length === now.length && now.every((item, index) => item.source === before[index]?.source);
}

/** The diagnostics of one file: the gravest first, as many as VS Code shows, the last saying how many more there are. */
function limited(items: readonly Item[], levels: Readonly<Record<Category, Level>>): vscode.Diagnostic[] {
  const all = withoutRepeats(items.map((item) => toDiagnostic(item, levels)));
  if (all.length <= PER_FILE) return all;
  const kept = all.sort((a, b) => a.severity - b.severity).slice(0, PER_FILE - 1);
  const rest = all.length - kept.length;
  const text = vscode.l10n.t('{0} more entries for this file are in the MCP Manifest Review view.', rest);
  const last = new vscode.Diagnostic(new vscode.Range(0, 0, 0, 0), text, all[PER_FILE - 1]?.severity);
  last.source = DIAGNOSTIC_SOURCE;
  return [...kept, last];
}

/** Two reviews that share a document say the same of it once. */
function withoutRepeats(diagnostics: readonly vscode.Diagnostic[]): vscode.Diagnostic[] {
  const key = ({ range, message: text, severity }: vscode.Diagnostic) =>
    JSON.stringify([range.start.line, range.start.character, text, severity]);
  return [...new Map(diagnostics.map((diagnostic) => [key(diagnostic), diagnostic])).values()];
}

function toDiagnostic(item: Item, levels: Readonly<Record<Category, Level>>): vscode.Diagnostic {
  const { source } = item;
  const isProblem = 'detail' in source;
  const text = isProblem ? problemMessage(source) : message(source, item.server);
  const level =
    item.category === 'problem'
      ? isProblem
        ? PROBLEM_LEVELS[PROBLEMS[source.code]]
        : 'error'
      : levels[item.category];
  const diagnostic = new vscode.Diagnostic(toRange(item.at), text, SEVERITIES[level]);
  diagnostic.source = DIAGNOSTIC_SOURCE;
  diagnostic.code = { value: source.code, target: explanationLink(source.code) };
  if (!isProblem) {
    diagnostic.relatedInformation = source.related.map((place) => {
      const side =
        place.uri === item.observed ? vscode.l10n.t('In the observation') : vscode.l10n.t('In the baseline');
      return new vscode.DiagnosticRelatedInformation(toLocation(place), side);
    });
  }
  return diagnostic;
}
