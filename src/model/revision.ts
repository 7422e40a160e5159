import type { BatchView } from './batch-view.ts';
import type { Command } from './command.ts';
import type { Domain } from './domain.ts';
import { quoteText } from './quote-text.ts';
import type { Refusal } from './refusal.ts';

/** What a domain's content is known by, as a strong entity tag (RFC 9110 section 8.8.3), with its quotes. */
export function revisionOf({ id, serial }: Pick<Domain, 'id' | 'serial'>): string {
  return `"${id.toString(16)}-${serial.toString(16)}"`;
}

/**
 * What is said of a revision that was gone before anybody could see it: other writes came after, in the same serial
 * step. No domain ever has it, so a write on condition of it is refused.
 *
 * @param step tells it from the others of that serial
 */
export function passedRevision(revision: string, step: number): string {
  return `${revision.slice(0, -1)}-${step.toString(16)}"`;
}

/**
 * The refusal of a command whose precondition does not hold. Of a domain that is not there only what brings one is
 * refused here: all else has its own sentence for that (RFC 9110 section 13.2.1).
 */
export function checkPrecondition(command: Command, view: BatchView): Refusal | undefined {
  if (!('ifMatch' in command) || command.ifMatch === undefined) return undefined;
  const { author, ifMatch } = command;
  const name = 'domain' in command ? command.domain : command.name;
  const domain = view.findDomain(name);
  if (domain?.accountId !== author.accountId) {
    if (!bringsDomain(command)) return undefined;
    return failed(`Domain ${quoteText(name)} is not there`);
  }
  const revision = revisionOf(domain);
  if (ifMatch.includes('*') || ifMatch.includes(revision)) return undefined;
  return failed(`Domain ${quoteText(name)} has been changed meanwhile: its revision is ${revision}`);
}

function bringsDomain(command: Command): boolean {
  const { kind } = command;
  if (kind === 'declareRecords') return command.nameservers !== undefined;
  return kind === 'createDomain' || kind === 'restoreDomain';
}

function failed(message: string): Refusal {
  return { code: 'precondition_failed', message };
}
