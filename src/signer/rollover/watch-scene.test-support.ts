import { expect } from 'vitest';
import type { ServerKeySets } from '../../dns-client/ask-key-sets.ts';
import { createZoneKey } from '../../dnssec/private-key.ts';
import { openKeySecrets } from '../../dnssec/key-secrets.ts';
import { foreignKey } from '../../dnssec/read-dnskey.ts';
import { KEY_FLAGS, type MadeAlgorithm, type ZoneKey } from '../../dnssec/zone-key.ts';
import type { ZoneName } from '../../model/domain.ts';
import { APEX, ownerDomainName } from '../../model/record-name.ts';
import type { Store } from '../../store/store.ts';
import { newZoneKey, suiteSigning } from '../../store/suite/signed-scene.test-support.ts';
import { newId, newRecord, START_MS, START_SECONDS } from '../../store/suite/store-scene.test-support.ts';
import type { CommandOf } from '../../writes/command.ts';
import { formatWantedDs } from '../match-ds.ts';
import type { ParentLook } from '../parent-looks.ts';
import { openRenewalScene, type RenewalScene } from '../renewal-scene.test-support.ts';
import { RolloverWatch, type RolloverWatchOptions } from './rollover-watch.ts';
import { showStep } from './show-step.test-support.ts';

/** The TTL of the DS records at the parent zone. */
export const DS_TTL_SECONDS = 7200;

/** A store that several processes may have open, and the clock of all of them. */
export interface WatchedStore extends Pick<RenewalScene, 'clock' | 'pass' | 'logged' | 'tenant'> {
  /** As the process that looks next has it open. */
  readonly store: () => RolloverWatchOptions['store'] & Pick<Store, 'write'>;
}

export interface WatchScene extends WatchedStore {
  watch: RolloverWatch;
  /** Looks as another process does, which has seen nothing. */
  readonly startWatchAgain: () => Promise<void>;
  /** For the option `lookAtParent`. */
  readonly parent: { look: ParentLook };
  /** A command of the owner about the domain. */
  readonly write: (command: OwnersWords) => Promise<void>;
  readonly name: ZoneName;
  /** The servers of the domain have at most this serial; undefined: that of the store. */
  readonly servers: {
    serial: number | undefined;
    ds: readonly ZoneKey[];
    /** The keys that nameservers publish, those of other providers included. */
    keySets: readonly ServerKeySets[];
  };
  readonly keys: () => Promise<readonly ZoneKey[]>;
  readonly start: (algorithm: MadeAlgorithm) => Promise<void>;
  /** Adds a key of another provider; returns it. */
  readonly addForeignKey: () => Promise<ZoneKey>;
  readonly update: (wanted: 'enabled' | 'disabled') => Promise<void>;
  /** Moves the clock, and looks. */
  readonly lookAfter: (seconds: number) => Promise<void>;
  readonly step: () => Promise<string>;
}

type OwnersWords =
  Omit<CommandOf<'holdRollover'>, 'author' | 'domain'> | Omit<CommandOf<'noteDsSeen'>, 'author' | 'domain'>;

/** The watch on a real embedded store, with servers and a clock that the tests set. */
export async function openWatch(
  options: Partial<RolloverWatchOptions> = {},
): Promise<WatchScene & RenewalScene> {
  const scene = await openRenewalScene({}, { dnssec: suiteSigning });
  return Object.assign(await openWatchOn(scene, options), scene);
}

