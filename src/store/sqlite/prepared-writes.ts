import { setTimeout as sleep } from 'node:timers/promises';
import { StoreUnavailable } from '../../writes/store-errors.ts';
import type { StagedWrite } from './preparing-messages.ts';
import type { FromWriter, ToWriter } from './writer-messages.ts';

/** After a prepared write the writer belongs to others three times as long: large writes take a quarter of it at most. */
const REST_FACTOR = 3;

/** A slow disk must not make the rest longer than clients wait. */
const MAX_REST_MS = 3000;

type TakenOverMessage = Extract<FromWriter, { readonly kind: 'takenOver' }>;
type ReservedMessage = Extract<FromWriter, { readonly kind: 'reserved' }>;

/**
 * The prepared writes on their way to the writer thread: one at a time, and with a rest in between while others write. So
 * the commands of other accounts wait for one of them at most.
 */
export class PreparedWrites {
  private readonly post: (message: ToWriter) => void;
  /** Resolves when the writer has dealt with the last prepared write that was passed on. */
  private lastTurn: Promise<void> = Promise.resolve();
  private whenTakenOver: ((message: TakenOverMessage) => void) | undefined;
  /** Oldest first. */
  private readonly whenReserved: ((message: ReservedMessage) => void)[] = [];
  private endedMs = 0;
  private restMs = 0;
  /** Whether other commands have been committed since the last prepared write. */
  private othersWrite = false;

  constructor(post: (message: ToWriter) => void) {
    this.post = post;
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
    this.restMs = Math.min(message.commitMs * REST_FACTOR, MAX_REST_MS);
    this.othersWrite = false;
    endTurn();
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
