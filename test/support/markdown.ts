/**
 * What Markdown takes up of a text: everything outside code spans. A naive scanner of CommonMark 6.1: a run of
 * backticks opens a span that the next run of the same length closes, inside one paragraph, list item or table cell.
 */
export function outsideCode(markdown: string): string {
  return blocksOf(markdown).map(withoutSpans).join('\n');
}

/** Inline content never crosses a blank line, the start of a list item, or a bar between cells of a table. */
function blocksOf(markdown: string): string[] {
  return markdown.split('\n').flatMap((line) => (line.startsWith('|') ? line.split(/(?<!\\)\|/) : [line]));
}

function withoutSpans(block: string): string {
  const runs = [...block.matchAll(/`+/g)];
  let text = '';
  let at = 0;
  for (let index = 0; index < runs.length; index++) {
    const open = runs[index];
    if (open === undefined || open.index < at) continue;
    const close = runs.slice(index + 1).find((run) => run[0].length === open[0].length);
    const end = close === undefined ? open.index + open[0].length : close.index + close[0].length;
    text += block.slice(at, close === undefined ? end : open.index);
    at = end;
  }
  return text + block.slice(at);
}
