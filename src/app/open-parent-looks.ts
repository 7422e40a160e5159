import { monotonicClock, systemClock } from '../base/clock.ts';
import { findSystemResolvers } from '../dns-client/server-list.ts';
import { ParentLooks, type ParentLooksOptions } from '../signer/parent-looks.ts';
import type { Config } from './config-settings.ts';

/** Parent zones are looked at through the configured resolvers, or through those of the system. */
export function openParentLooks(config: LookupConfig): ParentLooks {
  return new ParentLooks({ lookup: findLookup(config), clock: systemClock, monotonic: monotonicClock });
}

type LookupConfig = Pick<Config, 'resolvers' | 'privateParents'>;

/** Undefined if nobody is to be asked. */
export function findLookup({ resolvers, privateParents }: LookupConfig): ParentLooksOptions['lookup'] {
  const servers = resolvers ?? findSystemResolvers();
  return servers === 'none' ? undefined : { resolvers: servers, privateServers: privateParents ?? [] };
}
