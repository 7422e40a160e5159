/**
 * Vouches for signed domains until the parent zone has their first DS record (RFC 9615):
 *
 *     signalling domains of the operator? ─▶ domains that wait for a DS record ─▶ records about new ones, at once
 *                                                │
 *                                                └─▶ look at the parent zone, some at a time ─▶ it has the DS: records go
 *
 * Without a signalling domain, nothing is looked at. What stands follows from committed rows alone (`decide-signals.ts`), so
 * that several processes on one database may watch the same domains.
 */
import { interleave } from '../../base/interleave.ts';
import { runConcurrently } from '../../base/run-concurrently.ts';
import type { DomainName } from '../../dns/name.ts';
import { hasUse, keyUse } from '../../dnssec/zone-key.ts';
import type { Domain, ZoneName } from '../../model/domain.ts';
import { APEX, ownerDomainName } from '../../model/record-name.ts';
import type { AwaitingDomain, SigningReads } from '../../store/signing-reads.ts';
import type { Store } from '../../store/store.ts';
import { FailingDomains } from '../failing-domains.ts';
import type { ParentLook } from '../parent-looks.ts';
import { findDsObstacles } from '../rollover/obstacles.ts';
import { RolloverRests } from '../rollover/rollover-rests.ts';
import { WatchLoop } from '../watch-loop.ts';
import { spread, type WatchOptions } from '../watch-options.ts';
import { findSignallingDomains } from './find-signalling-domains.ts';
import { findWatched } from './find-watched.ts';
import { Signals } from './signals.ts';

export interface BootstrapWatchOptions extends WatchOptions {
  readonly store: Pick<Store, 'write' | 'listRecords' | 'listKeys'> & { readonly signing: SigningReads };
  /** The nameservers of the service: host names. */
  readonly nameservers: readonly string[];
  /** Returns a UUIDv7. */
  readonly newId: () => string;
  readonly lookAtParent: (domain: AwaitingDomain, name: DomainName) => Promise<ParentLook>;
}

export interface BootstrapFigures {
  /** Domains that are signalled while they wait for their first DS record; 0 without a signalling domain. */
  readonly waiting: number;
  /** Records of all signalling domains. */
  readonly records: number;
  /** Commands since the start that have changed signalling records. */
  readonly updates: number;
  /** Commands since the start that were refused, and passes that have failed. */
  readonly failures: number;
}

/** The records stand within a minute or so after signing has begun. */
const LOOK_INTERVAL_MS = 30_000;

/** After that time, new domains come first again. */
const LOOKS_MS = 30_000;

/** A registry that reads signalling records does so once a day or so. */
const LONGEST_REST_MS = 6 * 3_600_000;

/** A look takes up to sixteen seconds if servers are silent. */
export const BOOTSTRAP_LOOKS_AT_ONCE = 4;

/** Domains whose records are put in one pass: a few seconds of the writer, in short commands. */
const MAX_PUT = 2000;

/** A domain that has waited for longer has its parent zone looked at first: it may be secure since long ago. */
const FRESH_SECONDS = 86_400;

/** A domain whose records have been brought in line since it waits. */
interface Done {
  readonly name: ZoneName;
  readonly sinceSeconds: number;
}

export class BootstrapWatch {
  private readonly options: BootstrapWatchOptions;
  private readonly loop: WatchLoop;
  private readonly signals: Signals;
  private readonly failing = new FailingDomains();
  /** Ids of domains with a refused command in the present pass. */
  private readonly refused = new Set<number>();
  private readonly rests = new RolloverRests(LONGEST_REST_MS);
  /** By id. */
  private readonly done = new Map<number, Done>();
  private signalling: readonly Domain[] = [];
  private watched: ReadonlySet<number> = new Set();
  private isCut = false;
  private failures = 0;

  constructor(options: BootstrapWatchOptions) {
    this.options = options;
    this.loop = new WatchLoop({
      log: options.log,
      away: 'signalling records cannot be looked after; this is tried again',
      back: 'signalling records are looked after again',
    });
    this.signals = new Signals(options);
  }

  start(): void {
    const pauseMs = (): number => spread(LOOK_INTERVAL_MS, this.options);
    this.loop.start(pauseMs(), () => this.look().then(pauseMs));
  }

  /** Resolves when the looks in progress have ended. */
  async close(): Promise<void> {
    await this.loop.close();
  }

  figures(): BootstrapFigures {
    const records = this.signalling.reduce((sum, { recordCount }) => sum + recordCount, 0);
    return {
      waiting: this.watched.size,
      records,
      updates: this.signals.updates,
      failures: this.failures,
    };
  }

  /** One pass. Never rejects. */
  async look(): Promise<void> {
    if (!(await this.loop.pass(() => this.pass()))) this.failures++;
  }

