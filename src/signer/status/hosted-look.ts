import type { ParentLook } from '../parent-looks.ts';
import { UNSEEN_DS_TTL_SECONDS } from '../rollover/next-action.ts';
import type { HostedParent } from './signing-facts.ts';

/**
 * A parent zone of the same account, as if its stored content were the answer of its only server. It counts where no server
 * answers: its own often have addresses that are not public.
 */
export function hostedLook({ domain, ds }: HostedParent, atMs: number): ParentLook {
  const ttl = ds.length === 0 ? 0 : UNSEEN_DS_TTL_SECONDS;
  const server = { name: domain, address: undefined, ds, ttl };
  return { kind: 'asked', sight: { parent: domain, servers: [server], maxTtl: ttl }, atMs };
}
