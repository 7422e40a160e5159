import type { Socket } from 'node:net';
import { NEEDS_ZONE } from '../query/answerer.ts';
import { TCP_MESSAGE_BYTES, type TcpLimits } from '../nameserver-limits.ts';
import type { GuardedAnswerer } from '../query/guarded-answerer.ts';
import { TcpInput, type LongInput } from './tcp-input.ts';

/**
 * One connection. Each frame has two length octets and a message (RFC 1035 section 4.2.2). All frames of a chunk are
 * answered with one write; answers that wait for a zone follow out of order (RFC 7766 section 7). Stops reading while
 * the peer does not take its answers. Never watches the clock: it states its deadline for progress, and the server cuts
 * it.
 */
export class TcpConnection {
  private readonly socket: Socket;
  private readonly answerer: GuardedAnswerer;
  /** The peer's address as sixteen octets. */
  private readonly client: Uint8Array;
  private readonly limits: TcpLimits;
  private readonly output: TcpOutput;
  private readonly onProgress: (connection: TcpConnection) => void;
  private readonly input: TcpInput;
  /** Number of queries that wait for their zone. */
  private held = 0;
  /** True while the peer has too many answers left to take. */
  private congested = false;
  /** True when no more queries will be read. */
  private ending = false;
  private cutAtMs: number;

  constructor(options: {
    readonly socket: Socket;
    readonly answerer: GuardedAnswerer;
    readonly limits: TcpLimits;
    readonly output: TcpOutput;
    readonly longInput: LongInput;
    readonly nowMs: number;
    /** Called when queries were answered or held, and when the peer has taken a backlog; see {@link extend}. */
    onProgress(connection: TcpConnection): void;
  }) {
    const { socket } = options;
    this.socket = socket;
    this.answerer = options.answerer;
    this.answerer.client.setText(socket.remoteAddress ?? '');
    this.client = Uint8Array.from(this.answerer.client.octets);
    this.limits = options.limits;
    this.output = options.output;
    this.input = new TcpInput(options.limits, options.longInput);
    this.onProgress = (connection) => options.onProgress(connection);
    this.cutAtMs = options.nowMs + options.limits.firstQueryMs;
    socket.on('data', (chunk: Buffer) => this.receive(chunk));
    socket.on('drain', () => this.drained());
    socket.on('end', () => this.end());
    socket.on('close', () => this.input.clear());
  }

  /** Time (`performance.now()`) after which a connection without progress is cut. */
  get deadlineMs(): number {
    return this.held > 0 ? Infinity : this.cutAtMs;
  }

  /** Extends the deadline after progress. */
  extend(nowMs: number): void {
    this.cutAtMs = nowMs + (this.congested ? this.limits.slowReaderMs : this.limits.idleMs);
  }

  /** Stops reading, and closes once the peer has taken the answers in progress. */
  finish(): void {
    this.socket.pause();
    this.input.clear();
    this.end();
  }

  cut(): void {
    this.input.clear();
    this.socket.destroy();
  }

  private receive(chunk: Buffer): void {
    const input = this.input.join(chunk);
    if (input === undefined) this.cut();
    else this.answerInput(input);
  }

  private answerInput(input: Buffer): void {
    this.answerer.client.setIpv6(this.client, 0);
    this.answerer.enter(Date.now());
    let hasRoom = true;
    try {
      const used = this.answerFrames(input);
      hasRoom = this.input.keep(input, used);
    } finally {
      this.answerer.leave();
    }
    this.flush();
    if (hasRoom) this.closeIfDone();
    else this.cut();
  }

  /** Answers the complete frames at the start of the input; returns the number of octets consumed. */
  private answerFrames(input: Buffer): number {
    let at = 0;
    let progress = false;
    while (at + 2 <= input.length && !this.congested) {
      const length = input.readUInt16BE(at);
      if (at + 2 + length > input.length) break;
      progress = this.answerFrame(input, at + 2, length) || progress;
      at += 2 + length;
      if (this.output.used >= this.limits.outstandingBytes) this.flush();
    }
    if (progress) this.onProgress(this);
    return at;
  }

  /** Appends the answer, if any, to the output; returns false if the frame deserves no answer. */
  private answerFrame(input: Buffer, at: number, length: number): boolean {
    const output = this.output;
    const offset = output.used + 2;
    input.copy(output.bytes, offset, at, at + length);
    let answered = this.answerer.answer(output.bytes, offset, length, TCP_MESSAGE_BYTES, true);
    const held = answered === NEEDS_ZONE;
    if (held) answered = this.hold(offset, length);
    if (answered === 0) return held;
    output.bytes.writeUInt16BE(answered, output.used);
    output.used += 2 + answered;
    return true;
  }

  private hold(offset: number, length: number): number {
    const { bytes } = this.output;
    this.held++;
    const answered = this.answerer.hold(bytes, offset, length, TCP_MESSAGE_BYTES, true, this.replyLate);
    if (answered !== 0) this.held--;
    return answered;
  }

  private readonly replyLate = (answer: Uint8Array, length: number): void => {
    this.held--;
    if (this.socket.destroyed) return;
    // Held answers may double the backlog of a peer that stopped reading, but no more.
    if (this.socket.writableLength > 2 * this.limits.outstandingBytes) return this.cut();
    if (length > 0) {
      const frame = Buffer.allocUnsafe(2 + length);
      frame.writeUInt16BE(length);
      frame.set(answer.subarray(0, length), 2);
      this.write(frame);
    }
    this.onProgress(this);
    this.closeIfDone();
  };

  private flush(): void {
    const output = this.output;
    if (output.used > 0 && !this.socket.destroyed)
      this.write(Buffer.from(output.bytes.subarray(0, output.used)));
    output.used = 0;
  }

  private write(octets: Buffer): void {
    this.socket.write(octets);
    if (this.socket.writableLength < this.limits.outstandingBytes) return;
    this.congested = true;
    this.socket.pause();
  }

  private drained(): void {
    if (!this.congested) return;
    this.congested = false;
    this.onProgress(this);
    if (this.input.waits) this.receive(nothing);
    this.readOn();
  }

  private readOn(): void {
    if (this.ending) this.closeIfDone();
    else if (!this.congested) this.socket.resume();
  }

  private end(): void {
    this.ending = true;
    this.closeIfDone();
  }

  private closeIfDone(): void {
    if (!this.ending || this.held > 0 || this.congested || this.socket.writableEnded) return;
    this.socket.end(() => this.socket.destroy());
  }
}

/**
 * The buffer in which the server's connections assemble the answers of the current chunk, one connection after the
 * other.
 */
export interface TcpOutput {
  readonly bytes: Buffer;
  used: number;
}

export function createTcpOutput(limits: TcpLimits): TcpOutput {
  // Flushed at the limit, so one complete message may exceed it.
  return { bytes: Buffer.alloc(limits.outstandingBytes + 2 + TCP_MESSAGE_BYTES), used: 0 };
}

const nothing = Buffer.alloc(0);
