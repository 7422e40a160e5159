import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { rrType } from '../../dns/codes.ts';
import { parseDomainName } from '../../dns/name.ts';
import { formatRdata } from '../../dns/rdata/rdata.ts';
import type { ZoneKey } from '../../dnssec/zone-key.ts';
import type { ZoneName } from '../../model/domain.ts';
import { APEX, ownerDomainName } from '../../model/record-name.ts';
import { signallingDomainOf } from '../../model/signal-name.ts';
import { checkServed, enableSigning, newSigned } from './signed-scene.test-support.ts';
import {
  newId,
  newName,
  newRecord,
  START_MS,
  START_SECONDS,
  type StoreScene,
} from './store-scene.test-support.ts';

/** Signalling records (RFC 9615), and the wait for the first DS record. */
export function signalSuite(scene: () => StoreScene): void {
  test('a domain that is signed waits for its first DS record until that has been seen', async () => {
    const { tenant, name, serial } = await newSigned(scene(), 'nsec');
    const { store } = scene();
    const { author } = tenant;
    const { id } = await tenant.get(name);
    const found = async () =>
      (await store.signing.domainsAwaitingDs(1000)).filter((domain) => domain.id === id);
    const awaiting = { id, accountId: tenant.account.id, name, sinceSeconds: START_SECONDS };
    expect(await found()).toEqual([awaiting]);
    const later = { id: id + 1, sinceSeconds: START_SECONDS };
    expect(await store.signing.domainsAwaitingDs(1, later)).toEqual([awaiting]);
    expect(await store.signing.domainsAwaitingDs(1, awaiting)).not.toContainEqual(awaiting);
    expect(await store.signing.findAnyDomain(name)).toMatchObject({
      id,
      awaitsDsSinceSeconds: START_SECONDS,
    });
    expect(await store.signing.findAnyDomain(newName())).toBeUndefined();

    const end = { kind: 'endDsWait', domain: name } as const;
    expect(await scene().must({ ...end, sinceSeconds: 1 })).toEqual({ ended: false });
    expect(await tenant.get(name)).toMatchObject({ serial, awaitsDsSinceSeconds: START_SECONDS });
    const { revisedSerial } = await tenant.get(name);
    expect(await scene().must({ ...end, sinceSeconds: START_SECONDS })).toEqual({ ended: true });
    expect(await found()).toEqual([]);
    expect(await tenant.get(name)).toMatchObject({
      serial: serial + 1,
      revisedSerial,
      awaitsDsSinceSeconds: null,
    });
    expect(checkServed(store, name, 'nsec')).toEqual([]);

    const off = { wanted: 'disabled', force: false, id: newId() } as const;
    await scene().must({ kind: 'updateDomain', author, name, dnsSec: off });
    expect(await found()).toEqual([]);
    await enableSigning(tenant, name, 'nsec');
    expect(await found()).toEqual([awaiting]);
    await tenant.deleteDomain(name);
    expect(await found()).toEqual([]);
    await scene().must({ kind: 'restoreDomain', author, name });
    expect(await found()).toEqual([awaiting]);
  });

  signallingDomainSuite(scene);
  signalPriceSuite(scene);
}

function update(scene: StoreScene, domain: ZoneName, about: readonly ZoneName[], isSurplus = false) {
  const ids = about.flatMap(() => Array.from({ length: 12 }, newId));
  return scene.must({ kind: 'updateSignals', domain, about, isSurplus, ids, atMs: START_MS });
}

