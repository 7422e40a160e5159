// Creates a domain with the service's apex NS records and, if requested, an address record.
import { rrType } from '../dns/codes.ts';
import { formatRecordType } from '../dns/rdata/record-type-registry.ts';
import type { DnsSecState, Domain, ZoneName } from '../model/domain.ts';
import { parseRecord } from '../model/parse-record.ts';
import type { DomainRecord } from '../model/record.ts';
import { refused, success, type Result, type WriteResult } from '../model/result.ts';
import { parseZoneName } from '../model/zone-name.ts';
import { authorise } from './authorise.ts';
import { commitDomainWrite } from './commit-write.ts';
import { contestClaim } from './contest-claim.ts';
import { nameTermsOf } from './name-terms.ts';
import type { OperationContext } from './operation-context.ts';
import { termsOf, type Requester } from './requester.ts';
import { wantSigning } from './wanted-signing.ts';

export interface NewDomain {
  readonly domain: string;
  /** IPv4 or IPv6; empty means none. */
  readonly ip?: string;
  readonly dns_sec?: DnsSecState | undefined;
}

/** Contract rule 16. */
const ADDRESS_TTL_SECONDS = 300;
/** Nameservers seldom change, and the NS records in the parent zone have longer TTLs anyway. */
export const NAMESERVER_TTL_SECONDS = 3600;

/** Creating it twice is safe: `changed` is false if the account already has the domain (contract rule 17). */
export async function createDomain(
  context: OperationContext,
  caller: Requester,
  input: NewDomain,
): Promise<WriteResult<Domain>> {
  const name = parseZoneName(input.domain, context.settings.zoneNameRules);
  if (!name.ok) return refused('invalid_request', name.problem, 'domain');
  const forbidden = authorise(
    caller,
    { needs: 'domains:create' },
    { domain: name.value, isDryRun: caller.terms?.dryRun },
  );
  if (forbidden !== undefined) return { ok: false, refusal: forbidden };
  const address = addressRecord(context, name.value, input.ip?.trim() ?? '');
  if (!address.ok) return address;
  const dnsSec = input.dns_sec === 'enabled' ? wantSigning(context) : success(undefined);
  if (!dnsSec.ok) return dnsSec;
  const hosts = await context.nameserverSets.of(caller.accountId);
  const command = {
    kind: 'createDomain',
    ...termsOf(context, caller),
    ...nameTermsOf(context, caller, name.value),
    name: name.value,
    nameservers: nameserverRecords(context, name.value, hosts),
    address: address.value,
    dnsSec: dnsSec.value,
  } as const;
  const result = await commitDomainWrite(context, command);
  if (result.ok || result.refusal.code !== 'domain_claimed') return result;
  const contest = await contestClaim(context, caller, name.value);
  return contest.ok ? commitDomainWrite(context, { ...command, claim: contest.proof }) : contest;
}

function addressRecord(context: OperationContext, zone: ZoneName, ip: string): Result<DomainRecord | null> {
  if (ip === '') return success(null);
  const type = ip.includes(':') ? rrType.AAAA : rrType.A;
  const record = apexRecord(context, zone, type, ip, ADDRESS_TTL_SECONDS);
  if (record !== undefined) return success(record);
  return refused('invalid_request', `ip ${JSON.stringify(ip)} is not an IPv4 or IPv6 address`, 'ip');
}

/** Returns the apex NS records that a new domain has. @param hosts those of the account */
export function nameserverRecords(
  context: OperationContext,
  zone: ZoneName,
  hosts: readonly string[],
): readonly DomainRecord[] {
  return hosts.map((host) => nameserverRecord(context, zone, host, NAMESERVER_TTL_SECONDS));
}

/** @param host a host name, from `parseHostName` or the settings */
export function nameserverRecord(
  context: OperationContext,
  zone: ZoneName,
  host: string,
  ttl: number,
): DomainRecord {
  const record = apexRecord(context, zone, rrType.NS, host, ttl);
  if (record === undefined) throw new Error(`the nameserver ${host} is not a host name`);
  return record;
}

function apexRecord(
  context: OperationContext,
  zone: ZoneName,
  type: number,
  data: string,
  ttl: number,
): DomainRecord | undefined {
  const input = { type: formatRecordType(type), name: '', data, ttl };
  const record = parseRecord(input, zone, context.settings.recordRules);
  return record.ok ? { ...record.value, id: context.newId() } : undefined;
}
