import { quoteText } from '../model/quote-text.ts';
import type { Refusal } from '../model/refusal.ts';
import type { Command } from './command.ts';
import type { PendingBatch } from './pending-batch.ts';
import { checkRevision, failedPrecondition } from './revision.ts';

/**
 * The refusal of a command whose precondition does not hold. Of a domain that is not there only what brings one is
 * refused here: all else has its own sentence for that (RFC 9110 section 13.2.1).
 */
export function checkPrecondition(command: Command, batch: PendingBatch): Refusal | undefined {
  if (!('ifMatch' in command || 'ifNoneMatch' in command)) return undefined;
  if (command.ifMatch === undefined && command.ifNoneMatch === undefined) return undefined;
  const name = 'domain' in command ? command.domain : command.name;
  const domain = batch.findDomain(name);
  if (domain?.accountId === command.author.accountId) return checkRevision(domain, command);
  if (command.ifMatch === undefined || !bringsDomain(command)) return undefined;
  return failedPrecondition(`Domain ${quoteText(name)} is not there`);
}

function bringsDomain(command: Command): boolean {
  const { kind } = command;
  if (kind === 'importZone') return command.nameservers !== undefined;
  return kind === 'createDomain' || kind === 'restoreDomain';
}
