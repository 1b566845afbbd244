import { join } from 'node:path';
import * as vscode from 'vscode';
import { type Case, loadCases } from '../support/cases';
import { codeOf, until } from './support/diagnostics';

const repository = process.env['MCP_MANIFEST_REVIEW_REPOSITORY'] ?? '';

describe('the cases, each a folder of the workspace', () => {
  before(async function () {
    this.timeout(120_000);
    await vscode.commands.executeCommand('mcpManifestReview.refresh');
  });

  for (const one of loadCases(join(repository, 'fixtures/cases'))) {
    it(one.name, async () => {
      const wanted = JSON.stringify(expectedEntries(one));
      const shown = () => JSON.stringify(shownEntries(one.name));
      await until(
        () => shown() === wanted,
        () => `shown:  ${shown()}\nwanted: ${wanted}`,
      );
    });
  }
});

/** What a case expects in the Problems panel; an invalid document is shown by its own problems. */
function expectedEntries({ expected }: Case): string[] {
  const remarks = expected.reviews.flatMap(({ findings, inconclusive, warnings }) => [
    ...findings,
    ...inconclusive.filter(({ reason_code }) => reason_code !== 'document_invalid'),
    ...warnings,
  ]);
  const entries = [
    ...remarks.map(({ reason_code, ...at }) => ({ code: reason_code, ...at })),
    ...expected.problems,
  ].map(({ path, line, column, code }) => `${path}:${line}:${column} ${code}`);
  return [...new Set(entries)].sort();
}

function shownEntries(name: string): string[] {
  const folder = vscode.workspace.workspaceFolders?.find((candidate) => candidate.name === name);
  if (folder === undefined) throw new Error(`There is no folder ${name}.`);
  const prefix = `${folder.uri.toString()}/`;
  return vscode.languages
    .getDiagnostics()
    .filter(([uri]) => uri.toString().startsWith(prefix))
    .flatMap(([uri, all]) =>
      all
        .filter(({ source }) => source === 'MCP Manifest')
        .map((diagnostic) => {
          const { line, character } = diagnostic.range.start;
          const path = decodeURIComponent(uri.toString().slice(prefix.length));
          return `${path}:${line + 1}:${character + 1} ${codeOf(diagnostic)}`;
        }),
    )
    .sort();
}
