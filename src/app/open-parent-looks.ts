import { monotonicClock, systemClock } from '../base/clock.ts';
import { findSystemResolvers } from '../dns-client/server-list.ts';
import { ParentLooks } from '../signer/parent-looks.ts';
import type { Config } from './config-settings.ts';

/** Parent zones are looked at through the configured resolvers, or through those of the system. */
export function openParentLooks({
  resolvers,
  privateParents,
}: Pick<Config, 'resolvers' | 'privateParents'>): ParentLooks {
  const servers = resolvers ?? findSystemResolvers();
  const lookup =
    servers === 'none' ? undefined : { resolvers: servers, privateServers: privateParents ?? [] };
  return new ParentLooks({ lookup, clock: systemClock, monotonic: monotonicClock });
}
