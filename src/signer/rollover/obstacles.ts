/**
 * Finds the reasons why the condition of a step of a rollover is not met. A condition speaks of every address of every
 * nameserver: resolvers ask any of them.
 */
import type { ServerDs } from '../../dns-client/ask-ds.ts';
import type { ServerKeySets } from '../../dns-client/ask-key-sets.ts';
import type { ServerSerial } from '../../dns-client/ask-serials.ts';
import type { DomainName } from '../../dns/name.ts';
import { serialLead } from '../../dns/serial.ts';
import { formatWantedDs, namesKey, readDs, type NamedKey } from '../match-ds.ts';
import type { ParentLook } from '../parent-looks.ts';

/** The serials of the nameservers of a domain, or the reason why nothing is known: a sentence without a full stop. */
export type SerialLook =
  | { readonly kind: 'asked'; readonly servers: readonly ServerSerial[] }
  | { readonly kind: 'unknown'; readonly reason: string };

/**
 * One reason why a step has to wait.
 *
 * - `unknown`: nothing is known, because of the reason.
 * - `silent`: the server gave no usable answer; the reason is a sentence without a full stop that calls the server "it".
 * - `old_serial`: the server has an earlier serial than the one with which the step began.
 * - `ds_missing`: the server of the parent zone lacks these DS records.
 * - `ds_left`: it still has these.
 *
 * Further ones of a domain that other providers sign, too:
 *
 * - `key_missing`: the nameserver does not publish these keys.
 * - `key_left`: it still publishes these.
 * - `old_cds`: its CDS or CDNSKEY records do not ask for the DS record of the new key, or still for that of the old one.
 * - `unknown_signer`: its SOA record is signed with no key of the domain.
 *
 * DS and DNSKEY records are in presentation format, as `askDs` and `askKeySets` return them.
 */
export type Obstacle =
  | { readonly kind: 'unknown'; readonly reason: string }
  | (ServerPlace &
      (
        | { readonly kind: 'silent'; readonly reason: string }
        | { readonly kind: 'old_serial'; readonly serial: number }
        | { readonly kind: 'ds_missing'; readonly ds: readonly string[] }
        | { readonly kind: 'ds_left'; readonly ds: readonly string[] }
        | { readonly kind: 'key_missing' | 'key_left'; readonly keys: readonly string[] }
        | { readonly kind: 'old_cds' | 'unknown_signer' }
      ));

interface ServerPlace {
  /** Lower case, without the final dot. */
  readonly server: string;
  /** Null if the nameserver, or some of its addresses, could not be asked. */
  readonly address: string | null;
}

/** Nothing was seen that contradicts the condition: it is not known whether it is met. */
export function isUncertain({ kind }: Obstacle): boolean {
  return kind === 'unknown' || kind === 'silent';
}

/** A server has a serial if its own is equal or later (RFC 1982). @param look undefined if nobody was asked */
export function findOldSerials(look: SerialLook | undefined, serial: number): readonly Obstacle[] {
  if (look === undefined) return [{ kind: 'unknown', reason: 'the nameservers were not asked' }];
  if (look.kind === 'unknown') return [look];
  return examine(look.servers, (seen) =>
    serialLead(seen.serial, serial) < 0 ? [{ kind: 'old_serial', serial: seen.serial }] : [],
  );
}

/** The DS records that have to be at the parent zone, and those that must not be there. */
export interface DsExchange {
  /** The domain, in lower case. */
  readonly name: DomainName;
  /** Each server has to have a DS record of each of them, with any digest. */
  readonly incoming: readonly NamedKey[];
  /** No server may have a DS record of them. `all`: no server may have any DS record. */
  readonly outgoing: readonly NamedKey[] | 'all';
}

/** @param look undefined if nobody was asked */
export function findDsObstacles(look: ParentLook | undefined, exchange: DsExchange): readonly Obstacle[] {
  if (look === undefined) return [{ kind: 'unknown', reason: 'the parent zone was not asked' }];
  if (look.kind === 'unknown') return [look];
  const { name, incoming } = exchange;
  return examine(look.sight.servers, ({ ds }) => {
    const missing = incoming.filter((key) => !ds.some((record) => namesKey(record, name, [key])));
    const left = ds.filter((record) => isOutgoing(record, exchange));
    return [
      ...(missing.length === 0
        ? []
        : [{ kind: 'ds_missing' as const, ds: missing.map((key) => formatWantedDs(name, key)) }]),
      ...(left.length === 0 ? [] : [{ kind: 'ds_left' as const, ds: left }]),
    ];
  });
}

/** The key tag is enough: the digest can have a type that only resolvers know. Both keys can have the same tag. */
export function isOutgoing(ds: string, { name, incoming, outgoing }: DsExchange): boolean {
  if (outgoing === 'all') return true;
  const { tag, algorithm } = readDs(ds);
  const isMeant = outgoing.some((key) => key.tag === tag && key.algorithm === algorithm);
  return isMeant && !namesKey(ds, name, incoming);
}

export type Unplaced<T> = T extends ServerPlace ? Omit<T, keyof ServerPlace> : never;

/** Without any server, nothing is known. */
export function examine<T extends ServerSerial | ServerDs | ServerKeySets>(
  servers: readonly T[],
  check: (answer: Exclude<T, { readonly problem: unknown }>) => readonly Unplaced<Obstacle>[],
): readonly Obstacle[] {
  if (servers.length === 0) return [{ kind: 'unknown', reason: 'no nameserver is known' }];
  return servers.flatMap((server) => {
    const place: ServerPlace = { server: server.name, address: server.address ?? null };
    if ('problem' in server) return [{ ...place, kind: 'silent' as const, reason: server.problem.message }];
    return check(server as Exclude<T, { readonly problem: unknown }>).map((found) => ({
      ...place,
      ...found,
    }));
  });
}
