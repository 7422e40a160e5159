import { accountOf } from '../writes/write-queue.ts';
import type { Command } from '../writes/command.ts';
import { weighCommand } from '../writes/command-weight.ts';
import { StoreBusy } from '../writes/store-errors.ts';
import { domainOf } from '../writes/run-batch.ts';

/** The most commands that wait behind large ones: they hold their requests in memory. */
const MAX_WAITING = 1024;

/** The share of one domain: four of them fill the service. */
const MAX_WAITING_PER_DOMAIN = 256;

/** The octets of all waiting commands together. */
const MAX_WAITING_OCTETS = 16 * 1024 * 1024;

/** A domain with a large command that is not decided yet. */
interface BusyDomain {
  /** Resolves when the last large command has ended. Never rejects. */
  ended: Promise<void>;
  large: number;
  waiting: number;
}

/**
 * Keeps the commands of an account to a domain in the order in which they came: preparing a large command takes time, and
 * a later one must neither be decided before it nor make its preparation worthless. Other domains and accounts do not wait.
 */
export class DomainOrder {
  private readonly busy = new Map<string, BusyDomain>();
  private waiting = 0;
  private waitingOctets = 0;

  /**
   * Carries out a command when the large ones before it have ended.
   *
   * @throws StoreBusy if too many commands wait
   */
  run<T>(command: Command, isLarge: boolean, work: () => Promise<T>): Promise<T> {
    if (this.busy.size === 0 && !isLarge) return work();
    const name = domainOf(command);
    const place = name === undefined ? undefined : `${accountOf(command)} ${name}`;
    const domain = place === undefined ? undefined : this.busy.get(place);
    if (place === undefined || (domain === undefined && !isLarge)) return work();
    const begun = domain === undefined ? work() : this.runAfter(domain, weighCommand(command).octets, work);
    return isLarge ? this.runLarge(place, begun) : begun;
  }

  private async runAfter<T>(domain: BusyDomain, octets: number, work: () => Promise<T>): Promise<T> {
    const isFull = this.waiting >= MAX_WAITING || domain.waiting >= MAX_WAITING_PER_DOMAIN;
    if (isFull || (this.waiting > 0 && this.waitingOctets + octets > MAX_WAITING_OCTETS))
      throw new StoreBusy('Too many writes wait for a large write to this domain, try again');
    this.waiting++;
    this.waitingOctets += octets;
    domain.waiting++;
    await domain.ended;
    this.waiting--;
    this.waitingOctets -= octets;
    domain.waiting--;
    return await work();
  }

  private async runLarge<T>(place: string, begun: Promise<T>): Promise<T> {
    const domain = this.busy.get(place) ?? { ended: Promise.resolve(), large: 0, waiting: 0 };
    this.busy.set(place, domain);
    domain.large++;
    const before = domain.ended;
    domain.ended = begun.then(ignore, ignore).then(() => before);
    try {
      return await begun;
    } finally {
      if (--domain.large === 0) this.busy.delete(place);
    }
  }
}

const ignore = (): void => undefined;
