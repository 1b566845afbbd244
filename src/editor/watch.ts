import * as vscode from 'vscode';
import { decodeUtf8 } from '../engine/json/decode';
import type { Session } from '../workspace/session';
import { toLf } from './edits';
import { SETTINGS_SECTION } from './ids';
import { readConfiguration, readDelay } from './settings';

/** Tells the session of everything that happens to files, open texts, folders and settings. */
export function watch(session: Session, report: (error: unknown) => void): vscode.Disposable {
  const configure = () => {
    session.configure(readConfiguration()).then(() => {
      for (const document of vscode.workspace.textDocuments) follow(session, document);
    }, report);
  };
  const watchers = new FolderWatchers(session, report);
  const subscriptions = [
    watchers,
    vscode.workspace.onDidOpenTextDocument((document) => {
      follow(session, document);
    }),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      follow(session, document);
    }),
    vscode.workspace.onDidSaveTextDocument((document) => {
      if (!session.belongs(addressOf(document))) return;
      session.saved(addressOf(document));
      checkSaved(session, document).catch(report);
    }),
    vscode.workspace.onDidCloseTextDocument((document) => {
      session.closed(addressOf(document));
    }),
    vscode.window.tabGroups.onDidChangeTabs((event) => {
      followTabs(session, event);
    }),
    vscode.workspace.onDidChangeWorkspaceFolders(() => {
      watchers.update();
      configure();
    }),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(SETTINGS_SECTION)) configure();
    }),
    // Settings a workspace may not set while it is untrusted count from now on.
    vscode.workspace.onDidGrantWorkspaceTrust(configure),
  ];
  watchers.update();
  configure();
  return vscode.Disposable.from(...subscriptions);
}

/** Lets an open text count: by its file while the two are equal, by itself otherwise. */
function follow(session: Session, document: vscode.TextDocument): void {
  const uri = addressOf(document);
  if (document.isClosed || !session.belongs(uri)) return;
  // Unsaved text that would be saved in another encoding is judged as its file is: not readable exactly.
  const exact = document.isUntitled || /^utf8(?:bom)?$/.test(document.encoding);
  if (exact && (document.isUntitled || document.isDirty)) {
    session.edited(uri, () => document.getText(), readDelay());
  } else if (isInTab(uri)) session.opened(uri);
  else session.closed(uri);
}

/**
 * The editor tells of a save late and calls the text clean then, even when typing went on meanwhile. So a saved text is
 * compared with its file once; where the two differ, the text counts.
 */
async function checkSaved(session: Session, document: vscode.TextDocument): Promise<void> {
  const { version } = document;
  const { text, lossy } = decodeUtf8(await vscode.workspace.fs.readFile(document.uri));
  const typedOn = lossy === undefined && toLf(text) !== toLf(document.getText());
  if (typedOn && !document.isClosed && document.version === version) {
    session.edited(addressOf(document), () => document.getText(), readDelay());
  }
}

/** The editor keeps a text for minutes after its last tab is closed; for people it is open while it has a tab. */
function followTabs(session: Session, { opened, closed }: vscode.TabChangeEvent): void {
  const concerned = new Set([...opened, ...closed].flatMap(addressesOf));
  for (const document of vscode.workspace.textDocuments) {
    if (concerned.has(addressOf(document))) follow(session, document);
  }
}

function isInTab(uri: string): boolean {
  return vscode.window.tabGroups.all.some(({ tabs }) => tabs.some((tab) => addressesOf(tab).includes(uri)));
}

function addressesOf({ input }: vscode.Tab): string[] {
  if (input instanceof vscode.TabInputText) return [input.uri.toString()];
  return input instanceof vscode.TabInputTextDiff
    ? [input.original.toString(), input.modified.toString()]
    : [];
}

function addressOf(document: vscode.TextDocument): string {
  return document.uri.toString();
}

/** One watcher a workspace folder: names that matter are looked at again, folders that come or go are noticed. */
class FolderWatchers implements vscode.Disposable {
  private watchers: vscode.Disposable[] = [];

  constructor(
    private readonly session: Session,
    private readonly report: (error: unknown) => void,
  ) {}

  update(): void {
    this.dispose();
    this.watchers = (vscode.workspace.workspaceFolders ?? []).map((folder) => this.watch(folder));
  }

  dispose(): void {
    for (const watcher of this.watchers) watcher.dispose();
    this.watchers = [];
  }

  private watch(folder: vscode.WorkspaceFolder): vscode.Disposable {
    const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, '**/*'));
    watcher.onDidChange((uri) => {
      this.touch(uri);
    });
    watcher.onDidCreate((uri) => {
      this.session.appearedBeside(uri.toString());
      if (!this.touch(uri)) this.noticeFolder(uri);
    });
    // The deletion of a folder raises no events for what it held.
    watcher.onDidDelete((uri) => {
      this.session.removed(uri.toString());
    });
    return watcher;
  }

  private touch(uri: vscode.Uri): boolean {
    const address = uri.toString();
    const concerned = this.session.isWatched(address) || this.session.document(address) !== undefined;
    if (concerned) this.session.touch(address);
    return concerned;
  }

  private noticeFolder(uri: vscode.Uri): void {
    vscode.workspace.fs.stat(uri).then(
      ({ type }) => {
        if ((type & vscode.FileType.Directory) !== 0) this.session.appeared(uri.toString());
      },
      (error: unknown) => {
        // What is gone again before it could be looked at needs no look.
        if (!(error instanceof vscode.FileSystemError && error.code === 'FileNotFound')) this.report(error);
      },
    );
  }
}
