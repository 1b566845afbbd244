import type { Style } from '../report/text';

/** How long a terminal waits before it is told that work goes on, in milliseconds. */
const PATIENCE = 1000;

const CODES: Readonly<Record<Parameters<Style>[0], string>> = {
  title: '1',
  high: '31',
  medium: '33',
  low: '36',
  inconclusive: '35',
  warning: '33',
  quiet: '2',
};

/** Colours for a terminal; undefined when standard output is none, or `NO_COLOR` is set (no-color.org). */
export function terminalStyle(): Style | undefined {
  const wanted =
    process.stdout.isTTY && (process.env['NO_COLOR'] ?? '') === '' && process.env['TERM'] !== 'dumb';
  return wanted ? (part, text) => `\u{1B}[${CODES[part]}m${text}\u{1B}[0m` : undefined;
}

/** Tells a waiting terminal, on standard error, that work goes on; takes it back when the work is done. */
export async function withProgress<T>(message: string, work: Promise<T>): Promise<T> {
  if (!process.stderr.isTTY) return work;
  let takeBack = () => {};
  const timer = setTimeout(() => {
    process.stderr.write(message);
    takeBack = () => process.stderr.write(`\r${' '.repeat(message.length)}\r`);
  }, PATIENCE);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
    takeBack();
  }
}
