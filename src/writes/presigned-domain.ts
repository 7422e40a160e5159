/** Zones that another signer has signed, and that are served as they are. */
import { isNewerSerial, serialLead } from '../dns/serial.ts';
import type { Domain } from '../model/domain.ts';
import { quoteText } from '../model/quote-text.ts';
import { refused, type Refused } from '../model/result.ts';
import type { Command, CommandOf, PresignedPart } from './command.ts';
import type { PendingBatch } from './pending-batch.ts';
import { refuseUnfinished } from './refuse-unfinished.ts';

/** Refuses a command that would change the zone otherwise than its signatures say. */
export function findPresignedRefusal(command: Command, batch: PendingBatch): Refused | undefined {
  const name = changesContent(command);
  const domain = name === undefined ? undefined : batch.findDomain(name);
  if (domain === undefined || domain.presignedUntilSeconds === null) return undefined;
  return domain.accountId === command.author?.accountId ? refusePresigned(domain) : undefined;
}

function refusePresigned({ name }: Domain): Refused {
  return refused(
    'presigned_domain',
    `Domain ${quoteText(name)} is served as another signer has signed it: change it there and import it again with presigned=true, or set dns_sec to "disabled" with force=true, which drops its signatures and keys`,
  );
}

/** The domain of a command that needs signatures of other content than the file had, or is about keys that are not here. */
function changesContent(command: Command): Domain['name'] | undefined {
  switch (command.kind) {
    case 'importZone':
      return command.presigned === undefined ? command.domain : undefined;
    case 'addZoneKey':
      return command.key.origin === 'foreign' ? command.domain : undefined;
    case 'updateDomain':
      return isOtherwise(command) ? command.name : undefined;
    default:
      return 'domain' in command && refusedKinds.has(command.kind) ? command.domain : undefined;
  }
}

const refusedKinds: ReadonlySet<Command['kind']> = new Set([
  'createRecord',
  'updateRecord',
  'deleteRecord',
  'changeRecords',
  'revertRecords',
  'changeDenial',
  'startRollover',
  'holdRollover',
  'noteDsSeen',
  'cancelRollover',
  'removeZoneKey',
  'announceZoneKey',
] as const);

function isOtherwise({ soaPrimary, soaEmail, dnsSec }: CommandOf<'updateDomain'>): boolean {
  const isWithdrawal = dnsSec?.wanted === 'disabled' && !dnsSec.force;
  return isWithdrawal || soaPrimary !== undefined || soaEmail !== undefined;
}

/**
 * Says why a signed zone cannot take the place of the domain's content.
 *
 * @param isCreated by this command: nobody has seen its serial, unless an earlier domain of the name had one
 */
export function findImportRefusal(
  domain: Domain,
  { serial }: PresignedPart,
  isCreated: boolean,
): Refused | undefined {
  const name = quoteText(domain.name);
  if (domain.signingWork !== null) return refuseUnfinished(domain);
  if (domain.denial !== null && domain.presignedUntilSeconds === null) {
    return refused(
      'dnssec_conflict',
      `Domain ${name} is signed here: switch that off first, or import the zone without its signatures`,
    );
  }
  const isNew = isCreated
    ? domain.serial === domain.createdAtSeconds || serialLead(serial, domain.serial) >= 0
    : isNewerSerial(serial, domain.serial);
  if (isNew) return undefined;
  const former = isCreated ? 'an earlier domain of this name was served with' : 'the domain is served with';
  return refused(
    'dnssec_conflict',
    `The serial of the file is ${serial}, and ${former} ${domain.serial}, so that secondaries would not take it: sign the zone with a later serial (RFC 1982)`,
  );
}
