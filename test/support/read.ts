import assert from 'node:assert/strict';
import type {
  DeclaredDocument,
  DocumentKind,
  ManifestDocument,
  ObservedDocument,
  PolicyDocument,
} from '../../src/engine/manifest/documents';
import { readText } from '../../src/engine/manifest/read';
import { type Json, layOut } from './layout';

interface ByKind {
  observed: ObservedDocument;
  declared: DeclaredDocument;
  policy: PolicyDocument;
}

/** Reads a document that must be of a kind. */
export function readAs<K extends DocumentKind>(kind: K, uri: string, document: Json): ByKind[K] {
  const read = readText(uri, typeof document === 'string' ? document : layOut(document).text);
  assert.ok(read !== null && isKind(read, kind), `${uri} is no ${kind} document`);
  return read;
}

function isKind<K extends DocumentKind>(document: ManifestDocument, kind: K): document is ByKind[K] {
  return document.kind === kind;
}
