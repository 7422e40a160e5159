/**
 * Finds the reasons why a step has to wait for the nameservers of other providers that sign the domain, too (RFC 8901 model
 * 2): a resolver can take the keys from one provider and the records from another, and validates these only if both publish
 * the keys of both.
 */
import type { KeySets } from '../../dns-client/ask-key-sets.ts';
import { rrType } from '../../dns/codes.ts';
import type { DomainName } from '../../dns/name.ts';
import { formatRdata } from '../../dns/rdata/rdata.ts';
import { serialLead } from '../../dns/serial.ts';
import type { KeySetLook } from '../key-set-looks.ts';
import { namesKey, type NamedKey } from '../match-ds.ts';
import { examine, isOutgoing, type Obstacle, type Unplaced } from './obstacles.ts';

/**
 * A step needs this of each address of each nameserver of the domain, those of other providers included. One that serves what
 * is signed here has to have the serial, too.
 */
export type KeySetCondition =
  /** It publishes the new key beside the old one. */
  | 'both_published'
  /** It publishes the new key, and asks the parent zone for its DS record, if for any, and not for that of the old one. */
  | 'new_announced'
  /** It publishes the new key, and its SOA record is signed with a key of the domain. */
  | 'new_signs'
  /** It no longer publishes the old key. */
  | 'old_gone';

export interface KeyExchange {
  /** The domain, in lower case. */
  readonly name: DomainName;
  /** The SOA serial with which the step began. */
  readonly serial: number;
  readonly incoming: readonly NamedKey[];
  readonly outgoing: readonly NamedKey[];
  /** The keys of other providers. */
  readonly foreign: readonly NamedKey[];
}

type Found = readonly Unplaced<Obstacle>[];

/** @param look undefined if nobody was asked */
export function findKeySetObstacles(
  condition: KeySetCondition,
  look: KeySetLook | undefined,
  exchange: KeyExchange,
): readonly Obstacle[] {
  if (look === undefined) return [{ kind: 'unknown', reason: 'the nameservers were not asked' }];
  if (look.kind === 'unknown') return [{ kind: 'unknown', reason: look.reason }];
  return examine(look.sight, (sets) => {
    const old = findOldVersion(sets, exchange);
    return old.length > 0 ? old : checks[condition](sets, exchange);
  });
}

const checks: Readonly<Record<KeySetCondition, (sets: KeySets, exchange: KeyExchange) => Found>> = {
  both_published: (sets, { incoming, outgoing }) => findMissing(sets, [...incoming, ...outgoing]),
  new_announced: (sets, exchange) => [
    ...findMissing(sets, exchange.incoming),
    ...(isAskingForOld(sets, exchange) ? [{ kind: 'old_cds' as const }] : []),
  ],
  new_signs: (sets, exchange) => [...findMissing(sets, exchange.incoming), ...findStranger(sets, exchange)],
  old_gone: ({ dnskeys }, { outgoing }) => {
    const keys = outgoing.map(showKey).filter((key) => dnskeys.includes(key));
    return keys.length === 0 ? [] : [{ kind: 'key_left', keys }];
  },
};

function findMissing({ dnskeys }: KeySets, wanted: readonly NamedKey[]): Found {
  const keys = wanted.map(showKey).filter((key) => !dnskeys.includes(key));
  return keys.length === 0 ? [] : [{ kind: 'key_missing', keys }];
}

/** A registry may read the records of any nameserver, and would bring the old DS record back. */
function isAskingForOld({ cds, cdnskeys }: KeySets, exchange: KeyExchange): boolean {
  const { name, incoming, outgoing } = exchange;
  const isCdsNew =
    incoming.every((key) => cds.some((one) => namesKey(one, name, [key]))) &&
    !cds.some((one) => isOutgoing(one, exchange));
  const isCdnskeyNew =
    incoming.every((key) => cdnskeys.includes(showKey(key))) &&
    !outgoing.some((key) => cdnskeys.includes(showKey(key)));
  return (cds.length > 0 && !isCdsNew) || (cdnskeys.length > 0 && !isCdnskeyNew);
}

/** Other providers have serials of their own. The signatures tell which provider's version a nameserver has. */
function findOldVersion(sets: KeySets, { serial, incoming, outgoing }: KeyExchange): Found {
  const isOld = isSignedWith(sets, [...incoming, ...outgoing]) && serialLead(sets.serial, serial) < 0;
  return isOld ? [{ kind: 'old_serial', serial: sets.serial }] : [];
}

function findStranger(sets: KeySets, { incoming, outgoing, foreign }: KeyExchange): Found {
  return isSignedWith(sets, [...incoming, ...outgoing, ...foreign]) ? [] : [{ kind: 'unknown_signer' }];
}

function isSignedWith({ signers }: KeySets, keys: readonly NamedKey[]): boolean {
  return keys.some(({ tag }) => signers.includes(tag));
}

/** The data of the DNSKEY record, in presentation format. */
export function showKey({ dnskey }: NamedKey): string {
  return formatRdata(rrType.DNSKEY, dnskey);
}
