import { rrType } from '../dns/codes.ts';
import { isBeyondAscii } from '../dns/name-to-ascii.ts';
import type { Domain, ZoneName } from '../model/domain.ts';
import { APEX } from '../model/record-name.ts';
import type { OwnerKey } from '../model/record.ts';
import { isServed } from '../model/withholding.ts';
import type { OperationContext } from './operation-context.ts';

/** Each is a read of one row. Domains are rarely more than two levels inside another one, and in the IPv6 reverse tree twelve. */
const MAX_LEVELS = 16;

/**
 * Returns the domain from which the nameserver answers a question, if it is another one: the closest served one at or above the
 * name. For DS records, that is the one above the name (RFC 4035 section 3.1.4.1). Names of other accounts are never above or
 * below served domains of this one (contract rule 56).
 */
export async function findAnsweringDomain(
  context: OperationContext,
  domain: Domain,
  { owner, type }: { readonly owner: OwnerKey; readonly type: number },
): Promise<ZoneName | undefined> {
  if (owner === APEX && type !== rrType.DS && isServed(domain)) return undefined;
  const inside = owner === APEX ? [] : namesInside(owner, domain.name);
  const below = type === rrType.DS ? inside.filter((name) => name !== `${owner}.${domain.name}`) : inside;
  const found = await findServed(context, domain.accountId, below.slice(-MAX_LEVELS));
  if (found !== undefined) return found;
  if (isServed(domain) && (owner !== APEX || type !== rrType.DS)) return undefined;
  return findServed(context, domain.accountId, namesAbove(domain.name).slice(0, MAX_LEVELS));
}

/** From the name up to the one right below the domain. */
function namesInside(owner: OwnerKey, domain: ZoneName): readonly string[] {
  // No domain has escapes or a wildcard in its name.
  if (/[\\*]/.test(owner) || isBeyondAscii(owner)) return [];
  return namesFrom(`${owner}.${domain}`).slice(0, owner.split('.').length);
}

function namesAbove(domain: ZoneName): readonly string[] {
  return namesFrom(domain).slice(1);
}

function namesFrom(name: string): readonly string[] {
  const labels = name.split('.');
  return labels.map((_, i) => labels.slice(i).join('.'));
}

async function findServed(
  { store }: OperationContext,
  accountId: string,
  names: readonly string[],
): Promise<ZoneName | undefined> {
  const found = await Promise.all(names.map((name) => store.findDomain(accountId, name as ZoneName)));
  return found.find((other) => other !== undefined && isServed(other))?.name;
}
