import { dsRdata } from '../dnssec/ds-rdata.ts';
import { hasUse, keyUse, type ZoneKey } from '../dnssec/zone-key.ts';
import { rrType } from '../dns/codes.ts';
import { formatRecordType } from '../dns/rdata/record-type-registry.ts';
import { formatRdata } from '../dns/rdata/rdata.ts';
import type { Caller } from '../model/account.ts';
import { APEX, ownerDomainName } from '../model/record-name.ts';
import { success, type ReadResult } from '../model/result.ts';
import type { OperationContext } from './operation-context.ts';
import { findPathDomain } from './path-domain.ts';

/**
 * Lists the DNSKEY records of a signed domain, and the DS records that its parent zone has to have (contract rule 32): none
 * while signing is withdrawn.
 */
export async function listDnssec(
  context: OperationContext,
  caller: Caller,
  domainText: string,
): Promise<ReadResult<readonly string[]>> {
  const found = await findPathDomain(context, caller, domainText);
  if (!found.ok) return found;
  const domain = found.value;
  if (domain.denial === null) return success([]);
  const apex = ownerDomainName(APEX, domain.name);
  const line = (type: number, rdata: Uint8Array): string =>
    `${domain.name} IN ${formatRecordType(type)} ${formatRdata(type, rdata)}`;
  const keys = await context.store.signing.zoneKeys(domain);
  const used = (use: number): readonly ZoneKey[] => keys.filter((key) => hasUse(key, use));
  const announced = domain.withdrawnAtSeconds === null ? used(keyUse.ANNOUNCED) : [];
  return success([
    ...used(keyUse.PUBLISHED).map(({ dnskey }) => line(rrType.DNSKEY, dnskey)),
    ...announced.map(({ dnskey }) => line(rrType.DS, dsRdata(apex, dnskey))),
  ]);
}
