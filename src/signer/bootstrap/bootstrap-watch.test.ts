// The watch on a real embedded store, with parent zones and a clock that the tests set.
import { expect, test } from 'vitest';
import { rrType } from '../../dns/codes.ts';
import type { ZoneKey } from '../../dnssec/zone-key.ts';
import type { ZoneName } from '../../model/domain.ts';
import { APEX, ownerDomainName } from '../../model/record-name.ts';
import { signallingDomainOf } from '../../model/signal-name.ts';
import { enableSigning, suiteSigning } from '../../store/suite/signed-scene.test-support.ts';
import {
  newId,
  newKey,
  newName,
  newRecord,
  type Tenant,
} from '../../store/suite/store-scene.test-support.ts';
import { formatWantedDs } from '../match-ds.ts';
import type { ParentLook } from '../parent-looks.ts';
import { openRenewalScene } from '../renewal-scene.test-support.ts';
import { BootstrapWatch, type BootstrapWatchOptions } from './bootstrap-watch.ts';

const { nameservers } = suiteSigning.soa;
const HOUR_MS = 3_600_000;

async function openWatch(options: Partial<BootstrapWatchOptions> = {}) {
  const scene = await openRenewalScene({}, { dnssec: suiteSigning });
  const { store } = scene;
  const operator = await scene.tenant();
  const customer = await scene.tenant();
  /** The keys whose DS records the parent zone has, by domain. */
  const delegated = new Map<ZoneName, readonly ZoneKey[]>();
  const looked: ZoneName[] = [];
  let passedMs = 0;
  const watchOptions: BootstrapWatchOptions = {
    store: {
      get signing() {
        return store().signing;
      },
      listKeys: (...args) => store().listKeys(...args),
      listRecords: (...args) => store().listRecords(...args),
      write: (command) => store().write(command),
    },
    log: noteLines(scene.logged),
    clock: scene.clock,
    monotonic: { elapsedMs: () => passedMs },
    findClockDoubt: () => undefined,
    canSign: true,
    nameservers,
    newId,
    lookAtParent: ({ name }) => {
      looked.push(name);
      return Promise.resolve(parentLook(name, delegated.get(name) ?? []));
    },
    ...options,
  };
  const makeAdministrator = async ({ author, account }: Tenant): Promise<void> => {
    const key = { ...newKey(account.id), scope: 'admin' } as const;
    expect(await store().write({ kind: 'createKey', author, key })).toMatchObject({ ok: true });
  };
  let watch = new BootstrapWatch(watchOptions);
  return {
    ...scene,
    operator,
    customer,
    delegated,
    looked,
    makeAdministrator,
    figures: () => watch.figures(),
    /** As after a start of the service. */
    restart: () => void (watch = new BootstrapWatch(watchOptions)),
    lookAfter: async (ms: number): Promise<void> => {
      scene.pass(ms);
      passedMs += ms;
      await watch.look();
    },
    /** Creates and signs a domain, which is on all nameservers of the service. */
    newSigned: async (tenant: Tenant, name = newName()): Promise<ZoneName> => {
      await tenant.createDomain(name);
      await enableSigning(tenant, name, 'nsec');
      return name;
    },
    /** Signalling names with the types of their records. */
    signals: async (signalling: ZoneName): Promise<readonly string[]> => {
      const page = { direction: 'after', key: null, limit: 100 } as const;
      const { rows } = await store().listRecords(await operator.get(signalling), page);
      return rows.map(({ name, type }) => `${name} ${type === rrType.CDS ? 'CDS' : 'CDNSKEY'}`).sort();
    },
  };
}

function noteLines(logged: readonly string[]): BootstrapWatchOptions['log'] {
  const lines = logged as string[];
  const note = (_: object, message: string): void => void lines.push(message);
  return { debug: note, info: note, warn: note, error: note };
}

function parentLook(name: ZoneName, keys: readonly ZoneKey[]): ParentLook {
  const apex = ownerDomainName(APEX, name);
  const ds = keys.map((key) => formatWantedDs(apex, key));
  const server = { name: 'a.parent', address: '192.0.2.1', ds, ttl: 3600 };
  return { kind: 'asked', sight: { parent: 'parent', servers: [server], maxTtl: 3600 }, atMs: 0 };
}

function bothOf(name: ZoneName): readonly string[] {
  return [`_dsboot.${name} CDNSKEY`, `_dsboot.${name} CDS`];
}

test('a signed domain is signalled below every nameserver until the parent zone has its DS record', async () => {
  const scene = await openWatch();
  const { operator, customer, delegated, signals, lookAfter } = scene;
  await scene.makeAdministrator(operator);
  const [first, second] = nameservers.map(signallingDomainOf);
  await scene.newSigned(operator, first);
  await scene.newSigned(operator, second);
  const name = await scene.newSigned(customer);
  await lookAfter(60_000);
  for (const signalling of [first, second]) {
    expect((await signals(signalling)).filter((signal) => signal.includes(name))).toEqual(bothOf(name));
  }
  expect(scene.figures()).toMatchObject({ waiting: 3, updates: 2, failures: 0 });

  const { id } = await customer.get(name);
  delegated.set(name, await scene.store().signing.zoneKeys({ id }));
  await lookAfter(HOUR_MS);
  await lookAfter(60_000);
  for (const signalling of [first, second]) {
    expect((await signals(signalling)).filter((signal) => signal.includes(name))).toEqual([]);
  }
  expect(await customer.get(name)).toMatchObject({ awaitsDsSinceSeconds: null });
  expect(scene.figures()).toMatchObject({ waiting: 2 });
});

