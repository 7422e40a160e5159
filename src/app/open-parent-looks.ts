import { monotonicClock, systemClock } from '../base/clock.ts';
import { ClaimLooks } from '../claims/claim-looks.ts';
import { DelegationLooks } from '../claims/delegation/delegation-looks.ts';
import { createLookTurns } from '../dns-client/paced-looks.ts';
import { findSystemResolvers } from '../dns-client/server-list.ts';
import { KeySetLooks } from '../signer/key-set-looks.ts';
import { ParentLooks, type ParentLooksOptions } from '../signer/parent-looks.ts';
import type { Config } from './config-settings.ts';

/** All take the same turns. */
export interface OpenedLooks {
  readonly parentLooks: ParentLooks;
  readonly claimLooks: ClaimLooks;
  readonly delegationLooks: DelegationLooks;
  readonly keySetLooks: KeySetLooks;
}

/** Parent zones are looked at through the configured resolvers, or through those of the system. */
export function openParentLooks(config: LookupConfig): OpenedLooks {
  const lookup = findLookup(config);
  const options = { lookup, clock: systemClock, monotonic: monotonicClock, turns: createLookTurns() };
  return {
    parentLooks: new ParentLooks(options),
    claimLooks: new ClaimLooks(options),
    delegationLooks: new DelegationLooks(options),
    keySetLooks: new KeySetLooks(options),
  };
}

type LookupConfig = Pick<Config, 'resolvers' | 'privateParents'>;

/** Undefined if nobody is to be asked. */
export function findLookup({ resolvers, privateParents }: LookupConfig): ParentLooksOptions['lookup'] {
  const servers = resolvers ?? findSystemResolvers();
  return servers === 'none' ? undefined : { resolvers: servers, privateServers: privateParents ?? [] };
}
