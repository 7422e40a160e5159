import type { DomainName } from '../dns/name.ts';
import type { ZoneName } from '../model/domain.ts';
import { hasAnswer, type ParentLook } from '../signer/parent-looks.ts';
import { hostedLook } from '../signer/status/hosted-look.ts';
import { findHostedParent } from './find-hosted-parent.ts';
import type { OperationContext } from './operation-context.ts';

/**
 * Looks at the parent zone of a domain for a rollover. Without an answer from any server, the parent zone that the account
 * has here counts: its own servers often have addresses that are not public.
 *
 * @param name the same domain, in lower case
 * @param turn whose turn of `ParentLooks` it takes: that of the account, unless nobody of the account waits
 */
export async function lookAtParent(
  context: OperationContext,
  domain: { readonly accountId: string; readonly name: ZoneName },
  name: DomainName,
  turn = domain.accountId,
): Promise<ParentLook> {
  const look = await context.parentLooks.look(turn, name, domain.name);
  if (hasAnswer(look)) return look;
  const hosted = await findHostedParent(context, domain, domain.name);
  return hosted === undefined ? look : hostedLook(hosted, context.clock.nowMs());
}
