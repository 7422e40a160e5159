// Ready-made rights of keys, from the name of a host.
import { rrType } from '../dns/codes.ts';
import type { Caller } from '../model/account.ts';
import type { ZoneName } from '../model/domain.ts';
import type { Permission } from '../model/permission.ts';
import { parseRecordName } from '../model/record-name.ts';
import { refused, success, type Result } from '../model/result.ts';
import type { OwnerKey } from '../model/record.ts';
import { unlimited, type Rights } from '../model/rights.ts';
import { quoteText } from '../model/quote-text.ts';
import { parseZoneName } from '../model/zone-name.ts';
import type { OperationContext } from './operation-context.ts';

export type KeyTemplate = 'certificates' | 'address' | 'metrics';

/** RFC 8555 section 8.4: the label that certificate authorities look at, in front of the host. */
const CHALLENGE = '_acme-challenge';

const allOfRecords: readonly Permission[] = [
  'records:read',
  'records:create',
  'records:update',
  'records:delete',
];

/** @param host the full name of a host; the templates that need none refuse it */
export async function rightsOfTemplate(
  context: OperationContext,
  caller: Pick<Caller, 'accountId'>,
  template: KeyTemplate,
  host: string | undefined,
): Promise<Result<Rights>> {
  if (template === 'metrics') {
    if (host === undefined) return success([unlimited(['metrics:read'])]);
    return refused('invalid_request', 'The template metrics takes no host', 'host');
  }
  if (host === undefined) return refused('invalid_request', `The template ${template} needs a host`, 'host');
  const place = await findHost(context, caller.accountId, host);
  if (!place.ok) return place;
  const { domain, owner } = place.value;
  const isChallenge = template === 'certificates';
  const name = isChallenge ? challengeOf(owner) : owner;
  const records = {
    may: allOfRecords,
    domains: [domain],
    names: [{ kind: 'exact', owner: name }],
    types: isChallenge ? [rrType.TXT] : [rrType.A, rrType.AAAA],
  } as const;
  const seesDomain = { may: ['domains:read'], domains: [domain], names: null, types: null } as const;
  return success([records, seesDomain]);
}

/** A certificate for a wildcard is proven at the name above it (RFC 8555 section 7.1.3). */
function challengeOf(owner: OwnerKey): OwnerKey {
  const host = owner.replace(/^\*(?:\.|$)/, '');
  return (host === '' ? CHALLENGE : `${CHALLENGE}.${host}`) as OwnerKey;
}

/** Finds the closest domain of the account that the host is in. */
async function findHost(
  { store }: OperationContext,
  accountId: string,
  host: string,
): Promise<Result<{ readonly domain: ZoneName; readonly owner: OwnerKey }>> {
  const labels = host.trim().replace(/\.$/, '').split('.');
  for (let at = 0; at < Math.min(labels.length, MAX_HOST_LABELS); at++) {
    const name = parseZoneName(labels.slice(at).join('.'), { allowPublicSuffixes: true });
    const domain = name.ok ? await store.findDomain(accountId, name.value) : undefined;
    if (domain === undefined) continue;
    const owner = parseRecordName(labels.slice(0, at).join('.'), domain.name);
    if (!owner.ok) return refused('invalid_request', owner.problem, 'host');
    return success({ domain: domain.name, owner: owner.value.owner });
  }
  return refused('invalid_request', `Host ${quoteText(host)} is in no domain of the account`, 'host');
}

/** Far more than names of hosts have; each is a look-up. */
const MAX_HOST_LABELS = 32;
