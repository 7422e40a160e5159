// How far a serial of a domain has come among the nameservers. Pure.
import type { ZoneName } from '../model/domain.ts';
import { serialLead } from '../dns/serial.ts';
import type { ZoneServing } from '../store/store.ts';

export interface Propagation {
  readonly domain: ZoneName;
  /** The one that was asked for. */
  readonly serial: number;
  /** All live nameservers serve it or a later one, and there is a live one. */
  readonly isCurrent: boolean;
  readonly nameservers: readonly NameserverPropagation[];
}

export interface NameserverPropagation extends ZoneServing {
  /** It serves the serial that was asked for, or a later one (RFC 1982). */
  readonly isCurrent: boolean;
}

/** By name, then id. */
export function describePropagation(
  domain: ZoneName,
  serial: number,
  servings: readonly ZoneServing[],
): Propagation {
  const nameservers = servings
    .map((serving) => ({ ...serving, isCurrent: hasSerial(serving, serial) }))
    .sort((a, b) => compare(a.nameserver, b.nameserver) || compare(a.id, b.id));
  return { domain, serial, isCurrent: isServed(servings, serial), nameservers };
}

/** Nameservers that are away are not waited for: they catch up before they answer again. */
export function isServed(servings: readonly ZoneServing[], serial: number): boolean {
  const live = servings.filter(({ isLive }) => isLive);
  return live.length > 0 && live.every((serving) => hasSerial(serving, serial));
}

function hasSerial(serving: ZoneServing, serial: number): boolean {
  return serving.serial !== null && serialLead(serving.serial, serial) >= 0;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
