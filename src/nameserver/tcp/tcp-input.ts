import { TCP_MESSAGE_BYTES, type TcpLimits } from '../nameserver-limits.ts';

/** The longest frame: a message and its length. */
const FRAME_BYTES = 2 + TCP_MESSAGE_BYTES;

/** The octets that all connections of a server together may still take for long input that waits. */
export interface LongInput {
  freeBytes: number;
}

/**
 * The input of one connection that waits: an incomplete frame, or frames that follow answers which the peer has not taken.
 * Its octets are copied about twice, however small the pieces are in which they arrive.
 */
export class TcpInput {
  private readonly limits: Pick<TcpLimits, 'ordinaryInputBytes'>;
  private readonly longInput: LongInput;
  private bytes = nothing;
  private used = 0;

  constructor(limits: Pick<TcpLimits, 'ordinaryInputBytes'>, longInput: LongInput) {
    this.limits = limits;
    this.longInput = longInput;
  }

  get waits(): boolean {
    return this.used > 0;
  }

  /** Returns what waited with the chunk behind it; undefined if there is no room for so much. */
  join(chunk: Buffer): Buffer | undefined {
    if (this.used === 0) return chunk;
    const joined = this.used + chunk.length;
    if (joined > this.bytes.length && !this.growTo(joined)) return undefined;
    chunk.copy(this.bytes, this.used);
    this.used = joined;
    return this.bytes.subarray(0, joined);
  }

  /**
   * Lets the end of the input wait, from `from` on.
   *
   * @returns false if there is no room for it
   */
  keep(input: Buffer, from: number): boolean {
    const isOwn = this.used > 0;
    if (from === 0 && isOwn) return true;
    const rest = input.subarray(from);
    if (isOwn) this.clear();
    if (rest.length === 0) return true;
    if (!this.growTo(rest.length)) return false;
    rest.copy(this.bytes);
    this.used = rest.length;
    return true;
  }

  clear(): void {
    this.longInput.freeBytes += this.longBytes(this.bytes.length);
    this.bytes = nothing;
    this.used = 0;
  }

  /** To twice the size, but no longer than a frame, so that each octet is copied about once more. */
  private growTo(wanted: number): boolean {
    const former = this.bytes;
    const size = Math.max(wanted, Math.min(2 * former.length, FRAME_BYTES));
    const more = this.longBytes(size) - this.longBytes(former.length);
    if (more > this.longInput.freeBytes) return false;
    this.longInput.freeBytes -= more;
    this.bytes = Buffer.allocUnsafeSlow(size);
    former.copy(this.bytes, 0, 0, this.used);
    return true;
  }

  /** Short input needs no share: there is one of a connection. */
  private longBytes(size: number): number {
    return size > this.limits.ordinaryInputBytes ? size : 0;
  }
}

const nothing = Buffer.alloc(0);
