// A rollover of our key while another provider signs the same zone, stage by stage, and one that is cancelled. Here the watch
// carries it on: each stage says how the step changes when time passes, and what the owner is told.

import { rrType } from '../../../src/dns/codes.ts';
import type { Denial } from '../../../src/dns/proven-types.ts';
import { formatRdata } from '../../../src/dns/rdata/rdata.ts';
import { KEY_SET_TTL_SECONDS } from '../../../src/dnssec/key-set-ttl.ts';
import type { ZoneKey } from '../../../src/dnssec/zone-key.ts';
import type { ModelZone } from '../../interop/signed/model-zone.ts';
import type { Hosting } from './hosting.ts';
import type { MovingWatch } from './moving-watch.ts';
import { OTHER_KEYS_TTL_SECONDS, type OtherPlan, type OtherProvider } from './other-provider.ts';
import { REGISTRY, REGISTRY_TTL_SECONDS } from './parent-zone.ts';

/** Both providers, each with a nameserver. */
export const HERE = `here.${REGISTRY}`;
export const THERE = `there.${REGISTRY}`;

export interface ProviderStage {
  readonly name: string;
  /** Whose DS records the parent zone has, beside that of the other provider. */
  readonly ds: readonly Which[];
  /** The key that our CDS records name, beside that of the other provider. */
  readonly cds: Which;
  /** Absent: only the DS records change, or what the watch has changed is new. */
  readonly enter?: () => Promise<void>;
  /** After resolvers have answered. */
  readonly looks: readonly Look[];
  /** True: some resolver has to fail, otherwise the others prove nothing. */
  readonly isBroken?: true;
}

export type Which = 'old' | 'new';

/** The time that passes, the step afterwards, and a part of what the owner is told. */
type Look = readonly [seconds: number, step: string, says?: string];

export interface Shared {
  /** As it is here. */
  readonly zone: ModelZone;
  readonly denial: Denial;
  readonly hosting: Hosting;
  readonly other: OtherProvider;
  readonly watch: MovingWatch;
  readonly old: ZoneKey;
  readonly incoming: ZoneKey;
}

export interface ProviderPlan {
  /** A label. */
  readonly name: string;
  readonly denial: Denial;
  readonly signer: OtherPlan['signer'];
  /** Whose nameservers the NS records of each provider name. The delegation always names both. */
  readonly lists: 'both' | 'own';
  readonly stagesOf: (shared: Shared) => readonly ProviderStage[];
}

export const providerPlans: readonly ProviderPlan[] = [
  { name: 'shared-with-knot', denial: 'nsec', signer: 'knot', lists: 'both', stagesOf: rolledStages },
  { name: 'shared-with-bind', denial: 'nsec3', signer: 'bind', lists: 'own', stagesOf: rolledStages },
  { name: 'cancelled-beside-knot', denial: 'nsec', signer: 'knot', lists: 'both', stagesOf: cancelledStages },
];

const HOUR_SECONDS = 3600;
const DAY_SECONDS = 86_400;

function rolledStages(shared: Shared): readonly ProviderStage[] {
  return [...publishedStages(shared), ...announcedStages(shared), ...signedStages(shared)];
}

/** The parent zone and the other provider exchange the DS record and the wish for it, each after the other. */
function announcedStages({ other, old, incoming }: Shared): readonly ProviderStage[] {
  const wish = 'Have the CDS and CDNSKEY records of the other providers ask for the DS record of the new key';
  const announced = { cds: 'new', looks: [[DAY_SECONDS, 'announced', wish]] } as const;
  return [
    { ...announced, name: 'announced', ds: ['old'] },
    { ...announced, name: 'announced, DS of both keys', ds: ['old', 'new'] },
    { ...announced, name: 'announced, DS of the new key', ds: ['new'] },
    {
      ...announced,
      name: 'announced by both',
      ds: ['new'],
      enter: () => other.publish({ published: [old, incoming], announced: incoming }),
      looks: [
        [DAY_SECONDS, 'announced, waiting', 'Nothing has to be done'],
        [REGISTRY_TTL_SECONDS - 60, 'announced, waiting'],
        [120, 'signed', 'Until then, the other providers have to publish the old key as well'],
      ],
    },
  ];
}

