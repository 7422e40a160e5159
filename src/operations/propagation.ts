// Compares the serials that nameservers serve of a domain with a requested serial. Pure.
import type { ZoneName } from '../model/domain.ts';
import { serialLead } from '../dns/serial.ts';
import type { ServedSerial } from '../store/store.ts';

export interface Propagation {
  readonly domain: ZoneName;
  /** The requested serial. */
  readonly serial: number;
  /** There is a live nameserver, and all live nameservers are current. */
  readonly isCurrent: boolean;
  readonly nameservers: readonly NameserverPropagation[];
}

export interface NameserverPropagation extends ServedSerial {
  /** It serves the requested serial or a later one (RFC 1982), or nothing of a domain that is withheld. */
  readonly isCurrent: boolean;
}

/** Sorts the nameservers by name, then id. */
export function describePropagation(
  domain: ZoneName,
  serial: number,
  served: readonly ServedSerial[],
): Propagation {
  const nameservers = served
    .map((entry) => ({ ...entry, isCurrent: hasSerial(entry, serial) }))
    .sort((a, b) => compare(a.nameserver, b.nameserver) || compare(a.id, b.id));
  return { domain, serial, isCurrent: isServed(served, serial), nameservers };
}

/** Ignores nameservers that are not live: they catch up before they answer again. */
export function isServed(served: readonly ServedSerial[], serial: number): boolean {
  const live = served.filter(({ isLive }) => isLive);
  return live.length > 0 && live.every((entry) => hasSerial(entry, serial));
}

function hasSerial(entry: ServedSerial, serial: number): boolean {
  if (entry.isWithheld === true) return true;
  return entry.serial !== null && serialLead(entry.serial, serial) >= 0;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
