import { type Json, type Layout, layOut, type Path, type Spot, spotAt } from './layout';
import type { Expected, ExpectedFinding, ExpectedRemark, ExpectedReview, Located } from './cases';

/** One folder under fixtures/cases: its documents, what the specification expects of them, and where things stand. */
export class CaseWriter {
  readonly files = new Map<string, string | Uint8Array>();
  readonly reviews: ExpectedReview[] = [];
  readonly problems: (Located & { readonly code: string })[] = [];
  private readonly layouts = new Map<string, Layout>();

  constructor(readonly name: string) {}

  /** Adds a JSON document in the usual layout. */
  json(path: string, value: Json): void {
    const layout = layOut(value);
    this.layouts.set(path, layout);
    this.files.set(path, layout.text);
  }

  /** Adds a document written out by hand; `bytes` when it is not saved as plain UTF-8. */
  text(path: string, text: string, bytes?: Uint8Array): void {
    this.texts.set(path, text);
    this.files.set(path, bytes ?? text);
  }
  private readonly texts = new Map<string, string>();

  /** The place of a value of a JSON document. */
  at(path: string, ...value: Path): Located {
    return { path, ...this.layout(path).value(value) };
  }

  /** The place of a key of a JSON document. */
  key(path: string, ...value: Path): Located {
    return { path, ...this.layout(path).key(value) };
  }

  /** The place of the nth occurrence of some text in a document written out by hand. */
  find(path: string, part: string, nth = 1): Located {
    const text = this.texts.get(path) ?? '';
    let offset = -1;
    for (let count = 0; count < nth; count++) {
      offset = text.indexOf(part, offset + 1);
      if (offset < 0) throw new Error(`${this.name}: ${path} does not hold “${part}” ${nth} times.`);
    }
    return { path, ...spotAt(text, offset) };
  }

  /** Expects a review; the next in the order of reports. */
  review(
    expected: Partial<Omit<ExpectedReview, 'server'>> & { server?: string | null; verdict: string },
  ): void {
    const { server = 'github', ...rest } = expected;
    this.reviews.push({
      server: { id: server },
      observed: null,
      declared: null,
      policy: null,
      tools_list_complete: null,
      findings: [],
      inconclusive: [],
      warnings: [],
      ...rest,
    });
  }

  /** Expects a problem; the next in the order of reports. */
  problem(code: string, at: Located): void {
    this.problems.push({ ...at, code });
  }

  get expected(): Expected {
    const order = [
      'pending_tool_manifest_review',
      'inconclusive',
      'no_finding_with_coverage_warning',
      'no_finding',
    ];
    const worst = order.find((verdict) => this.reviews.some((review) => review.verdict === verdict));
    return { verdict: worst ?? 'inconclusive', reviews: this.reviews, problems: this.problems };
  }

  private layout(path: string): Layout {
    const layout = this.layouts.get(path);
    if (layout === undefined) throw new Error(`${this.name}: there is no document ${path}.`);
    return layout;
  }
}

/** The start of a document. */
export function top(path: string): Located {
  const spot: Spot = { line: 1, column: 1 };
  return { path, ...spot };
}

/** A finding of one tool, or of the whole manifest when `tool` is null. */
export function finding(
  reason_code: string,
  severity: string,
  tool: string | null,
  privileged: boolean | null,
  at: Located,
  more: { field?: string; notes?: string[] } = {},
): ExpectedFinding {
  return {
    reason_code,
    severity,
    tool,
    field: more.field ?? null,
    privileged,
    notes: more.notes ?? [],
    ...at,
  };
}

/** An inconclusive or a warning. */
export function remark(reason_code: string, at: Located, tool: string | null = null): ExpectedRemark {
  return { reason_code, tool, ...at };
}

/** A case and what fills it. */
export type Definition = readonly [name: string, fill: (c: CaseWriter) => void];

export const PENDING = 'pending_tool_manifest_review';
export const INCONCLUSIVE = 'inconclusive';
export const COVERAGE = 'no_finding_with_coverage_warning';
export const CLEAN = 'no_finding';
