/**
 * Tells parent zones of new CDS records (RFC 9859):
 *
 *     signing begins, a step of a rollover ─▶ `note` ─▶ own nameservers have it? ─▶ one NOTIFY for each domain and change
 *
 * A notification only saves time: registries that look by themselves find the records anyway. So nothing is stored. After a
 * restart, a few changes are told twice.
 */
import { interleave } from '../../base/interleave.ts';
import { runConcurrently } from '../../base/run-concurrently.ts';
import { DnsFailure } from '../../dns-client/dns-failure.ts';
import { notifyParent } from '../../dns-client/notify-parent.ts';
import type { ParentLookup } from '../../dns-client/parent-lookup.ts';
import { serialLead } from '../../dns/serial.ts';
import { APEX, ownerDomainName } from '../../model/record-name.ts';
import type { RolloverDomain, SigningReads } from '../../store/signing-reads.ts';
import type { Store } from '../../store/store.ts';
import { pause, spread, type WatchOptions } from '../watch-options.ts';

export interface CdsNotifierOptions extends Pick<WatchOptions, 'log' | 'clock' | 'random'> {
  readonly store: Pick<Store, 'findDomain' | 'servedSerials'> & { readonly signing: SigningReads };
  /** Undefined: nobody is told. */
  readonly lookup: Omit<ParentLookup, 'signal'> | undefined;
}

export interface NotifierFigures {
  /** Changes since the start that a parent zone was told of. */
  readonly told: number;
  /** Changes since the start of which no target has taken note, or that were too many. */
  readonly untold: number;
}

const PASS_INTERVAL_MS = 30_000;

/** Domains that have begun to wait for a DS record before the process started: the time of a restart. */
const LOOK_BACK_SECONDS = 600;

/** New domains that one pass takes note of. Those beyond are found by registries that look by themselves. */
const MAX_NEW = 1000;

/** Changes that wait to be told; a pass tells them all within minutes. */
const MAX_WAITING = 1000;

/** Changes of one account that wait, so that nobody else's are too many because of them. */
const MAX_WAITING_OF_ACCOUNT = 200;

/** Changes that are known to have been told, some 100 octets each. */
const MAX_REMEMBERED = 100_000;

/** Each takes three questions, and seven seconds for each address that says nothing. */
const AT_ONCE = 4;

/** A target with four silent addresses takes 28 s. */
const DEADLINE_MS = 30_000;

/** After so many passes, own nameservers that are behind and resolvers that do not answer are waited for no longer. */
const MAX_PASSES = 4;

interface Waiting {
  readonly domain: RolloverDomain;
  readonly passes: number;
}

export class CdsNotifier {
  private readonly options: CdsNotifierOptions;
  private readonly stopping = new AbortController();
  /** Ids of domains with the mark of a change that was noted; the oldest first. */
  private readonly noted = new Set<string>();
  private readonly waiting = new Map<number, Waiting>();
  private running: Promise<void> = Promise.resolve();
  private sinceSeconds: number;
  private told = 0;
  private untold = 0;

  constructor(options: CdsNotifierOptions) {
    this.options = options;
    this.sinceSeconds = Math.floor(options.clock.nowMs() / 1000) - LOOK_BACK_SECONDS;
  }

  start(): void {
    if (this.options.lookup !== undefined) this.running = this.run();
  }

  /** Resolves when the notifications in progress have ended. */
  async close(): Promise<void> {
    this.stopping.abort(new DnsFailure('timeout', 'the service is stopping'));
    await this.running;
  }

  figures(): NotifierFigures {
    const { told, untold } = this;
    return { told, untold };
  }

  /** Has the next pass tell the parent zone of a domain, once for each mark. @param mark names the change of its CDS records */
  note(domain: RolloverDomain, mark: string): void {
    const change = `${domain.id} ${mark}`;
    if (this.options.lookup === undefined || this.noted.has(change)) return;
    this.noted.add(change);
    for (const oldest of this.noted) {
      if (this.noted.size <= MAX_REMEMBERED) break;
      this.noted.delete(oldest);
    }
    if (this.hasRoomFor(domain)) this.waiting.set(domain.id, { domain, passes: 0 });
    else this.untold++;
  }

  private hasRoomFor({ accountId }: RolloverDomain): boolean {
    if (this.waiting.size >= MAX_WAITING) return false;
    const mine = [...this.waiting.values()].filter(({ domain }) => domain.accountId === accountId);
    return mine.length < MAX_WAITING_OF_ACCOUNT;
  }

  /** Tells of all changes that can be told. Never rejects. */
  async pass(): Promise<void> {
    try {
      await this.noteNew();
      const due = interleave([...this.waiting.values()], ({ domain }) => domain.accountId);
      await runConcurrently(due, AT_ONCE, (waiting) => this.tell(waiting));
    } catch (error) {
      if (!this.stopping.signal.aborted)
        this.options.log.debug({ err: error }, 'parent zones could not be told of new CDS records');
    }
  }

  private async run(): Promise<void> {
    while (await pause(spread(PASS_INTERVAL_MS, this.options), this.stopping.signal)) await this.pass();
  }

  private async noteNew(): Promise<void> {
    const from = this.sinceSeconds;
    const awaiting = await this.options.store.signing.domainsAwaitingDs(MAX_NEW);
    for (const { id, accountId, name, sinceSeconds } of awaiting) {
      if (sinceSeconds < from) break;
      this.sinceSeconds = Math.max(this.sinceSeconds, sinceSeconds);
      this.note({ id, accountId, name }, `signed ${sinceSeconds}`);
    }
  }

  private async tell({ domain, passes }: Waiting): Promise<void> {
    const { store, lookup } = this.options;
    if (lookup === undefined || this.stopping.signal.aborted) return;
    const found = await store.findDomain(domain.accountId, domain.name);
    if (found?.id !== domain.id) {
      this.waiting.delete(domain.id);
      return;
    }
    const serials = await store.servedSerials(found);
    const isServed = serials.every(({ serial }) => serial !== null && serialLead(serial, found.serial) >= 0);
    const again = passes + 1 < MAX_PASSES ? { domain, passes: passes + 1 } : undefined;
    if (!isServed && again !== undefined) {
      this.waiting.set(domain.id, again);
      return;
    }
    this.waiting.delete(domain.id);
    const signal = AbortSignal.any([this.stopping.signal, deadline()]);
    try {
      const notified = await notifyParent(ownerDomainName(APEX, domain.name), { ...lookup, signal });
      if (notified === 'told') this.told++;
      if (notified === 'silent') this.untold++;
    } catch (error) {
      if (!(error instanceof DnsFailure)) throw error;
      // No resolver has answered.
      if (again === undefined) this.untold++;
      else this.waiting.set(domain.id, again);
    }
  }
}

/** Its reason is of the class that ends a look-up. */
function deadline(): AbortSignal {
  const controller = new AbortController();
  const failure = new DnsFailure('timeout', 'it did not answer in time');
  setTimeout(() => controller.abort(failure), DEADLINE_MS).unref();
  return controller.signal;
}