  private async pass(): Promise<void> {
    const { store, nameservers, canSign, findClockDoubt } = this.options;
    this.noteSignalling(await findSignallingDomains(nameservers, store));
    const { domains, isCut } =
      this.signalling.length === 0 ? { domains: [], isCut: false } : await findWatched(store.signing);
    this.watched = new Set(domains.map(({ id }) => id));
    this.isCut = isCut;
    this.rests.keepOnly(this.watched);
    if (!canSign || findClockDoubt() !== undefined) return;
    await this.removeOthers();
    await this.putNew(domains);
    await this.lookAtAll(domains);
    await this.sweep();
    this.noteRecovered();
  }

  /** Another signalling domain lacks what has been put before. */
  private noteSignalling(found: readonly Domain[]): void {
    const idsOf = (domains: readonly Domain[]): string => domains.map(({ id }) => id).join();
    if (idsOf(found) !== idsOf(this.signalling)) this.done.clear();
    this.signalling = found;
  }

  /** Deleted domains, those that are no longer signed, and those that give way to others. */
  private async removeOthers(): Promise<void> {
    const gone = [...this.done].filter(([id]) => !this.watched.has(id)).slice(0, MAX_PUT);
    if (gone.length === 0) return;
    const names = gone.map(([, { name }]) => name);
    if (await this.update(names, this.isCut)) for (const [id] of gone) this.done.delete(id);
  }

  private async putNew(domains: readonly AwaitingDomain[]): Promise<void> {
    const nowSeconds = this.options.clock.nowMs() / 1000;
    const isNew = ({ id, sinceSeconds }: AwaitingDomain): boolean =>
      this.done.get(id)?.sinceSeconds !== sinceSeconds && nowSeconds - sinceSeconds < FRESH_SECONDS;
    const fresh = domains.filter(isNew).slice(0, MAX_PUT);
    await this.put(fresh);
    // Other keys may have been announced.
    for (const { id } of fresh) this.rests.end(id);
  }

  private async put(domains: readonly AwaitingDomain[]): Promise<void> {
    const names = domains.map(({ name }) => name);
    if (names.length === 0 || !(await this.update(names))) return;
    for (const { id, name, sinceSeconds } of domains) this.done.set(id, { name, sinceSeconds });
  }

  private async lookAtAll(domains: readonly AwaitingDomain[]): Promise<void> {
    const { monotonic } = this.options;
    const startedMs = monotonic.elapsedMs();
    const isOver = (): boolean => this.loop.signal.aborted || monotonic.elapsedMs() - startedMs > LOOKS_MS;
    const due = domains.filter(({ id }) => !this.rests.isResting(id, startedMs));
    const inTurn = interleave(due, ({ accountId }) => accountId);
    await runConcurrently(inTurn, BOOTSTRAP_LOOKS_AT_ONCE, async (domain) => {
      if (!isOver()) await this.lookAt(domain);
    });
  }

  private async lookAt(domain: AwaitingDomain): Promise<void> {
    const { store, lookAtParent, monotonic } = this.options;
    const name = ownerDomainName(APEX, domain.name);
    const keys = await store.signing.zoneKeys(domain);
    const announced = keys.filter((key) => hasUse(key, keyUse.ANNOUNCED));
    const look = await lookAtParent(domain, name);
    const isSecure =
      announced.length > 0 && findDsObstacles(look, { name, incoming: announced, outgoing: [] }).length === 0;
    this.rests.add(domain.id, monotonic.elapsedMs(), null);
    if (!isSecure) {
      // Also what somebody has changed by hand meanwhile.
      await this.put([domain]);
      return;
    }
    const { sinceSeconds } = domain;
    const result = await store.write({ kind: 'endDsWait', domain: domain.name, sinceSeconds });
    if (!result.ok && result.refusal.code !== 'unknown_domain')
      this.noteRefusal(domain, result.refusal.message);
    if (result.ok && (await this.update([domain.name]))) this.done.delete(domain.id);
  }

  private async sweep(): Promise<void> {
    const isSurplus = ({ id }: Domain): boolean => this.isCut && !this.watched.has(id);
    for (const signalling of this.signalling) {
      const reason = await this.signals.sweep(signalling, isSurplus);
      if (reason !== undefined) this.noteRefusal(signalling, reason);
    }
  }

  /** Returns whether nothing was refused. */
  private async update(about: readonly ZoneName[], isSurplus = false): Promise<boolean> {
    let isDone = true;
    for (const signalling of this.signalling) {
      const reason = await this.signals.update(signalling, about, isSurplus);
      if (reason === undefined) continue;
      isDone = false;
      this.noteRefusal(signalling, reason);
    }
    return isDone;
  }

  private noteRefusal({ id, name }: Pick<Domain, 'id' | 'name'>, reason: string): void {
    const { log, monotonic } = this.options;
    this.failures++;
    this.refused.add(id);
    if (!this.failing.addFailure(id, monotonic.elapsedMs())) return;
    log.warn({ domain: name, reason }, 'signalling records cannot be brought in line; this is tried again');
  }

  private noteRecovered(): void {
    for (const { id, name } of this.signalling) {
      if (!this.refused.has(id) && this.failing.remove(id))
        this.options.log.info({ domain: name }, 'signalling records can be written again');
    }
    this.refused.clear();
  }
}
