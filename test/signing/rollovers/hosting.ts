// The service in this process: the embedded store, the publisher and a nameserver on a loopback port. Rollovers are carried
// on by the command that the watch over them uses, so that no time has to pass.

import { silentLog } from '../../../src/base/log.ts';
import { systemClock } from '../../../src/base/clock.ts';
import type { Denial } from '../../../src/dns/proven-types.ts';
import { openKeySecrets } from '../../../src/dnssec/key-secrets.ts';
import { createZoneKey, exportPrivateKey, sealZoneKey } from '../../../src/dnssec/private-key.ts';
import type { RolloverStep } from '../../../src/dnssec/rollover.ts';
import { isRsa, type SigningAlgorithm, type ZoneKey } from '../../../src/dnssec/zone-key.ts';
import type { Domain, ZoneName } from '../../../src/model/domain.ts';
import { parseRecord } from '../../../src/model/parse-record.ts';
import type { DomainRecord } from '../../../src/model/record.ts';
import { startNameserver, type Nameserver } from '../../../src/nameserver/threads/nameserver.ts';
import { createIdSource } from '../../../src/operations/new-id.ts';
import { startPublisher, type Publisher } from '../../../src/publisher/publisher.ts';
import type { RolloverWatchOptions } from '../../../src/signer/rollover/rollover-watch.ts';
import type { Store } from '../../../src/store/store.ts';
import { openServedStore, type ServedStore } from '../../../src/store/suite/served-store.test-support.ts';
import type { Author, Command, CommandResult, CommandValues } from '../../../src/writes/command.ts';
import { freePort } from '../../harness/free-port.ts';
import type { ModelRecord, ModelZone } from '../../interop/signed/model-zone.ts';
import { newKeyPair } from '../../../src/dnssec/key-pair.test-support.ts';

const MEMORY_BYTES = 64 * 2 ** 20;
const secrets: readonly string[] = ['the secret of the tests of rollovers, of more than 32 characters'];
const soa = { nameservers: ['ns.registry.example'], mailbox: 'hostmaster@registry.example' };

export class Hosting {
  private readonly newId = createIdSource(systemClock);
  private readonly sealing = openKeySecrets(secrets);
  private readonly store: ServedStore;
  private readonly publisher: Publisher;
  private readonly nameserver: Nameserver;
  private readonly accountId = this.newId();
  private readonly keyId = this.newId();

  /** @param hosts loopback addresses of the nameserver, which has the same port at each */
  static async open(folder: string, hosts: readonly string[] = ['127.0.0.1']): Promise<Hosting> {
    const dnssec = { secrets, soa };
    const store = await openServedStore({ folder, clock: systemClock, log: silentLog, dnssec });
    const publisher = startPublisher({
      source: store,
      memoryBytes: MEMORY_BYTES,
      soa,
      readers: 1,
      seed: 1,
      log: silentLog,
    });
    // If the port were ephemeral, dig would sometimes send from the same one, and get its own question as the answer.
    const port = await freePort();
    const nameserver = await startNameserver({
      addresses: hosts.map((host) => ({ host, port })),
      workers: 1,
      udp: 'auto',
      memory: publisher.memory,
      loadZone: (name) => publisher.loadZone(name),
      onUnrecoverable: (reason) => {
        throw new Error(reason);
      },
      log: silentLog,
    });
    const hosting = new Hosting(store, publisher, nameserver);
    await hosting.createAccount();
    return hosting;
  }

  private constructor(store: ServedStore, publisher: Publisher, nameserver: Nameserver) {
    this.store = store;
    this.publisher = publisher;
    this.nameserver = nameserver;
  }

  /** That of the nameserver. */
  get port(): number {
    return this.nameserver.addresses[0].port;
  }

  /** For what the service does by itself: a write is answered when it is served. */
  get asStore(): RolloverWatchOptions['store'] & Pick<Store, 'servedSerials'> {
    const { store } = this;
    return {
      signing: store.signing,
      findDomain: (accountId, name) => store.findDomain(accountId, name),
      servedSerials: (domain) => store.servedSerials(domain),
      write: (command) => this.writeServed(command),
    };
  }

  /** A key that is made here, or one of RSA as it is imported. @param others have other tags, unless it is one of RSA */
  newKey(algorithm: SigningAlgorithm, others: readonly ZoneKey[] = []): ZoneKey {
    const about = { id: this.newId(), createdAtSeconds: 1 };
    if (!isRsa(algorithm)) return createZoneKey({ ...about, algorithm }, this.sealing, others);
    const { privateKey } = newKeyPair('rsa', { modulusLength: 2048 });
    return sealZoneKey(
      { ...about, origin: 'imported' },
      exportPrivateKey(privateKey, algorithm),
      this.sealing,
    );
  }

  async create(zone: ModelZone): Promise<void> {
    const { author } = this;
    const name = nameOf(zone);
    const [first, ...others] = zone.records.map((record) => parse(record, zone, this.newId()));
    await this.write({ kind: 'createDomain', author, name, address: null, nameservers: [first] });
    for (const record of others) await this.write({ kind: 'createRecord', author, domain: name, record });
  }

