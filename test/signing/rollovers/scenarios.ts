// Every rollover and withdrawal, stage by stage: what is done, which DS records the parent zone then has, and what resolvers
// must answer. Between two stages, the TTL of everything that the next one changes passes (here: caches are emptied).

import type { Denial } from '../../../src/dns/proven-types.ts';
import { rolloverSteps } from '../../../src/dnssec/rollover.ts';
import type { MadeAlgorithm, SigningAlgorithm, ZoneKey } from '../../../src/dnssec/zone-key.ts';
import type { ModelZone } from '../../interop/signed/model-zone.ts';
import type { Hosting } from './hosting.ts';

/** `either` while resolvers may still have the DS records; `broken`: each has to fail at least once. */
export type Trust = 'secure' | 'insecure' | 'either' | 'broken';

export interface Stage {
  readonly name: string;
  /** Whose DS records the parent zone has. */
  readonly ds: readonly ('old' | 'new')[];
  /** The key that the CDS records name; undefined: the zone is unsigned. */
  readonly cds: 'old' | 'new' | 'delete' | undefined;
  /** How a resolver answers that has nothing in its cache. */
  readonly fresh: Trust;
  /** How a resolver answers that has data of the stage before. */
  readonly cached: Trust;
  /** Changes the zone; absent: only the DS records change. */
  readonly enter?: (hosting: Hosting) => Promise<void>;
}

export interface Scenario {
  readonly title: string;
  readonly zone: ModelZone;
  readonly denial: Denial;
  readonly old: ZoneKey;
  readonly incoming: ZoneKey;
  readonly stages: readonly Stage[];
}

export interface Plan {
  /** A label. */
  readonly name: string;
  readonly denial: Denial;
  readonly kind: 'rollover' | 'withdrawal' | 'exchange at once';
  readonly from: SigningAlgorithm;
  readonly to: MadeAlgorithm;
}

const denials = ['nsec', 'nsec3'] as const;
const algorithms = [13, 15] as const;

/** The last one breaks its zone, which all caches must notice: otherwise the others prove nothing. */
export const plans: readonly Plan[] = denials.flatMap((denial): Plan[] => [
  ...algorithms.flatMap((from) => [
    ...algorithms.map((to) => plan('rollover', denial, from, to)),
    plan('withdrawal', denial, from, from),
  ]),
  // A domain that moved here with an RSA key: the only rollovers of such keys lead away from them.
  plan('rollover', denial, 8, 13),
  plan('exchange at once', denial, 13, 13),
]);

function plan(kind: Plan['kind'], denial: Denial, from: SigningAlgorithm, to: MadeAlgorithm): Plan {
  return { name: `${kind.replaceAll(' ', '-')}-${denial}-${from}-${to}`, denial, kind, from, to };
}

export function openScenario(
  { name, denial, kind, from, to }: Plan,
  zone: ModelZone,
  hosting: Hosting,
): Scenario {
  const old = hosting.newKey(from);
  // One pair of keys in 65,536 has the same tag, which the service refuses.
  const incoming = hosting.newKey(to, [old]);
  const scene = { title: name, zone, denial, old, incoming };
  return { ...scene, stages: [first(scene), ...stagesOf[kind](scene)] };
}

type Enter = NonNullable<Stage['enter']>;

type Scene = Omit<Scenario, 'stages'>;

function first({ zone, denial, old }: Scene): Stage {
  const enter: Enter = (hosting) => hosting.sign(zone, denial, old);
  return { ...secure, name: 'before', ds: ['old'], cds: 'old', enter };
}

const secure = { fresh: 'secure', cached: 'secure' } as const;

const stagesOf: Readonly<Record<Plan['kind'], (scene: Scene) => Stage[]>> = {
  rollover: rolloverStages,
  withdrawal: withdrawalStages,
  'exchange at once': ({ zone, denial, incoming }) => [
    {
      name: 'after',
      ds: ['old', 'new'],
      cds: 'new',
      fresh: 'secure',
      cached: 'broken',
      enter: (hosting) => hosting.exchangeAtOnce(zone, denial, incoming),
    },
  ],
};

/** The registrar adds the new DS record, removes the old one, takes that back, and exchanges both at once in the end. */
const exchange: readonly Stage['ds'][] = [['old'], ['old', 'new'], ['new'], ['old'], ['new']];

function rolloverStages({ zone, old, incoming }: Scene): Stage[] {
  const steps = rolloverSteps[old.algorithm === incoming.algorithm ? 'key' : 'algorithm'];
  const stages: Stage[] = [];
  let known: 'old' | 'new' = 'old';
  let wanted: 'old' | 'new' = 'old';
  for (const [i, step] of [...steps, 'after'].entries()) {
    const enter: Enter =
      i === 0
        ? (hosting) => hosting.startRollover(zone, incoming)
        : (hosting) => hosting.move(zone, steps[i - 1]);
    if (step === 'announced') wanted = 'new';
    const sets = step === 'announced' ? exchange : [[known]];
    for (const [at, ds] of sets.entries()) {
      const name = sets.length === 1 ? step : `${step}, DS ${ds.join(' and ')}`;
      const changes = at === 0 ? { enter } : {};
      stages.push({ ...secure, name, ds, cds: wanted, ...changes });
    }
    known = wanted;
  }
  return stages;
}

function withdrawalStages({ zone }: Scene): Stage[] {
  const step = 'withdrawing';
  return [
    {
      ...secure,
      name: step,
      ds: ['old'],
      cds: 'delete',
      enter: (hosting) => hosting.withdraw(zone),
    },
    { name: `${step}, no DS`, ds: [], cds: 'delete', fresh: 'insecure', cached: 'either' },
    {
      name: 'after',
      ds: [],
      cds: undefined,
      fresh: 'insecure',
      cached: 'insecure',
      enter: (hosting) => hosting.move(zone, step),
    },
  ];
}
