import type { GetSignal } from '../base/fair-semaphore.ts';
import type { ExpectedDelegation } from '../claims/delegation/delegation-facts.ts';
import { REFRESHED_AFTER_MS, type DelegationLook } from '../claims/delegation/delegation-looks.ts';
import { describeDelegation, type DelegationStatus } from '../claims/delegation/describe-delegation.ts';
import { rrType } from '../dns/codes.ts';
import { formatIpv6, parseIpv6 } from '../dns/ip-address.ts';
import { hasUse, keyUse } from '../dnssec/zone-key.ts';
import type { Caller } from '../model/account.ts';
import type { Domain, ZoneName } from '../model/domain.ts';
import { APEX, ownerDomainName, parseRecordName } from '../model/record-name.ts';
import { success, type Result } from '../model/result.ts';
import { isServed } from '../model/withholding.ts';
import { readApexNameservers } from './apex-nameservers.ts';
import { findHostedDelegation } from './find-hosted-parent.ts';
import type { OperationContext } from './operation-context.ts';
import { findPathDomain } from './path-domain.ts';

/** The nameservers of a domain of which glue is expected; a referral has no room for more (RFC 9471). */
const MAX_HOSTS = 13;

/** More addresses than a nameserver has. */
const MAX_ADDRESSES = 16;

/**
 * Returns how the parent zone delegates a domain, and how it should. Its servers are asked within the limits of
 * `DelegationLooks`.
 *
 * @param isFresh a look that is older than some seconds is made again
 * @param getSignal called only if the request has to wait
 */
export async function getDelegation(
  context: OperationContext,
  caller: Caller,
  domainText: string,
  isFresh: boolean,
  getSignal: GetSignal,
): Promise<Result<DelegationStatus>> {
  const found = await findPathDomain(context, caller, domainText);
  if (!found.ok) return found;
  const domain = found.value;
  const name = ownerDomainName(APEX, domain.name);
  const keptMs = isFresh ? REFRESHED_AFTER_MS : undefined;
  const [expected, look] = await Promise.all([
    readExpected(context, domain),
    context.delegationLooks.look(domain.accountId, name, domain.name, getSignal, keptMs),
  ]);
  const facts = { domain: domain.name, name, isServed: isServed(domain), expected };
  return success(describeDelegation({ ...facts, look: await orHosted(context, domain, look) }));
}

async function readExpected(context: OperationContext, domain: Domain): Promise<ExpectedDelegation> {
  const own = await readApexNameservers(context, domain);
  const hosts = own.length > 0 ? own.map(({ data }) => data) : context.settings.nameservers;
  const nameservers = [...new Set(hosts)].sort();
  const keys = domain.denial === null ? [] : await context.store.signing.zoneKeys(domain);
  const isAnnounced = domain.withdrawnAtSeconds === null;
  return {
    nameservers,
    glue: await readGlue(context, domain, nameservers, domain.name),
    announced: isAnnounced ? keys.filter((key) => hasUse(key, keyUse.ANNOUNCED)) : [],
    keys,
    isInWork: domain.signingWork !== null,
  };
}

/** @param zone the domain itself, or the one above that delegates it */
async function readGlue(
  { store }: OperationContext,
  zone: Domain,
  nameservers: readonly string[],
  domain: ZoneName,
): Promise<ExpectedDelegation['glue']> {
  const inside = nameservers.filter((host) => host === domain || host.endsWith(`.${domain}`));
  const page = { direction: 'after', key: null, limit: MAX_ADDRESSES } as const;
  const found = await Promise.all(
    inside.slice(0, MAX_HOSTS).flatMap((name) =>
      [rrType.A, rrType.AAAA].map(async (type) => {
        const parsed = parseRecordName(name, zone.name);
        if (!parsed.ok) return [];
        const { rows } = await store.listRecords(zone, page, { type, owner: parsed.value.owner });
        return rows.map(({ data }) => ({ name, address: canonicalAddress(data) }));
      }),
    ),
  );
  return found.flat();
}

/** As the glue of the parent zone is shown: data of records is kept as it was written. */
function canonicalAddress(data: string): string {
  const ipv6 = parseIpv6(data);
  return ipv6.ok ? formatIpv6(ipv6.value) : data;
}

/** A parent zone that the account has here counts where no server answers: its own often have addresses that are not public. */
async function orHosted(
  context: OperationContext,
  domain: Domain,
  look: DelegationLook,
): Promise<DelegationLook> {
  if (look.kind === 'asked' && look.sight.servers.some((server) => 'nameservers' in server)) return look;
  if (look.kind === 'unknown' && look.isBusy === true) return look;
  const hosted = await findHostedDelegation(context, domain);
  if (hosted === undefined) return look;
  const { parent, nameservers, ds } = hosted;
  const glue = await readGlue(context, parent, nameservers, domain.name);
  const server = { name: parent.name, address: undefined, nameservers, glue, ds };
  const sight = { parent: parent.name, servers: [server] };
  return { kind: 'asked', sight, atMs: context.clock.nowMs() };
}
