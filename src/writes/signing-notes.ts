// Notes for the trail about signing, as far as the owner of a domain changes it.
import type { Domain } from '../model/domain.ts';
import type { TrailAction, TrailDetail } from '../model/trail-entry.ts';
import type { CommandOf, SigningDisabled, SigningEnabled } from './command.ts';
import type { PendingBatch } from './pending-batch.ts';

/** @param wanted has changed something */
export function noteSigningSwitch(
  { accountId, name: object }: Domain,
  wanted: SigningEnabled | SigningDisabled | undefined,
  batch: PendingBatch,
): void {
  if (wanted === undefined) return;
  const isEnabled = wanted.wanted === 'enabled';
  const action = isEnabled ? 'signing.enable' : 'signing.disable';
  const detail = isEnabled ? { denial: wanted.denial } : { forced: wanted.force || undefined };
  batch.trail.note({ accountId, action, object, detail });
}

/** The commands of an owner; all others about signing are the service's own. */
type OwnersCommand = CommandOf<
  | 'changeDenial'
  | 'startRollover'
  | 'cancelRollover'
  | 'holdRollover'
  | 'noteDsSeen'
  | 'addZoneKey'
  | 'removeZoneKey'
  | 'announceZoneKey'
>;

/** Whether the owner of the domain has sent the command. */
export function isOwnersCommand(
  command: OwnersCommand | { readonly author?: undefined },
): command is OwnersCommand {
  return command.author !== undefined;
}

/** @param command has changed something */
export function noteSigning(command: OwnersCommand, batch: PendingBatch): void {
  const { author, domain: object } = command;
  batch.trail.note({ accountId: author.accountId, object, ...describeSigning(command) });
}

function describeSigning(command: OwnersCommand): {
  readonly action: TrailAction;
  readonly detail?: TrailDetail;
} {
  switch (command.kind) {
    case 'changeDenial':
      return { action: 'signing.change', detail: { denial: command.denial } };
    case 'startRollover':
      return { action: 'rollover.start', detail: { rollover: command.id, key_tag: command.key.tag } };
    case 'cancelRollover':
      return { action: 'rollover.cancel', detail: { rollover: command.id } };
    case 'holdRollover':
      return { action: 'rollover.hold', detail: { held: command.isHeld } };
    case 'noteDsSeen':
      return { action: 'rollover.confirm', detail: { rollover: command.id, step: command.step } };
    case 'addZoneKey': {
      const { id: key, tag: key_tag, origin } = command.key;
      return { action: 'zone_key.add', detail: { key, key_tag, origin } };
    }
    case 'removeZoneKey':
      return { action: 'zone_key.remove', detail: { key: command.keyId } };
    case 'announceZoneKey':
      return { action: 'zone_key.announce', detail: { key: command.keyId, announced: command.isAnnounced } };
  }
}
