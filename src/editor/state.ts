import * as vscode from 'vscode';
import type { JudgedReview } from '../workspace/reviews';
import type { Snapshot } from '../workspace/session';

/** What is known now, and an event whenever that may have changed. Everything that shows something reads it here. */
export class State {
  private readonly changed = new vscode.EventEmitter<Snapshot>();
  readonly onDidChange = this.changed.event;
  private current: Snapshot = { reviews: [], documents: [], excluded: 0, complete: false, listed: true };

  get snapshot(): Snapshot {
    return this.current;
  }

  set(snapshot: Snapshot): void {
    this.current = snapshot;
    this.changed.fire(snapshot);
  }

  review(key: string): JudgedReview | undefined {
    return this.current.reviews.find((review) => review.key === key);
  }

  /** The reviews a document takes part in. */
  reviewsOf(uri: string): JudgedReview[] {
    return this.current.reviews.filter(({ input }) =>
      [input.observed, ...input.declared, ...input.policies].some((document) => document?.source.uri === uri),
    );
  }

  dispose(): void {
    this.changed.dispose();
  }
}