  async sign(zone: ModelZone, denial: Denial, key: ZoneKey): Promise<void> {
    const dnsSec = { wanted: 'enabled', denial, key } as const;
    await this.write({ kind: 'updateDomain', author: this.author, name: nameOf(zone), dnsSec });
  }

  /** Begins to exchange the key. */
  async startRollover(zone: ModelZone, key: ZoneKey): Promise<void> {
    const { author } = this;
    await this.write({ kind: 'startRollover', author, domain: nameOf(zone), id: this.newId(), key });
  }

  async cancelRollover(zone: ModelZone): Promise<void> {
    const { author } = this;
    const id = await this.findRollover(zone);
    await this.write({ kind: 'cancelRollover', author, domain: nameOf(zone), id });
  }

  /** Publishes a key of another provider. */
  async addForeignKey(zone: ModelZone, foreign: ZoneKey): Promise<void> {
    const { author } = this;
    const key = { ...foreign, id: this.newId() };
    await this.write({ kind: 'addZoneKey', author, domain: nameOf(zone), key, denial: 'nsec' });
  }

  async withdraw(zone: ModelZone): Promise<void> {
    await this.disable(zone, false);
  }

  /** Exchanges the key without a rollover, which breaks the zone for resolvers. */
  async exchangeAtOnce(zone: ModelZone, denial: Denial, key: ZoneKey): Promise<void> {
    await this.disable(zone, true);
    await this.sign(zone, denial, key);
  }

  /** Ends the step of the rollover or withdrawal. Throws if it is not the one that is in progress. */
  async move(zone: ModelZone, step: RolloverStep): Promise<void> {
    const name = nameOf(zone);
    const id = await this.findRollover(zone);
    const { moved } = await this.write({ kind: 'moveRollover', domain: name, id, step, to: 'next' });
    if (!moved) throw new Error(`the rollover of ${name} is not at the step ${step}`);
  }

  async read(zone: ModelZone): Promise<{ readonly domain: Domain; readonly keys: readonly ZoneKey[] }> {
    const domain = await this.store.findDomain(this.accountId, nameOf(zone));
    if (domain === undefined) throw new Error(`${zone.apex} does not exist`);
    return { domain, keys: await this.store.signing.zoneKeys(domain) };
  }

  async close(): Promise<void> {
    await this.nameserver.stop();
    this.publisher.close();
    await this.store.close();
  }

  private get author(): Author {
    return { accountId: this.accountId, keyId: this.keyId, atMs: systemClock.nowMs() };
  }

  private async createAccount(): Promise<void> {
    const { accountId, keyId } = this;
    const createdAtSeconds = 1;
    const account = { id: accountId, name: 'test', email: 'test@example.com', createdAtSeconds };
    const key = { id: keyId, accountId, hash: '0'.repeat(64), scope: 'full', label: '', createdAtSeconds };
    await this.write({ kind: 'createAccount', account, key: { ...key, scope: 'full' } });
  }

  private async disable(zone: ModelZone, force: boolean): Promise<void> {
    const dnsSec = { wanted: 'disabled', force, id: this.newId() } as const;
    await this.write({ kind: 'updateDomain', author: this.author, name: nameOf(zone), dnsSec });
  }

  private async findRollover(zone: ModelZone): Promise<string> {
    const { keys } = await this.read(zone);
    const id = keys.find(({ rollover }) => rollover !== null)?.rollover?.id;
    if (id === undefined) throw new Error(`${zone.apex} has no rollover in progress`);
    return id;
  }

  private async write<C extends Command>(command: C): Promise<CommandValues[C['kind']]> {
    const result = await this.writeServed(command);
    if (!result.ok) throw new Error(`${command.kind}: ${JSON.stringify(result)}`);
    return result.value;
  }

  /** Returns when the change is served. */
  private async writeServed<C extends Command>(command: C): Promise<CommandResult<C>> {
    const result = await this.store.write(command);
    await formerZonesAreGone(this.publisher);
    return result;
  }
}

/** A zone that turns signed or unsigned is served as it was until it is loaded again. */
async function formerZonesAreGone(publisher: Publisher): Promise<void> {
  if (publisher.formerZones().length > 0)
    await new Promise<void>((resolve) => publisher.onFormerChange(() => resolve()));
}

function nameOf({ apex }: ModelZone): ZoneName {
  return apex.slice(0, -1) as ZoneName;
}

function parse({ owner, type, ttl, shown }: ModelRecord, zone: ModelZone, id: string): DomainRecord {
  const rules = { txtLimitBytes: 4096, defaultTtlSeconds: null };
  const parsed = parseRecord({ name: owner, type, ttl, data: shown }, nameOf(zone), rules);
  if (!parsed.ok) throw new Error(`${owner} ${type} ${shown}: ${JSON.stringify(parsed)}`);
  return { id, ...parsed.value };
}
