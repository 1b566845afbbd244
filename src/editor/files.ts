import * as vscode from 'vscode';
import type { FileContent, Files } from '../workspace/ports';

/** Files through the editor, so that any file system it knows can be reviewed. */
export const editorFiles: Files = {
  async list(folder, patterns) {
    const base = vscode.Uri.parse(folder.uri);
    // `null` keeps `files.exclude` from hiding documents: only our own settings leave something out, and that is shown.
    const found = await Promise.all(
      patterns.map((pattern) => vscode.workspace.findFiles(new vscode.RelativePattern(base, pattern), null)),
    );
    return [...new Set(found.flat().map((uri) => uri.toString()))];
  },

  async read(address, maxSize): Promise<FileContent> {
    const uri = vscode.Uri.parse(address);
    try {
      const { size, type } = await vscode.workspace.fs.stat(uri);
      if ((type & vscode.FileType.Directory) !== 0) return { kind: 'missing' };
      if (size > maxSize) return { kind: 'too large', size };
      return { kind: 'bytes', bytes: await vscode.workspace.fs.readFile(uri) };
    } catch (error) {
      const code = error instanceof vscode.FileSystemError ? error.code : '';
      if (code === 'FileNotFound' || code === 'FileIsADirectory') return { kind: 'missing' };
      return {
        kind: 'failed',
        reason: code === 'NoPermissions' ? 'permission is denied' : 'the file system refused',
      };
    }
  },
};
