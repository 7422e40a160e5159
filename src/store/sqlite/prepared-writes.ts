import { setTimeout as sleep } from 'node:timers/promises';
import { StoreUnavailable } from '../../writes/store-errors.ts';
import { restAfter } from '../writer-rest.ts';
import type { StagedWrite } from './preparing-messages.ts';
import type { FromWriter, ToWriter } from './writer-messages.ts';

type TakenOverMessage = Extract<FromWriter, { readonly kind: 'takenOver' }>;
type ReservedMessage = Extract<FromWriter, { readonly kind: 'reserved' }>;

/**
 * The prepared writes on their way to the writer thread: one at a time, and with a rest in between while others write. So
 * the commands of other accounts wait for one of them at most.
 */
export class PreparedWrites {
  private readonly post: (message: ToWriter) => void;
  private readonly moveLog: () => Promise<void>;
  /** Resolves when the writer has dealt with the last prepared write that was passed on. */
  private lastTurn: Promise<void> = Promise.resolve();
  private whenTakenOver: ((message: TakenOverMessage) => void) | undefined;
  /** Oldest first. */
  private readonly whenReserved: ((message: ReservedMessage) => void)[] = [];
  private endedMs = 0;
  private restMs = 0;
  /** Whether other commands have been committed since the last prepared write. */
  private othersWrite = false;

  /** @param moveLog moves the log into the store's file, without holding the writer */
  constructor(post: (message: ToWriter) => void, moveLog: () => Promise<void>) {
    this.post = post;
    this.moveLog = moveLog;
  }

  /** Resolves with the writer's reply. Never rejects. */
  async takeOver(staged: StagedWrite): Promise<TakenOverMessage> {
    const before = this.lastTurn;
    let endTurn = (): void => undefined;
    this.lastTurn = new Promise((resolve) => (endTurn = resolve));
    await before;
    await this.rest();
    const message = await new Promise<TakenOverMessage>((resolve) => {
      this.whenTakenOver = resolve;
      this.post({ kind: 'takeOver', staged });
    });
    this.endedMs = performance.now();
    this.restMs = restAfter(message.commitMs);
    this.othersWrite = false;
    // The caller does not wait for it, but the next prepared write does, so that the log has one of them at most.
    void this.moveLog().then(() => {
      this.post({ kind: 'logMoved' });
      endTurn();
    });
    return message;
  }

  /** @throws StoreUnavailable */
  async reserveDomainId(): Promise<number> {
    const { domainId } = await new Promise<ReservedMessage>((resolve) => {
      this.whenReserved.push(resolve);
      this.post({ kind: 'reserveDomainId' });
    });
    if (typeof domainId === 'string') throw new StoreUnavailable(`the store cannot be written: ${domainId}`);
    return domainId;
  }

  receive(message: TakenOverMessage | ReservedMessage): void {
    if (message.kind === 'takenOver') this.whenTakenOver?.(message);
    else this.whenReserved.shift()?.(message);
  }

  /** Called when commands have been committed that were not prepared. */
  noteOthers(): void {
    this.othersWrite = true;
  }

  private async rest(): Promise<void> {
    const restMs = this.endedMs + this.restMs - performance.now();
    if (this.othersWrite && restMs > 0) await sleep(restMs, undefined, { ref: false });
  }
}
