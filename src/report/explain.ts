import { PROBLEMS, type ProblemCode } from '../engine/problems';
import { type ReasonCode, REASONS } from '../engine/reasons';
import { PROBLEM_PAGES } from './problemWords';
import { NOT_COVERED, REASON_WORDS } from './words';

/** The explanation page of a reason or problem code, as Markdown; undefined for an unknown code. */
export function explain(code: string): string | undefined {
  if (isReason(code)) {
    const { title, means, limits, remedy } = REASON_WORDS[code];
    return page(title, code, [
      ['What it means', means],
      ['What it does not mean', limits],
      ['What you can do', remedy],
      ['Beyond the digest', NOT_COVERED],
    ]);
  }
  if (!isProblem(code)) return undefined;
  const { title, why, remedy } = PROBLEM_PAGES[code];
  return page(title, code, [
    ['Why this matters', why],
    ['What you can do', remedy],
  ]);
}

function page(
  title: string,
  code: string,
  sections: readonly (readonly [heading: string, text: string])[],
): string {
  return (
    [`# ${title}`, `\`${code}\``, ...sections.map(([heading, text]) => `## ${heading}\n\n${text}`)].join(
      '\n\n',
    ) + '\n'
  );
}

function isReason(code: string): code is ReasonCode {
  return Object.hasOwn(REASONS, code);
}

function isProblem(code: string): code is ProblemCode {
  return Object.hasOwn(PROBLEMS, code);
}
