import { quoteText } from '../model/quote-text.ts';
import type { Refusal } from '../model/refusal.ts';
import type { Command } from './command.ts';
import type { PendingBatch } from './pending-batch.ts';
import { checkRevision, failedPrecondition } from './revision.ts';

/**
 * Refuses a command whose precondition does not hold. If the domain does not exist, only commands that create one are
 * refused here; all others are refused as unknown domains (RFC 9110 section 13.2.1).
 */
export function checkPrecondition(command: Command, batch: PendingBatch): Refusal | undefined {
  if (!('ifMatch' in command || 'ifNoneMatch' in command)) return undefined;
  if (command.ifMatch === undefined && command.ifNoneMatch === undefined) return undefined;
  const name = 'domain' in command ? command.domain : command.name;
  const domain = batch.findDomain(name);
  if (domain?.accountId === command.author.accountId) return checkRevision(domain, command);
  if (command.ifMatch === undefined || !createsDomain(command)) return undefined;
  return failedPrecondition(`Domain ${quoteText(name)} does not exist`);
}

function createsDomain(command: Command): boolean {
  const { kind } = command;
  if (kind === 'importZone') return command.nameservers !== undefined;
  return kind === 'createDomain' || kind === 'restoreDomain';
}
