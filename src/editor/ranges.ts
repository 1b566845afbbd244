import * as vscode from 'vscode';
import type { Place } from '../engine/manifest/place';

/** An engine's place as the editor's range. */
export function toRange({ from, to }: Place): vscode.Range {
  return new vscode.Range(from.line, from.column, to.line, to.column);
}

export function toLocation(place: Place): vscode.Location {
  return new vscode.Location(vscode.Uri.parse(place.uri), toRange(place));
}
