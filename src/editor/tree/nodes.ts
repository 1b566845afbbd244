import type { ManifestDocument } from '../../engine/manifest/documents';
import { type Place, placeIn } from '../../engine/manifest/place';
import type { Problem } from '../../engine/problems';
import type { Finding, Inconclusive, Warning } from '../../engine/verdict/result';
import type { JudgedReview } from '../../workspace/reviews';
import type { Snapshot } from '../../workspace/session';
import { groupBy } from '../../engine/groupBy';
import { groupFindings, type ToolFindings, type ToolGroup } from '../../report/groups';

/** A row of the tree. Its id derives from what it shows, so that selection and expansion survive updates. */
export type Node =
  ReviewNode | GroupNode | ToolNode | FindingNode | RemarkNode | DocumentsNode | DocumentNode | ProblemNode;

export interface ReviewNode {
  readonly kind: 'review';
  readonly id: string;
  readonly parent: null;
  readonly review: JudgedReview;
  /** Whether another review is for the same server, so that the row has to name its document. */
  readonly alike: boolean;
}

/** Many tools that changed in the same way. */
export interface GroupNode {
  readonly kind: 'group';
  readonly id: string;
  readonly parent: ReviewNode;
  readonly group: ToolGroup;
}

/** All findings of one tool; one that needs no fields below it stands for itself. */
export interface ToolNode {
  readonly kind: 'tool';
  readonly id: string;
  readonly parent: ReviewNode | GroupNode;
  readonly tool: ToolFindings;
}

/** A field of a tool, or drift of the whole manifest. */
export interface FindingNode {
  readonly kind: 'finding';
  readonly id: string;
  readonly parent: ToolNode | ReviewNode;
  readonly finding: Finding;
}

export interface RemarkNode {
  readonly kind: 'remark';
  readonly id: string;
  readonly parent: ReviewNode;
  readonly type: 'inconclusive' | 'warning';
  readonly remark: Inconclusive | Warning;
}

/** The heading over documents with problems. */
export interface DocumentsNode {
  readonly kind: 'documents';
  readonly id: string;
  readonly parent: null;
  readonly documents: readonly ManifestDocument[];
}

export interface DocumentNode {
  readonly kind: 'document';
  readonly id: string;
  readonly parent: DocumentsNode;
  readonly document: ManifestDocument;
}

export interface ProblemNode {
  readonly kind: 'problem';
  readonly id: string;
  readonly parent: DocumentNode;
  readonly problem: Problem;
  readonly at: Place;
}

/** The top rows: one a review, those that need a person first; then the documents with problems. */
export function rootNodes({ reviews, documents }: Snapshot): Node[] {
  const byServer = groupBy(reviews, ({ result }) => result.serverId);
  const rows = reviews.map((review): ReviewNode => {
    const alike = (byServer.get(review.result.serverId)?.length ?? 0) > 1;
    return { kind: 'review', id: review.key, parent: null, review, alike };
  });
  const broken = documents.filter(({ problems }) => problems.length > 0);
  const heading: DocumentsNode = { kind: 'documents', id: 'documents', parent: null, documents: broken };
  return broken.length > 0 ? [...rows, heading] : rows;
}

export function childNodes(node: Node): Node[] {
  switch (node.kind) {
    case 'review':
      return reviewChildren(node);
    case 'group':
      return node.group.tools.map((tool) => toolNode(node, tool));
    case 'tool':
      return node.tool.findings.length === 1 && node.tool.findings[0]?.field === null
        ? []
        : node.tool.findings.map((finding) => ({
            kind: 'finding',
            id: `${node.id}/${finding.field ?? finding.code}`,
            parent: node,
            finding,
          }));
    case 'documents':
      return node.documents.map((document) => ({
        kind: 'document',
        id: `${node.id}/${document.source.uri}`,
        parent: node,
        document,
      }));
    case 'document':
      return node.document.problems.map((problem, index) => ({
        kind: 'problem',
        id: `${node.id}/${index}`,
        parent: node,
        problem,
        at: placeIn(node.document.source, problem),
      }));
    case 'finding':
    case 'remark':
    case 'problem':
      return [];
  }
}

function reviewChildren(node: ReviewNode): Node[] {
  const { findings, inconclusive, warnings } = node.review.result;
  const remark =
    (type: RemarkNode['type']) =>
    (item: Inconclusive | Warning): RemarkNode => ({
      kind: 'remark',
      id: JSON.stringify([node.id, type, item.code, item.tool, item.at.uri, item.at.start]),
      parent: node,
      type,
      remark: item,
    });
  return [
    ...findings
      .filter(({ tool }) => tool === null)
      .map((finding): FindingNode => ({
        kind: 'finding',
        id: `${node.id}/${finding.code}`,
        parent: node,
        finding,
      })),
    ...groupFindings(findings).map((entry) =>
      entry.kind === 'tool' ? toolNode(node, entry) : groupNode(node, entry),
    ),
    ...inconclusive.map(remark('inconclusive')),
    ...warnings.map(remark('warning')),
  ];
}

function groupNode(parent: ReviewNode, group: ToolGroup): GroupNode {
  const { what, severity, privileged } = group;
  return {
    kind: 'group',
    id: JSON.stringify([parent.id, 'group', what, severity, privileged]),
    parent,
    group,
  };
}

function toolNode(parent: ReviewNode | GroupNode, tool: ToolFindings): ToolNode {
  // A tool keeps its identity when it enters or leaves a group.
  const review = parent.kind === 'group' ? parent.parent : parent;
  return { kind: 'tool', id: JSON.stringify([review.id, 'tool', tool.tool]), parent, tool };
}