function signallingDomainSuite(scene: () => StoreScene): void {
  test('the signalling domain has the CDS and CDNSKEY records of a domain as long as it waits', async () => {
    const { store } = scene();
    const operator = await scene().newAccount();
    const { name: signalling } = await operator.createDomain(signallingDomainOf('NS1.service.example.'));
    await enableSigning(operator, signalling, 'nsec');
    const { tenant, name, key } = await newSigned(scene(), 'nsec3');
    const elsewhere = await newSigned(scene(), 'nsec');
    await elsewhere.tenant.create(elsewhere.name, newNs('ns.other.example'));
    const explicit = await newSigned(scene(), 'nsec');
    await explicit.tenant.create(explicit.name, newNs('NS1.Service.example'));
    const unsigned = await tenant.createDomain(newName());
    const unknown = newName();
    const all = [name, elsewhere.name, explicit.name, unsigned.name, unknown];

    expect(await update(scene(), signalling, all)).toEqual({ updated: 2, refused: 0 });
    const signals = async (about: ZoneName) => {
      const { rows } = await store.listRecords(await operator.get(signalling), {
        direction: 'after',
        key: null,
        limit: 100,
      });
      const mine = rows.filter((row) => row.name === `_dsboot.${about}`);
      return mine.map(({ type, data, ttl }) => ({ type, data, ttl }));
    };
    const cdsOf = (about: ZoneName, key: Key) => [
      { type: rrType.CDNSKEY, data: formatRdata(rrType.CDNSKEY, key.dnskey), ttl: 3600 },
      { type: rrType.CDS, data: shownCds(about, key), ttl: 3600 },
    ];
    expect(sorted(await signals(name))).toEqual(cdsOf(name, key));
    expect(sorted(await signals(explicit.name))).toEqual(cdsOf(explicit.name, explicit.key));
    for (const other of [elsewhere.name, unsigned.name, unknown]) expect(await signals(other)).toEqual([]);
    expect(checkServed(store, signalling, 'nsec')).toEqual([]);

    const { serial } = await operator.get(signalling);
    expect(await update(scene(), signalling, all)).toEqual({ updated: 0, refused: 0 });
    expect(await operator.get(signalling)).toMatchObject({ serial });

    await scene().must({ kind: 'endDsWait', domain: explicit.name, sinceSeconds: START_SECONDS });
    await tenant.deleteDomain(name);
    expect(await update(scene(), signalling, all)).toEqual({ updated: 2, refused: 0 });
    expect(await signals(name)).toEqual([]);
    expect(await signals(explicit.name)).toEqual([]);
    expect(checkServed(store, signalling, 'nsec')).toEqual([]);
    await scene().must({ kind: 'restoreDomain', author: tenant.author, name });
    expect(await update(scene(), signalling, [name])).toEqual({ updated: 1, refused: 0 });
    expect(await update(scene(), signalling, [name], true)).toEqual({ updated: 1, refused: 0 });
    expect(await signals(name)).toEqual([]);
  });
}

function signalPriceSuite(scene: () => StoreScene): void {
  test('nobody pays for signalling records in the history', async () => {
    const { store } = scene();
    const operator = await scene().newAccount();
    const { name: signalling } = await operator.createDomain(signallingDomainOf('ns2.service.example'));
    await enableSigning(operator, signalling, 'nsec');
    const { name } = await newSigned(scene(), 'nsec');
    const usage = async () => (await store.findQuota(operator.account.id))?.usage;
    const before = await usage();
    await update(scene(), signalling, [name]);
    const after = await usage();
    expect(after).toMatchObject({
      records: (before?.records ?? 0) + 2,
      historyOctets: before?.historyOctets,
    });
    const domain = await operator.get(signalling);
    const { rows } = await store.listChanges(domain, { direction: 'after', key: null, limit: 2 });
    expect(rows).toMatchObject([
      { action: 'create', keyId: '', new: { name: `_dsboot.${name}` } },
      { action: 'create', keyId: '', new: { name: `_dsboot.${name}` } },
    ]);
  });
}

type Key = Pick<ZoneKey, 'tag' | 'algorithm' | 'dnskey'>;

function shownCds(about: ZoneName, { tag, algorithm, dnskey }: Key): string {
  const digest = createHash('sha256').update(ownerDomainName(APEX, about)).update(dnskey).digest('hex');
  return `${tag} ${algorithm} 2 ${digest.toUpperCase()}`;
}

function newNs(host: string) {
  const name = parseDomainName(host);
  if (!name.ok) throw new Error(name.problem);
  return newRecord('', 1, { type: rrType.NS, data: host, rdata: name.value });
}

/** CDNSKEY before CDS. */
function sorted<T extends { readonly type: number }>(records: readonly T[]): T[] {
  return [...records].sort((a, b) => b.type - a.type);
}
