import type * as vscode from 'vscode';
import { showHidden } from '../report/escape';
import { VERDICT_WORDS } from '../report/words';
import { shownPath } from './plain';
import type { SessionEvent } from '../workspace/ports';

/** What is asked of a log. */
export type Log = Pick<vscode.LogOutputChannel, 'debug' | 'info' | 'error'>;

/** The log of what was read, paired and skipped, and why. */
export function logEvent(log: Log, event: SessionEvent): void {
  switch (event.type) {
    case 'listed':
      log.info(
        `Folder ${showHidden(event.folder.name)}: ${event.watched} watched names, ${event.excluded} documents left out by a setting.`,
      );
      return;
    case 'read':
      log.info(
        `Read ${shown(event.uri)} (${event.document}${event.unsaved ? ', unsaved' : ''}): ${event.problems} problems.`,
      );
      return;
    case 'ignored':
      if (event.why === 'excluded') log.info(`Left out ${shown(event.uri)}: excluded by a setting.`);
      else log.debug(`Skipped ${shown(event.uri)}: it is no observed manifest, no baseline and no policy.`);
      return;
    case 'dropped':
      log.info(`Dropped ${shown(event.uri)}: it is gone or takes no part any more.`);
      return;
    case 'failed':
      log.error(`Could not read ${shown(event.uri)}: ${event.reason}.`);
      return;
    case 'list failed':
      log.error(`The files of a folder could not be listed: ${showHidden(event.reason)}`);
      return;
    case 'judged':
      logReview(log, event.review);
  }
}

function logReview(log: Log, { result, input }: Extract<SessionEvent, { type: 'judged' }>['review']): void {
  const baselines = [...input.declared, ...input.policies].map((document) => shown(document.source.uri));
  const server = result.serverId === null ? 'without a server id' : `for ${showHidden(result.serverId)}`;
  const observed = result.observed === null ? 'no observation' : shown(result.observed);
  const paired = baselines.length === 0 ? 'no baseline' : baselines.join(' and ');
  log.info(`Review ${server}: ${observed} with ${paired}: ${VERDICT_WORDS[result.verdict]}.`);
}

function shown(uri: string): string {
  return shownPath(uri, true);
}
