import type { GetSignal } from '../base/fair-semaphore.ts';
import type { Domain } from '../model/domain.ts';
import { APEX, ownerDomainName } from '../model/record-name.ts';
import { namesKey, type NamedKey } from '../signer/match-ds.ts';
import { findHostedParent } from './find-hosted-parent.ts';
import type { OperationContext } from './operation-context.ts';

/**
 * Names those that have a DS record of a key, for a sentence: nameservers of the parent zone, and the domain above if the
 * account has it here. What the nameservers have can be known from up to 30 seconds ago, see `ParentLooks`.
 *
 * @returns `a.nic.example has`, `a.nic.example and 3 more have`; undefined if none has it, or none could be asked
 */
export async function findDelegatingServers(
  context: OperationContext,
  { accountId, name: shown }: Pick<Domain, 'accountId' | 'name'>,
  key: NamedKey,
  getSignal?: GetSignal,
): Promise<string | undefined> {
  const name = ownerDomainName(APEX, shown);
  const [look, hosted] = await Promise.all([
    context.parentLooks.look(accountId, name, shown, getSignal),
    findHostedParent(context, { accountId }, shown),
  ]);
  const isOfKey = (ds: string): boolean => namesKey(ds, name, [key]);
  const servers = look.kind === 'asked' ? look.sight.servers : [];
  const having = servers.flatMap((server) =>
    'ds' in server && server.ds.some(isOfKey) ? [server.name] : [],
  );
  if (hosted?.ds.some(isOfKey) === true) having.push(`your domain ${hosted.domain}`);
  if (having.length === 0) return undefined;
  const [first, ...more] = new Set(having);
  return more.length === 0 ? `${first} has` : `${first} and ${more.length} more have`;
}