function signedStages({ zone, other, old, incoming }: Shared): readonly ProviderStage[] {
  const wish = `Have this DNSKEY record removed by the other providers that sign ${domainOf(zone)}: ${showKey(old)}. ${THERE} still has it`;
  const signed = { ds: ['new'], cds: 'new' } as const;
  return [
    {
      ...signed,
      name: 'signed',
      looks: [
        [HOUR_SECONDS, 'signed, waiting'],
        [DAY_SECONDS - 60, 'signed, waiting'],
        [120, 'unpublished'],
      ],
    },
    { ...signed, name: 'removed here', looks: [[DAY_SECONDS, 'unpublished', wish]] },
    {
      ...signed,
      name: 'removed by both',
      enter: () => other.publish({ published: [incoming], announced: incoming }),
      looks: [
        [HOUR_SECONDS, 'unpublished, waiting'],
        [HOUR_SECONDS, 'none', 'Nothing has to be done'],
      ],
    },
    { ...signed, name: 'after', looks: [[DAY_SECONDS, 'none']] },
  ];
}

function cancelledStages(shared: Shared): readonly ProviderStage[] {
  const { zone, hosting, other, old, incoming } = shared;
  const before = {
    ds: ['old'],
    cds: 'old',
    looks: [[DAY_SECONDS, 'none', 'Nothing has to be done']],
  } as const;
  return [
    ...publishedStages(shared),
    { name: 'announced', ds: ['old'], cds: 'new', looks: [[DAY_SECONDS, 'announced']] },
    { ...before, name: 'cancelled', enter: () => hosting.cancelRollover(zone) },
    {
      ...before,
      name: 'removed by the other',
      enter: () => other.publish({ published: [old], announced: old }),
    },
    {
      name: 'signed too early',
      ds: ['old', 'new'],
      cds: 'new',
      isBroken: true,
      // The other provider does not publish the new key.
      async enter() {
        await hosting.startRollover(zone, incoming);
        await hosting.move(zone, 'published');
        await hosting.move(zone, 'announced');
      },
      looks: [],
    },
  ];
}

/** Up to the time at which both providers publish the new key, and resolvers have forgotten the sets before. */
function publishedStages({ zone, denial, hosting, other, old, incoming }: Shared): readonly ProviderStage[] {
  const wish = `Have this DNSKEY record published by the other providers that sign ${domainOf(zone)}: ${showKey(incoming)}. ${THERE} does not have it yet`;
  const before = { ds: ['old'], cds: 'old' } as const;
  return [
    {
      ...before,
      name: 'before',
      async enter() {
        await hosting.sign(zone, denial, old);
        for (const key of other.keys) await hosting.addForeignKey(zone, key);
        await other.publish({ published: [old], announced: old });
      },
      looks: [[DAY_SECONDS, 'none', 'Nothing has to be done']],
    },
    {
      ...before,
      name: 'published here',
      enter: () => hosting.startRollover(zone, incoming),
      looks: [[DAY_SECONDS, 'published', wish]],
    },
    {
      ...before,
      name: 'published by both',
      enter: () => other.publish({ published: [old, incoming], announced: old }),
      looks: [
        [DAY_SECONDS, 'published, waiting', 'Nothing has to be done'],
        [KEY_SET_TTL_SECONDS, 'published, waiting'],
        [OTHER_KEYS_TTL_SECONDS - KEY_SET_TTL_SECONDS - 60, 'published, waiting'],
        [120, 'announced'],
      ],
    },
  ];
}

function domainOf({ apex }: ModelZone): string {
  return apex.slice(0, -1);
}

function showKey({ dnskey }: ZoneKey): string {
  return formatRdata(rrType.DNSKEY, dnskey);
}
