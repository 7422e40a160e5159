import type { Command, CommandResult } from './command.ts';
import { decideClaim } from './decide-claim.ts';
import { decideWithholding } from './decide-withholding.ts';
import type { PendingBatch } from './pending-batch.ts';
import type { ServingCommand } from './serving-command.ts';

const kinds = {
  withholdDomains: true,
  releaseDomains: true,
  settleClaim: true,
  openClaim: true,
  expireClaim: true,
  assignNameservers: true,
} as const satisfies Readonly<Record<ServingCommand['kind'], true>>;

/** Whether a command is about which domains are served, and by which nameservers. */
export function isAboutServing(command: Command): command is ServingCommand {
  return command.kind in kinds;
}

export function decideServing(command: ServingCommand, batch: PendingBatch): CommandResult<Command> {
  switch (command.kind) {
    case 'withholdDomains':
    case 'releaseDomains':
      return decideWithholding(command, batch);
    default:
      return decideClaim(command, batch);
  }
}
