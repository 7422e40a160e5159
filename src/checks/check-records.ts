// Checks that need one record: names that end in the zone twice, private addresses, faults of a value.
import { rrType } from '../dns/codes.ts';
import type { DomainRecord, OwnerKey } from '../model/record.ts';
import type { IndexedZone } from './indexed-zone.ts';
import { findValueFault } from './value-faults.ts';
import type { Findings, ZoneWarning } from '../model/zone-warning.ts';

export function* checkRecords(
  index: IndexedZone,
  owner: OwnerKey,
  records: readonly DomainRecord[],
): Findings {
  if (`.${owner}`.endsWith(`.${index.zone}`)) yield endsTwice(index, records[0]);
  for (const record of records) {
    yield findValueFault(owner, record);
    const network = privateNetwork(record);
    if (network === undefined) continue;
    const { name, type, id: recordId, data } = record;
    const message = `The address ${data} is ${network} and cannot be reached from the Internet`;
    yield { code: 'private_address', severity: 'notice', name, type, recordId, message };
  }
}

function endsTwice({ zone }: IndexedZone, { name }: DomainRecord): ZoneWarning {
  const shown = name.toLowerCase().endsWith(`${zone}.${zone}`) ? name : `${name}.${zone}`;
  const message = `The name ${shown} ends in the domain twice; probably ${shown.slice(0, -(zone.length + 1))} is meant`;
  return { code: 'name_ends_in_zone_twice', severity: 'warning', name, type: null, recordId: null, message };
}

/** A phrase for an address that is not of the Internet. */
export function privateNetwork({ type, rdata }: DomainRecord): string | undefined {
  if (type === rrType.A) return privateNetworkV4(rdata[0], rdata[1]);
  return type === rrType.AAAA ? privateNetworkV6(rdata) : undefined;
}

/** RFC 1918, 1122, 3927, 6598. 0.0.0.0 is used on purpose, to say that there is no host. */
function privateNetworkV4(first: number, second: number): string | undefined {
  if (first === 10 || (first === 172 && second >> 4 === 1) || (first === 192 && second === 168))
    return 'private';
  if (first === 127) return 'of the loopback network';
  if (first === 169 && second === 254) return 'link-local';
  return first === 100 && second >> 6 === 1 ? 'shared address space of a carrier' : undefined;
}

/** RFC 4193, 4291. */
function privateNetworkV6(rdata: Uint8Array): string | undefined {
  if ((rdata[0] & 0xfe) === 0xfc) return 'private';
  if (rdata[0] === 0xfe && (rdata[1] & 0xc0) === 0x80) return 'link-local';
  return rdata[15] === 1 && rdata.subarray(0, 15).every((octet) => octet === 0)
    ? 'the loopback address'
    : undefined;
}