/** The same on a store that is open already. */
export async function openWatchOn(
  scene: WatchedStore,
  options: Partial<RolloverWatchOptions> = {},
): Promise<WatchScene> {
  const { store, pass } = scene;
  const owner = await scene.tenant();
  const { author } = owner;
  const { name, id, serial } = await owner.createDomain();
  await owner.create(name, newRecord('www', 1));
  const servers: WatchScene['servers'] = { serial: undefined, ds: [], keySets: [] };
  const watchOptions = { ...optionsOf(scene, name, servers), ...options };
  const update = async (wanted: 'enabled' | 'disabled'): Promise<void> => {
    const on = { wanted: 'enabled', denial: 'nsec', key: newZoneKey() } as const;
    const off = { wanted: 'disabled', force: false, id: newId() } as const;
    const dnsSec = wanted === 'enabled' ? on : off;
    const result = await store().write({ kind: 'updateDomain', author, name, dnsSec });
    expect(result).toMatchObject({ ok: true, changed: true });
  };
  await update('enabled');
  expect(serial).toBeGreaterThan(0);
  const keys = (): Promise<readonly ZoneKey[]> => store().signing.zoneKeys({ id });
  servers.ds = await keys();
  const opened: WatchScene = {
    ...scene,
    watch: new RolloverWatch(watchOptions),
    startWatchAgain: async () => {
      await opened.watch.close();
      opened.watch = new RolloverWatch(watchOptions);
    },
    parent: { look: { kind: 'unknown', reason: 'nobody is asked' } },
    write: async (command) => {
      expect(await store().write({ ...command, author, domain: name })).toMatchObject({
        ok: true,
      });
    },
    name,
    servers,
    keys,
    update,
    start: async (algorithm) => {
      const key = makeKey(algorithm, await keys());
      const command = { kind: 'startRollover', author, domain: name, id: newId(), key } as const;
      expect(await store().write(command)).toMatchObject({ ok: true });
    },
    addForeignKey: async () => {
      const { dnskey } = makeKey(13, await keys());
      const key = foreignKey({ algorithm: 13, flags: KEY_FLAGS, dnskey }, newId(), START_SECONDS);
      const command = { kind: 'addZoneKey', author, domain: name, key, denial: 'nsec' } as const;
      expect(await store().write(command)).toMatchObject({ ok: true });
      return key;
    },
    lookAfter: async (seconds) => {
      pass(seconds * 1000);
      await opened.watch.look();
    },
    step: async () => showStep(await keys()),
  };
  return opened;
}

function optionsOf(
  scene: WatchedStore,
  name: ZoneName,
  servers: WatchScene['servers'],
): RolloverWatchOptions {
  const { store } = scene;
  return {
    store: {
      get signing() {
        return store().signing;
      },
      findDomain: (...args) => store().findDomain(...args),
      write: (command) => store().write(command),
    },
    log: silent(scene),
    clock: scene.clock,
    monotonic: { elapsedMs: () => scene.clock.nowMs() - START_MS },
    findClockDoubt: () => undefined,
    canSign: true,
    lookAtParent: () => Promise.resolve(parentLook(name, servers.ds)),
    lookAtKeySets: () => Promise.resolve({ kind: 'asked', sight: servers.keySets, atMs: 0 }),
    lookAtSerials: (domain) =>
      Promise.resolve({
        kind: 'asked',
        servers: [{ name: 'ns1', address: undefined, serial: servers.serial ?? domain.serial }],
      }),
  };
}

const secrets = openKeySecrets(suiteSigning.secrets);

/** A key whose tag none of the others has. */
function makeKey(algorithm: MadeAlgorithm, others: readonly ZoneKey[]): ZoneKey {
  return createZoneKey({ id: newId(), algorithm, createdAtSeconds: START_SECONDS }, secrets, others);
}

function silent({ logged }: WatchedStore): RolloverWatchOptions['log'] {
  const lines = logged as string[];
  const note = (_: object, message: string): void => void lines.push(message);
  return { debug: note, info: note, warn: note, error: note };
}

export function parentLook(name: ZoneName, keys: readonly ZoneKey[]): ParentLook {
  const apex = ownerDomainName(APEX, name);
  const ds = keys.map((key) => formatWantedDs(apex, key));
  const ttl = ds.length === 0 ? 0 : DS_TTL_SECONDS;
  const server = { name: 'a.parent', address: '192.0.2.1', ds, ttl };
  return { kind: 'asked', sight: { parent: 'parent', servers: [server], maxTtl: ttl }, atMs: 0 };
}
