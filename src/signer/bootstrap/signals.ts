/** Signalling records in the domains of the operator, as far as one process has brought them in line. */
import type { Domain, ZoneName } from '../../model/domain.ts';
import { domainOfSignal } from '../../model/signal-name.ts';
import type { SigningReads } from '../../store/signing-reads.ts';
import type { Store } from '../../store/store.ts';
import { IDS_PER_SIGNAL, MAX_SIGNALS_AT_ONCE } from '../../writes/decide-signals.ts';

export interface SignalsOptions {
  readonly store: Pick<Store, 'write' | 'listRecords'> & {
    readonly signing: Pick<SigningReads, 'findAnyDomain'>;
  };
  readonly clock: { nowMs(): number };
  /** Returns a UUIDv7. */
  readonly newId: () => string;
}

/** Rows of one query. */
const PAGE_ROWS = 500;

/** Rows of a signalling domain that are looked at in one pass: an object of a store of a thousand domains in all. */
const MAX_SWEPT_ROWS = 4 * PAGE_ROWS;

export class Signals {
  private readonly options: SignalsOptions;
  /** By id of the signalling domain, the record id after which the next sweep goes on. */
  private readonly sweptTo = new Map<number, string>();
  /** Commands that have changed records. */
  private updated = 0;

  constructor(options: SignalsOptions) {
    this.options = options;
  }

  get updates(): number {
    return this.updated;
  }

  /**
   * Brings the records about these domains in line.
   *
   * @param isSurplus whether they are not to be signalled, because others come first
   * @returns the reason of the first command that was refused
   * @throws StoreUnavailable or CommitInDoubt
   */
  async update(
    signalling: Domain,
    about: readonly ZoneName[],
    isSurplus = false,
  ): Promise<string | undefined> {
    const { store, clock, newId } = this.options;
    let reason: string | undefined;
    for (let from = 0; from < about.length; from += MAX_SIGNALS_AT_ONCE) {
      const some = about.slice(from, from + MAX_SIGNALS_AT_ONCE);
      const result = await store.write({
        kind: 'updateSignals',
        domain: signalling.name,
        about: some,
        isSurplus,
        ids: Array.from({ length: some.length * IDS_PER_SIGNAL }, newId),
        atMs: clock.nowMs(),
      });
      if (!result.ok) reason ??= result.refusal.message;
      else if (result.changed) this.updated++;
    }
    return reason;
  }

  /**
   * Looks at the next records that stand in a signalling domain: they may be about domains that have been deleted or signed
   * otherwise while no process was watching.
   *
   * @param isSurplus whether the domain has to give way to others
   */
  async sweep(signalling: Domain, isSurplus: (domain: Domain) => boolean): Promise<string | undefined> {
    const names = await this.readNext(signalling);
    const surplus: ZoneName[] = [];
    const others: ZoneName[] = [];
    for (const name of names) {
      const domain = await this.options.store.signing.findAnyDomain(name);
      (domain !== undefined && isSurplus(domain) ? surplus : others).push(name);
    }
    const reason = await this.update(signalling, others);
    return (await this.update(signalling, surplus, true)) ?? reason;
  }

  /** The domains that the next records are about; begins again after the last one. */
  private async readNext(signalling: Domain): Promise<ReadonlySet<ZoneName>> {
    const names = new Set<ZoneName>();
    for (let rows = 0; rows < MAX_SWEPT_ROWS; rows += PAGE_ROWS) {
      const key = this.sweptTo.get(signalling.id) ?? null;
      const page = await this.options.store.listRecords(signalling, {
        direction: 'after',
        key,
        limit: PAGE_ROWS,
      });
      for (const { name } of page.rows) {
        const about = domainOfSignal(name);
        if (about !== undefined) names.add(about);
      }
      const last = page.rows.at(-1);
      if (last !== undefined && page.hasAfter) this.sweptTo.set(signalling.id, last.id);
      else {
        this.sweptTo.delete(signalling.id);
        return names;
      }
    }
    return names;
  }
}
