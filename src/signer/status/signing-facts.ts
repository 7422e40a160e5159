import type { DomainName } from '../../dns/name.ts';
import type { Rollover } from '../../dnssec/rollover.ts';
import { hasUse, isHeldElsewhere, KEY_FLAGS, keyUse, type ZoneKey } from '../../dnssec/zone-key.ts';
import type { SigningWorkKind } from '../../model/signing-work.ts';
import type { KeySetLook } from '../key-set-looks.ts';
import type { NamedKey } from '../match-ds.ts';
import type { ParentLook } from '../parent-looks.ts';

/** Everything that says how a domain is signed. */
export interface SigningFacts {
  /** As people write it: lower case, without the final dot. */
  readonly domain: string;
  /** The same name, in lower case. */
  readonly name: DomainName;
  readonly isSigned: boolean;
  /** Its owner has switched signing off, and it is still signed. */
  readonly isWithdrawn: boolean;
  /** Work on the signatures of a large domain; null: none. */
  readonly work: SigningProgress | null;
  /** Empty if the domain was never signed. */
  readonly keys: readonly SignedKey[];
  readonly look: ParentLook;
  /** The keys that all nameservers publish; needed while a key is exchanged in a domain of several providers. */
  readonly keySets?: KeySetLook | undefined;
  /** The parent zone, if the same account has it here. */
  readonly hosted: HostedParent | undefined;
}

/** `SigningWork` as its owner sees it. */
export interface SigningProgress {
  readonly kind: SigningWorkKind;
  /** In names that are passed, some of them several times. */
  readonly done: number;
  readonly total: number;
  /** A sentence without a full stop: the owner has to remove the cause. */
  readonly problem: string | null;
}

export type SignedKey = NamedKey & Pick<ZoneKey, 'flags' | 'uses' | 'origin' | 'rollover'>;

export interface HostedParent {
  readonly domain: string;
  /** The DS records of the domain that it has now, in presentation format. */
  readonly ds: readonly string[];
  /** Whether it has NS records of the domain, without which no DS record is possible. */
  readonly isDelegated: boolean;
}

/**
 * - `unsigned`: neither signed here nor expected to be, as far as known.
 * - `signing`: not signed yet: its signatures are being made.
 * - `waiting_for_ds`: signed; at least one server of the parent zone lacks a DS record that it has to have.
 * - `secure`: signed, and all servers that answered have these DS records.
 * - `bogus`: validating resolvers reject the domain, at some servers of the parent zone at least.
 * - `signed`: signed; the DS records of the parent zone are not known.
 * - `rolling`: signed; its key is being exchanged.
 * - `going_insecure`: signed until no DS record is left, because its owner has switched signing off.
 * - `moving_away`: signed; the parent zone is to have only DS records of other providers.
 */
export type SigningState =
  | 'unsigned'
  | 'signing'
  | 'waiting_for_ds'
  | 'secure'
  | 'bogus'
  | 'signed'
  | 'rolling'
  | 'going_insecure'
  | 'moving_away';

/** The keys of a domain by what a DS record of them means. */
export interface KeyRoles {
  /** The parent zone has to have their DS records. */
  readonly wanted: readonly SignedKey[];
  /**
   * A server of the parent zone with a DS record of one of them is not wrong: they are published and sign the keys, here or,
   * if the domain moves away, at the other provider.
   */
  readonly usable: readonly SignedKey[];
  /** Keys that sign here, or did, and whose DS records have to go. */
  readonly outgoing: readonly SignedKey[];
  /** All keys that sign here, or did; while one is exchanged, the new one has a note of the rollover. */
  readonly own: readonly SignedKey[];
  /** All keys of other providers. */
  readonly foreign: readonly SignedKey[];
  /** Keys of other providers whose DS records have to go. */
  readonly leaving: readonly SignedKey[];
  /** The own key is no longer announced, and those of other providers are. */
  readonly isMovingAway: boolean;
  /** The rollover or withdrawal in progress. */
  readonly rollover: Rollover | null;
}

export function findKeyRoles({
  isSigned,
  isWithdrawn,
  keys,
}: Pick<SigningFacts, 'isSigned' | 'isWithdrawn' | 'keys'>): KeyRoles {
  if (!isSigned) return noRoles;
  const rollover = keys.find((key) => key.rollover !== null)?.rollover ?? null;
  const isAnnounced = (key: SignedKey): boolean => hasUse(key, keyUse.ANNOUNCED);
  const outgoing = keys.filter((key) => !isAnnounced(key) && !isHeldElsewhere(key));
  const isMovingAway = rollover === null && outgoing.length > 0;
  const isUsable = (key: SignedKey): boolean =>
    hasUse(key, keyUse.PUBLISHED) && (hasUse(key, keyUse.SIGNS_KEYS) || (isMovingAway && isAnnounced(key)));
  return {
    wanted: isWithdrawn ? [] : keys.filter(isAnnounced),
    usable: keys.filter(isUsable),
    outgoing,
    own: keys.filter((key) => !isHeldElsewhere(key)),
    foreign: keys.filter(({ origin }) => origin === 'foreign'),
    leaving: keys.filter(isLeaving),
    isMovingAway,
    rollover,
  };
}

const noRoles: KeyRoles = {
  ...{ wanted: [], usable: [], outgoing: [], own: [], foreign: [], leaving: [] },
  ...{ isMovingAway: false, rollover: null },
};

/** Whether it is another provider's key that is no longer announced; one without a DS record never was. */
export function isLeaving(key: Pick<SignedKey, 'uses' | 'origin' | 'flags'>): boolean {
  return key.origin === 'foreign' && key.flags === KEY_FLAGS && !hasUse(key, keyUse.ANNOUNCED);
}
