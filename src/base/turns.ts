// Work of which only so much is done at once: a few at a time, a share for each party, and whoever has to wait is called
// in fair order. Knows nothing of the work.

export interface TurnLimits {
  readonly atOnce: number;
  readonly atOnceEach: number;
  /** 0: nobody waits. */
  readonly waiting: number;
  readonly waitingEach: number;
  /** Nobody waits longer. */
  readonly waitMs: number;
}

/** Gives a signal that is aborted when nobody wants the work done any more. */
export type WhenGone = () => AbortSignal;

/** To be called once the work is done; further calls do nothing. */
export type EndTurn = () => void;

interface Party {
  underWay: number;
  /** Each begins when it is called; oldest first. */
  readonly waiting: (() => void)[];
}

export class Turns {
  private readonly limits: TurnLimits;
  /** All that work or wait; whose turn was last, or who came last, is last. */
  private readonly parties = new Map<string, Party>();
  private underWay = 0;
  private waiting = 0;

  constructor(limits: TurnLimits) {
    this.limits = limits;
  }

  /** Undefined: not at once. */
  tryTake(name: string): EndTurn | undefined {
    const party = this.parties.get(name) ?? { underWay: 0, waiting: [] };
    return this.hasRoomFor(party) ? this.begin(name, party) : undefined;
  }

  /** Undefined: too many wait already, or the wait was too long, or nobody wants the work done any more. */
  take(name: string, whenGone?: WhenGone): Promise<EndTurn | undefined> {
    const atOnce = this.tryTake(name);
    const { waiting, waitingEach } = this.limits;
    const own = this.parties.get(name)?.waiting.length ?? 0;
    if (atOnce !== undefined || this.waiting >= waiting || own >= waitingEach) return Promise.resolve(atOnce);
    const gone = whenGone?.();
    return gone?.aborted === true ? Promise.resolve(undefined) : this.wait(name, gone);
  }

  private wait(name: string, gone: AbortSignal | undefined): Promise<EndTurn | undefined> {
    const party = this.parties.get(name) ?? { underWay: 0, waiting: [] };
    this.parties.set(name, party);
    return new Promise((resolve) => {
      const leave = (turn: EndTurn | undefined): void => {
        clearTimeout(timer);
        gone?.removeEventListener('abort', giveUp);
        party.waiting.splice(party.waiting.indexOf(callUp), 1);
        this.waiting--;
        resolve(turn);
      };
      const callUp = (): void => leave(this.begin(name, party));
      const giveUp = (): void => {
        leave(undefined);
        this.forgetIdle(name, party);
      };
      const timer = setTimeout(giveUp, this.limits.waitMs);
      gone?.addEventListener('abort', giveUp);
      party.waiting.push(callUp);
      this.waiting++;
    });
  }

  private hasRoomFor(party: Party): boolean {
    return this.underWay < this.limits.atOnce && party.underWay < this.limits.atOnceEach;
  }

  private begin(name: string, party: Party): EndTurn {
    this.underWay++;
    party.underWay++;
    this.moveLast(name, party);
    let isUnderWay = true;
    return () => {
      if (!isUnderWay) return;
      isUnderWay = false;
      this.underWay--;
      party.underWay--;
      this.moveLast(name, party);
      this.forgetIdle(name, party);
      this.callNext();
    };
  }

  private callNext(): void {
    for (const party of this.parties.values()) {
      const callUp = party.waiting.at(0);
      if (callUp !== undefined && this.hasRoomFor(party)) return callUp();
    }
  }

  private moveLast(name: string, party: Party): void {
    this.parties.delete(name);
    this.parties.set(name, party);
  }

  private forgetIdle(name: string, { underWay, waiting }: Party): void {
    if (underWay === 0 && waiting.length === 0) this.parties.delete(name);
  }
}
