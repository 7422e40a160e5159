// The watch of the service over rollovers, with the looks of the service: it asks the nameservers of the parent zone and of
// all providers. Only its clock is moved by the test: the TTLs pass for it alone, and signatures stay valid for everybody.

import { silentLog } from '../../../src/base/log.ts';
import type { ServerAddress } from '../../../src/dns-client/server-address.ts';
import { nameOf } from '../../../src/dnssec/zone-records.test-support.ts';
import { KeySetLooks } from '../../../src/signer/key-set-looks.ts';
import { ParentLooks } from '../../../src/signer/parent-looks.ts';
import { lookAtSerials } from '../../../src/signer/rollover/look-at-serials.ts';
import { RolloverWatch } from '../../../src/signer/rollover/rollover-watch.ts';
import { showStep } from '../../../src/signer/rollover/show-step.test-support.ts';
import { describeSigning } from '../../../src/signer/status/signing-status.ts';
import type { ModelZone } from '../../interop/signed/model-zone.ts';
import type { Hosting } from './hosting.ts';

export interface MovingWatch {
  /** Moves the clock, looks, and returns the step as `showStep` does. */
  lookAfter(seconds: number): Promise<string>;
  /** Returns what the owner has to do next, in words. */
  nextStep(): Promise<string>;
  close(): Promise<void>;
}

/** @param lookup the resolver that is asked, and the nameservers, none of which has a public address */
export function openMovingWatch(
  hosting: Hosting,
  zone: ModelZone,
  lookup: { readonly resolvers: readonly ServerAddress[]; readonly privateServers: readonly ServerAddress[] },
): MovingWatch {
  const startMs = Date.now();
  let aheadMs = 0;
  const clock = { nowMs: () => startMs + aheadMs };
  const monotonic = { elapsedMs: () => aheadMs };
  const looks = { lookup, clock, monotonic, shortestTurnMs: 0 };
  const parentLooks = new ParentLooks(looks);
  const keySetLooks = new KeySetLooks(looks);
  const store = hosting.asStore;
  const watch = new RolloverWatch({
    ...{ store, log: silentLog, clock, monotonic, findClockDoubt: () => undefined, canSign: true },
    lookAtParent: ({ accountId, name: shown }, name) => parentLooks.look(accountId, name, shown),
    lookAtKeySets: ({ accountId, name: shown }, name) => keySetLooks.look(accountId, name, shown),
    lookAtSerials: (domain, name, which) =>
      lookAtSerials(domain, name, { store, lookup: which === 'own' ? undefined : lookup }),
  });
  return {
    async lookAfter(seconds) {
      aheadMs += seconds * 1000;
      await watch.look();
      const { failures } = watch.figures();
      return failures === 0 ? showStep((await hosting.read(zone)).keys) : `${failures} failures`;
    },
    async nextStep() {
      const { domain, keys } = await hosting.read(zone);
      const name = nameOf(zone.apex);
      const look = await parentLooks.look(domain.accountId, name, domain.name);
      const keySets = await keySetLooks.look(domain.accountId, name, domain.name);
      const facts = { isSigned: true, isWithdrawn: false, work: null, hosted: undefined };
      return describeSigning({ ...facts, domain: domain.name, name, keys, look, keySets }).nextStep;
    },
    async close() {
      await watch.close();
      parentLooks.close();
      keySetLooks.close();
    },
  };
}
