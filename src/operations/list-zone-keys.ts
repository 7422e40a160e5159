import { rrType } from '../dns/codes.ts';
import { formatRdata } from '../dns/rdata/rdata.ts';
import { dsRdata } from '../dnssec/ds-rdata.ts';
import { hasUse, KEY_FLAGS, keyUse, type ZoneKey } from '../dnssec/zone-key.ts';
import type { Caller } from '../model/account.ts';
import type { ZoneName } from '../model/domain.ts';
import { APEX, ownerDomainName } from '../model/record-name.ts';
import { success, type ReadResult } from '../model/result.ts';
import type { OperationContext } from './operation-context.ts';
import { findPathDomain } from './path-domain.ts';

/** A key without its private part, with the data of its records in presentation format. */
export interface ListedZoneKey extends Pick<
  ZoneKey,
  'id' | 'tag' | 'algorithm' | 'flags' | 'origin' | 'createdAtSeconds'
> {
  readonly dnskey: string;
  /** Null for a key that no DS record names. */
  readonly ds: string | null;
  /** CDS and CDNSKEY ask the parent zone for its DS record. */
  readonly isAnnounced: boolean;
}

/** Lists the keys of a domain, the oldest first; none if it is not signed (contract rule 69). */
export async function listZoneKeys(
  context: OperationContext,
  caller: Caller,
  domainText: string,
): Promise<ReadResult<readonly ListedZoneKey[]>> {
  const found = await findPathDomain(context, caller, domainText);
  if (!found.ok) return found;
  const { name, denial } = found.value;
  const keys = denial === null ? [] : await context.store.signing.zoneKeys(found.value);
  return success(keys.map((key) => listKey(name, { ...key, isAnnounced: hasUse(key, keyUse.ANNOUNCED) })));
}

export function listKey(
  domain: ZoneName,
  key: Pick<ZoneKey, Exclude<keyof ListedZoneKey, 'ds' | 'isAnnounced'>> & Pick<ListedZoneKey, 'isAnnounced'>,
): ListedZoneKey {
  const { id, tag, algorithm, flags, origin, createdAtSeconds, dnskey, isAnnounced } = key;
  const ds = flags === KEY_FLAGS ? dsRdata(ownerDomainName(APEX, domain), dnskey) : null;
  return {
    ...{ id, tag, algorithm, flags, origin, createdAtSeconds },
    dnskey: formatRdata(rrType.DNSKEY, dnskey),
    ds: ds && formatRdata(rrType.DS, ds),
    isAnnounced,
  };
}
