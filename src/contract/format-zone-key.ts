// The JSON text of the DNSSEC keys of a domain, as contract rules 67 and 68 define it.
import { formatDate } from './format-date.ts';
import type { keyOrigins } from './signing-status-shape.ts';

export interface ShownZoneKey {
  readonly id: string;
  readonly tag: number;
  readonly algorithm: number;
  readonly flags: number;
  readonly origin: (typeof keyOrigins)[number];
  /** RDATA in presentation format, as that of the DS record. */
  readonly dnskey: string;
  readonly ds: string | null;
  readonly isAnnounced: boolean;
  readonly createdAtSeconds: number;
}

/** `{"key":{"id","tag","algorithm","flags","origin","dnskey","ds","announced","date_created"}}`. */
export function formatZoneKeyReply(key: ShownZoneKey): string {
  return JSON.stringify({ key: showKey(key) });
}

/** `{"keys":[…]}`. */
export function formatZoneKeysReply(keys: readonly ShownZoneKey[]): string {
  return `{"keys":${formatZoneKeys(keys)}}`;
}

/** `[{…},…]`. */
export function formatZoneKeys(keys: readonly ShownZoneKey[]): string {
  return JSON.stringify(keys.map(showKey));
}

/** The members are named one by one, so that no other one gets out. */
function showKey(key: ShownZoneKey): object {
  const { id, tag, algorithm, flags, origin, dnskey, ds, isAnnounced: announced, createdAtSeconds } = key;
  return {
    id,
    tag,
    algorithm,
    flags,
    origin,
    dnskey,
    ds,
    announced,
    date_created: formatDate(createdAtSeconds),
  };
}
