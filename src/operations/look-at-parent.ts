import type { DomainName } from '../dns/name.ts';
import type { ZoneName } from '../model/domain.ts';
import type { ParentLook } from '../signer/parent-looks.ts';
import { UNSEEN_DS_TTL_SECONDS } from '../signer/rollover/next-action.ts';
import type { HostedParent } from '../signer/status/signing-facts.ts';
import { findHostedParent } from './find-hosted-parent.ts';
import type { OperationContext } from './operation-context.ts';

/**
 * Looks at the parent zone of a domain for a rollover. Without an answer from any server, the parent zone that the account
 * has here counts: its own servers often have addresses that are not public.
 *
 * @param name the same domain, in lower case
 */
export async function lookAtParent(
  context: OperationContext,
  domain: { readonly accountId: string; readonly name: ZoneName },
  name: DomainName,
): Promise<ParentLook> {
  const look = await context.parentLooks.look(domain.accountId, name, domain.name);
  if (look.kind === 'asked' && look.parent.servers.some((server) => 'ds' in server)) return look;
  const hosted = await findHostedParent(context, domain, domain.name);
  return hosted === undefined ? look : hostedLook(hosted, context.clock.nowMs());
}

function hostedLook({ domain, ds }: HostedParent, atMs: number): ParentLook {
  const ttl = ds.length === 0 ? 0 : UNSEEN_DS_TTL_SECONDS;
  const server = { name: domain, address: undefined, ds, ttl };
  return { kind: 'asked', parent: { parent: domain, servers: [server], maxTtl: ttl }, atMs };
}
