import * as vscode from 'vscode';
import type { Sha256 } from '../../engine/canon/digests';
import { decodeUtf8 } from '../../engine/json/decode';
import { Lines } from '../../engine/json/lines';
import { type Capture, isCaptureError, readCapture } from '../../engine/manifest/capture';
import { produce } from '../../engine/manifest/produce';
import { printRecord } from '../../engine/manifest/record';
import type { Completeness } from '../../engine/manifest/schema';
import { captureErrorMessage } from '../../report/captureWords';
import { problemMessage } from '../../report/problemWords';
import { HumanError } from '../errors';
import { shownPath, withoutIcons } from '../plain';
import { saveAs } from '../save';

/** A text that may be a tools/list capture, and where it is from. */
interface Origin {
  readonly text: string;
  /** Null for the clipboard. */
  readonly uri: vscode.Uri | null;
}

/**
 * “Build Observed Manifest from tools/list…” (semantics 4): from the open file, the clipboard or a chosen file; asks
 * for the server id and for what is claimed of the list.
 */
export async function buildManifest(sha256: Sha256): Promise<void> {
  const origin = await pickOrigin();
  if (origin === undefined) return;
  const capture = readCapture(origin.text);
  if (isCaptureError(capture)) {
    const { line, column } = new Lines(origin.text).at(capture.offset);
    throw new HumanError(
      vscode.l10n.t('Line {0}, column {1}: {2}', line + 1, column + 1, captureErrorMessage(capture)),
    );
  }
  const server = await askServer(origin);
  if (server === undefined) return;
  const completeness = await askCompleteness(capture);
  if (completeness === undefined) return;
  const record = printRecord(produce(capture.definitions, server, completeness, sha256));
  const saved = await saveAs(record, `${fileName(server)}.observed.json`, origin.uri);
  if (saved !== undefined) await vscode.window.showTextDocument(saved, { preview: false });
}

async function pickOrigin(): Promise<Origin | undefined> {
  const active = vscode.window.activeTextEditor?.document;
  const open = active && {
    label: vscode.l10n.t('The open file'),
    description: withoutIcons(shownPath(active.uri)),
    read: () => readDocument(active),
  };
  const choices = [
    ...(open === undefined ? [] : [open]),
    { label: vscode.l10n.t('The clipboard'), read: readClipboard },
    { label: vscode.l10n.t('Choose a file…'), read: readChosenFile },
  ];
  const placeHolder = vscode.l10n.t('Select where the tools/list capture is');
  return (await vscode.window.showQuickPick(choices, { placeHolder }))?.read();
}

/** The bytes of the file where the two are equal: the editor replaces what it cannot decode. */
async function readDocument(document: vscode.TextDocument): Promise<Origin> {
  if (document.isDirty || document.isUntitled) return { text: document.getText(), uri: document.uri };
  return readFile(document.uri);
}

async function readClipboard(): Promise<Origin> {
  return { text: await vscode.env.clipboard.readText(), uri: null };
}

async function readChosenFile(): Promise<Origin | undefined> {
  const openLabel = vscode.l10n.t('Read Capture');
  const [uri] = (await vscode.window.showOpenDialog({ canSelectMany: false, openLabel })) ?? [];
  return uri && readFile(uri);
}

async function readFile(uri: vscode.Uri): Promise<Origin> {
  const { text, lossy } = decodeUtf8(await vscode.workspace.fs.readFile(uri));
  if (lossy !== undefined) throw new HumanError(problemMessage(lossy));
  return { text, uri };
}

async function askServer({ uri }: Origin): Promise<string | undefined> {
  const name = uri === null ? '' : (uri.path.split('/').at(-1) ?? '');
  return vscode.window.showInputBox({
    title: vscode.l10n.t('Server id'),
    prompt: vscode.l10n.t('The id the server’s baseline goes by'),
    value: name.replace(/(\.tools)?\.[^.]*$/, ''),
    ignoreFocusOut: true,
    validateInput: (value) => (value === '' ? vscode.l10n.t('A server id is needed.') : undefined),
  });
}

async function askCompleteness({ pending }: Capture): Promise<Completeness | undefined> {
  interface Choice extends vscode.QuickPickItem {
    readonly value: Completeness;
  }
  const choices: Choice[] = [
    {
      label: 'unknown',
      detail: vscode.l10n.t(
        'It is not known whether these are all tools. Drift is found; a clean result is not given.',
      ),
      value: 'unknown',
    },
    {
      label: 'partial',
      detail: vscode.l10n.t('Some pages are missing. Removed tools cannot be told.'),
      value: 'partial',
    },
    {
      label: 'complete',
      detail: vscode.l10n.t('I claim: every page of tools/list was observed, until no next page was named.'),
      value: 'complete',
    },
  ];
  const offered = pending ? choices.filter(({ value }) => value !== 'complete') : choices;
  const placeHolder = pending
    ? vscode.l10n.t('The last page names a next one, so the list cannot be claimed complete')
    : vscode.l10n.t('Select what is claimed of the list');
  const options = { title: vscode.l10n.t('Is the list complete?'), placeHolder, ignoreFocusOut: true };
  return (await vscode.window.showQuickPick(offered, options))?.value;
}

/** A server id as a file name: what a file system may refuse becomes a hyphen. */
function fileName(server: string): string {
  return server.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[.-]+/, '') || 'server';
}