test('the signals of a domain disappear when it is deleted, and stand again when it is restored', async () => {
  const scene = await openWatch();
  const { operator, customer, signals, lookAfter } = scene;
  await scene.makeAdministrator(operator);
  const signalling = await scene.newSigned(operator, signallingDomainOf(nameservers[0]));
  const name = await scene.newSigned(customer);
  await lookAfter(60_000);
  expect(await signals(signalling)).toEqual(bothOf(name));
  await customer.deleteDomain(name);
  await lookAfter(60_000);
  expect(await signals(signalling)).toEqual([]);
  const { author } = customer;
  await scene.store().write({ kind: 'restoreDomain', author, name });
  await lookAfter(60_000);
  expect(await signals(signalling)).toEqual(bothOf(name));
  await scene.store().write({
    kind: 'updateDomain',
    author,
    name,
    dnsSec: { wanted: 'disabled', force: false, id: newId() },
  });
  await lookAfter(60_000);
  expect(await signals(signalling)).toEqual([]);
});

test('what has happened while no process was watching is found in the records that stand', async () => {
  const scene = await openWatch();
  const { operator, customer, signals, lookAfter } = scene;
  await scene.makeAdministrator(operator);
  const signalling = await scene.newSigned(operator, signallingDomainOf(nameservers[0]));
  const [deleted, replaced] = [await scene.newSigned(customer), await scene.newSigned(customer)];
  await operator.create(signalling, newRecord('www'));
  await lookAfter(60_000);
  scene.restart();
  await customer.deleteDomain(deleted);
  const { author } = customer;
  const dnsSec = { wanted: 'disabled', force: true, id: newId() } as const;
  await scene.store().write({ kind: 'updateDomain', author, name: replaced, dnsSec });
  const before = await operator.get(signalling);
  await enableSigning(customer, replaced, 'nsec');
  await lookAfter(2 * 24 * HOUR_MS);
  const standing = (await signals(signalling)).filter((signal) => signal.startsWith('_dsboot'));
  expect(standing).toEqual(bothOf(replaced));
  expect(await operator.get(signalling)).toMatchObject({ recordCount: before.recordCount - 2 });
  const { id } = await customer.get(replaced);
  const [key] = await scene.store().signing.zoneKeys({ id });
  const page = { direction: 'after', key: null, limit: 100 } as const;
  const { rows } = await scene.store().listRecords(await operator.get(signalling), page);
  const cds = rows.find(({ type }) => type === rrType.CDS);
  expect(cds?.data).toBe(formatWantedDs(ownerDomainName(APEX, replaced), key));
});

test('a signalling domain in the account of a customer, or none, has nothing watched', async () => {
  const scene = await openWatch();
  const { operator, customer, signals, lookAfter } = scene;
  await scene.newSigned(customer);
  await lookAfter(60_000);
  const signalling = await scene.newSigned(operator, signallingDomainOf(nameservers[0]));
  await lookAfter(60_000);
  expect(await signals(signalling)).toEqual([]);
  expect(scene.looked).toEqual([]);
  expect(scene.figures()).toEqual({ waiting: 0, records: 0, updates: 0, failures: 0 });
});

test('a domain that has waited for long is signalled only if its parent zone has no DS record', async () => {
  const scene = await openWatch();
  const { operator, customer, delegated, signals, lookAfter } = scene;
  const [secure, waiting] = [await scene.newSigned(customer), await scene.newSigned(customer)];
  delegated.set(secure, await scene.store().signing.zoneKeys(await customer.get(secure)));
  scene.pass(30 * 24 * HOUR_MS);
  await scene.makeAdministrator(operator);
  const signalling = await scene.newSigned(operator, signallingDomainOf(nameservers[0]));
  await lookAfter(60_000);
  expect(await signals(signalling)).toEqual(bothOf(waiting));
  expect(scene.figures()).toMatchObject({ updates: 1 });
  expect(await customer.get(secure)).toMatchObject({ awaitsDsSinceSeconds: null });
});

test('parent zones are asked less and less often', async () => {
  const scene = await openWatch();
  await scene.makeAdministrator(scene.operator);
  const signalling = await scene.newSigned(scene.operator, signallingDomainOf(nameservers[0]));
  await scene.newSigned(scene.customer);
  for (let minutes = 0; minutes < 24 * 60; minutes++) await scene.lookAfter(60_000);
  // After 1, 2, 4 … 256 minutes and then every six hours, for both domains.
  expect(scene.looked.filter((name) => name !== signalling)).toHaveLength(12);
});

test('a signalling domain that is full is logged once', async () => {
  const scene = await openWatch();
  const { operator, customer } = scene;
  await scene.makeAdministrator(operator);
  await scene.newSigned(operator, signallingDomainOf(nameservers[0]));
  const { author, account } = operator;
  const overrides = { records: 1 };
  await scene.store().write({ kind: 'updateLimits', author, accountId: account.id, overrides });
  await scene.newSigned(customer);
  await scene.lookAfter(60_000);
  await scene.lookAfter(60_000);
  expect(scene.figures().failures).toBeGreaterThan(1);
  const warnings = scene.logged.filter((line) => line.includes('cannot be brought in line'));
  expect(warnings).toHaveLength(1);
  await scene.store().write({ kind: 'updateLimits', author, accountId: account.id, overrides: {} });
  await scene.lookAfter(60_000);
  expect(scene.logged.at(-1)).toBe('signalling records can be written again');
});
