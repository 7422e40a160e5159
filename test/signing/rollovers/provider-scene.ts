// Two providers of the same zones, their parent zone and the resolvers before them:
//
//   here:  store ─▶ publisher ─▶ nameserver ◀──┐         ┌─ Unbound without a cache, which asks both ─▶ delv
//            ▲                                 ├─────────┼─ Unbound with what one has answered, which asks the other one
//          watch ── looks ────────────────────▶┤         └─ the other way round
//   there: Knot or BIND, with keys of its own ◀┘
//   parent: BIND with the DS records of both

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseServerAddress, type ServerAddress } from '../../../src/dns-client/server-address.ts';
import type { ModelZone } from '../../interop/signed/model-zone.ts';
import {
  startValidatingResolver,
  strict,
  type ResolverPlan,
} from '../../interop/moving/validating-resolver.ts';
import { startCaches, type Cache } from './caches.ts';
import { Hosting } from './hosting.ts';
import { openMovingWatch } from './moving-watch.ts';
import { nastyZone, questionsAbout, type Question } from './nasty-zone.ts';
import { startOtherProvider, type OtherProvider } from './other-provider.ts';
import {
  formatAnchor,
  makeGrandchildren,
  REGISTRY,
  startParentZone,
  zoneAddresses,
  type GrandchildZone,
  type ParentZone,
} from './parent-zone.ts';
import {
  HERE,
  providerPlans,
  THERE,
  type ProviderPlan,
  type ProviderStage,
  type Shared,
} from './provider-scenarios.ts';

/** Each has an address of its own, because delegations name no ports. */
const hosts = { here: '127.0.0.3', there: '127.0.0.2' } as const;
const nameservers = { [`${HERE}.`]: hosts.here, [`${THERE}.`]: hosts.there };

export type Side = keyof typeof hosts;

/** Unbound processes that have what one provider has answered, and then ask the other one, or the same. */
export interface Crossing {
  readonly from: Side;
  readonly to: Side;
  readonly caches: readonly Cache[];
}

/** The caches of answers from there that ask there again would see little change. */
const crossed = [
  ['here', 'there'],
  ['there', 'here'],
  ['here', 'here'],
] as const satisfies readonly (readonly [Side, Side])[];

export interface ProviderScenario extends Shared {
  readonly title: string;
  /** `host:port` of the nameserver of each provider. */
  readonly addresses: Readonly<Record<Side, string>>;
  readonly questions: readonly Question[];
  readonly stages: readonly ProviderStage[];
}

export interface ProviderScene {
  readonly folder: string;
  readonly parent: ParentZone;
  readonly scenarios: readonly ProviderScenario[];
  readonly crossings: readonly Crossing[];
  /** A resolver with it asks both providers. */
  readonly plan: ResolverPlan;
  readonly delvAnchor: string;
}

type Stops = (() => Promise<void>)[];

/** @param folder empty @param stops gets what has to be called in the end, the last one first, also if this fails */
export async function openProviderScene(folder: string, stops: Stops): Promise<ProviderScene> {
  for (const name of ['below', 'looks']) mkdirSync(join(folder, name));
  const grandchildren: GrandchildZone[] = [];
  const hosted: HostedZone[] = [];
  for (const plan of providerPlans) hosted.push(await openZone(plan, folder, grandchildren, stops));
  const parent = await startParentZone(join(folder, 'parent'), grandchildren, nameservers);
  stops.push(() => parent.stop());
  const planOf = (sides: readonly Side[]): ResolverPlan => {
    const asked = hosted.map(({ zone, addresses }) => ({
      ...zone,
      at: sides.map((side) => addresses[side]),
    }));
    const zones = zoneAddresses(parent, asked);
    return { folder, anchorFile: parent.anchorFile, zones, settings: strict };
  };
  const plan = planOf(['here', 'there']);
  // This resolver does not know the other provider, if each lists only its own nameserver.
  const resolver = await startValidatingResolver({ ...planOf(['here']), folder: join(folder, 'looks') });
  stops.push(() => resolver.stop());
  const scenarios = hosted.map((zone) => openScenario(zone, [parent.address], resolver.address, stops));
  const crossings: Crossing[] = [];
  for (const [from, to] of crossed) {
    const own = join(folder, `${from}-${to}`);
    mkdirSync(own);
    const caches = await startCaches({ ...planOf([from]), folder: own });
    for (const cache of caches) stops.push(() => cache.stop());
    crossings.push({ from, to, caches });
  }
  const delvAnchor = join(folder, 'delv-anchor');
  writeFileSync(delvAnchor, formatAnchor(parent));
  return { folder, parent, scenarios, crossings, plan, delvAnchor };
}

interface HostedZone extends Pick<ProviderScenario, 'zone' | 'hosting' | 'addresses'> {
  readonly plan: ProviderPlan;
  readonly other: OtherProvider;
}

/** Starts both providers of a zone. */
async function openZone(
  plan: ProviderPlan,
  folder: string,
  grandchildren: GrandchildZone[],
  stops: Stops,
): Promise<HostedZone> {
  const { name, signer, lists } = plan;
  const apex = `${name}.${REGISTRY}.`;
  const { zones, ds } = await makeGrandchildren(join(folder, 'below'), apex);
  grandchildren.push(...zones);
  const zoneOf = (own: string): ModelZone =>
    nastyZone(apex, ds, lists === 'own' ? [`${own}.`] : Object.keys(nameservers));
  const zone = zoneOf(HERE);
  const store = join(folder, name);
  mkdirSync(store);
  // The programs that check files ask on 127.0.0.1.
  const hosting = await Hosting.open(store, ['127.0.0.1', hosts.here]);
  stops.push(() => hosting.close());
  await hosting.create(zone);
  const place = { folder: join(folder, `${name}-there`), host: hosts.there };
  const other = await startOtherProvider({ signer, zone: zoneOf(THERE), ...place });
  stops.push(() => other.stop());
  const addresses = { here: `${hosts.here}:${hosting.port}`, there: other.address };
  return { plan, zone, hosting, other, addresses };
}

function openScenario(
  { plan, zone, hosting, other, addresses }: HostedZone,
  parents: readonly string[],
  resolver: string,
  stops: Stops,
): ProviderScenario {
  const { name, denial, lists, stagesOf } = plan;
  const watch = openMovingWatch(hosting, zone, {
    resolvers: [toServer(resolver)],
    privateServers: [...parents, ...Object.values(addresses)].map(toServer),
  });
  stops.push(() => watch.close());
  const old = hosting.newKey(13, other.keys);
  const incoming = hosting.newKey(13, [old, ...other.keys]);
  const shared = { zone, denial, hosting, other, watch, old, incoming };
  const asked = questionsAbout(zone, true);
  // The answer depends on who gives it.
  const isDivided = ({ name: owner, type }: Question): boolean =>
    lists === 'own' && type === 'NS' && owner === zone.apex;
  const questions = asked.map((one) => (isDivided(one) ? { ...one, lines: undefined } : one));
  return { title: name, ...shared, addresses, questions, stages: stagesOf(shared) };
}

function toServer(text: string): ServerAddress {
  const server = parseServerAddress(text);
  if (!server.ok) throw new Error(server.problem);
  return server.value;
}
