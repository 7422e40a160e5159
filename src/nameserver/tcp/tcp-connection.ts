import type { Socket } from 'node:net';
import { NEEDS_ZONE } from '../query/guarded-answerer.ts';
import { TCP_MESSAGE_BYTES, type TcpLimits } from '../nameserver-limits.ts';
import type { Responder } from '../query/responder.ts';

/**
 * One connection: frames of two length octets and a message (RFC 1035 section 4.2.2), many a chunk, answered with one
 * write; answers that wait for a zone follow out of order (RFC 7766 section 7). Reads nothing while the peer doesn't
 * take its answers. Never watches the clock: it says by when it must show progress, and the server cuts it.
 */
export class TcpConnection {
  readonly #socket: Socket;
  readonly #responder: Responder;
  /** The peer's address, as sixteen octets. */
  readonly #client: Uint8Array;
  readonly #limits: TcpLimits;
  readonly #output: TcpOutput;
  readonly #onProgress: (connection: TcpConnection) => void;
  /** Octets that are no whole frame yet, or that wait until the peer takes answers. */
  #rest: Buffer | undefined;
  /** Queries that wait for their zone. */
  #held = 0;
  /** Too much of what was written hasn't been taken. */
  #congested = false;
  /** No more queries come or are wanted. */
  #ending = false;
  #deadlineMs: number;

  constructor(options: {
    readonly socket: Socket;
    readonly responder: Responder;
    readonly limits: TcpLimits;
    readonly output: TcpOutput;
    readonly nowMs: number;
    /** Called when queries were answered or held, and when the peer has taken a backlog: see {@link extend}. */
    onProgress(connection: TcpConnection): void;
  }) {
    const { socket } = options;
    this.#socket = socket;
    this.#responder = options.responder;
    this.#responder.client.setText(socket.remoteAddress ?? '');
    this.#client = Uint8Array.from(this.#responder.client.octets);
    this.#limits = options.limits;
    this.#output = options.output;
    this.#onProgress = (connection) => options.onProgress(connection);
    this.#deadlineMs = options.nowMs + options.limits.firstQueryMs;
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    socket.on('drain', () => this.#drained());
    socket.on('end', () => this.#end());
  }

  /** The moment (performance.now) after which a connection that made no progress is cut. */
  get deadlineMs(): number {
    return this.#held > 0 ? Infinity : this.#deadlineMs;
  }

  /** Progress earns more time. */
  extend(nowMs: number): void {
    this.#deadlineMs = nowMs + (this.#congested ? this.#limits.slowReaderMs : this.#limits.idleMs);
  }

  /** Reads no more, and closes as soon as the peer has taken the answers under way. */
  finish(): void {
    this.#socket.pause();
    this.#rest = undefined;
    this.#end();
  }

  /** Closes at once. */
  cut(): void {
    this.#rest = undefined;
    this.#socket.destroy();
  }

  #receive(chunk: Buffer): void {
    const input = this.#rest === undefined ? chunk : Buffer.concat([this.#rest, chunk]);
    this.#rest = undefined;
    this.#answerInput(input);
  }

  #answerInput(input: Buffer): void {
    this.#responder.client.setIpv6(this.#client, 0);
    this.#responder.enter(Date.now());
    try {
      const used = this.#answerFrames(input);
      if (used < input.length) this.#rest = Buffer.from(input.subarray(used));
    } finally {
      this.#responder.leave();
    }
    this.#flush();
    this.#closeIfDone();
  }

  /** Answers whole frames from the input's start and returns how many octets they took. */
  #answerFrames(input: Buffer): number {
    let at = 0;
    let progress = false;
    while (at + 2 <= input.length && !this.#congested) {
      const length = input.readUInt16BE(at);
      if (length > this.#limits.queryBytes) {
        this.#socket.pause();
        this.#ending = true;
        return input.length;
      }
      if (at + 2 + length > input.length) break;
      progress = this.#answerFrame(input, at + 2, length) || progress;
      at += 2 + length;
      if (this.#output.used >= this.#limits.outstandingBytes) this.#flush();
    }
    if (progress) this.#onProgress(this);
    return at;
  }

  /** Appends the answer, if one is due, to the output; false when the frame was nothing that deserves one. */
  #answerFrame(input: Buffer, at: number, length: number): boolean {
    const output = this.#output;
    const offset = output.used + 2;
    input.copy(output.bytes, offset, at, at + length);
    let answered = this.#responder.answer(output.bytes, offset, length, TCP_MESSAGE_BYTES, true);
    const held = answered === NEEDS_ZONE;
    if (held) answered = this.#hold(offset, length);
    if (answered === 0) return held;
    output.bytes.writeUInt16BE(answered, output.used);
    output.used += 2 + answered;
    return true;
  }

  #hold(offset: number, length: number): number {
    const { bytes } = this.#output;
    this.#held++;
    const answered = this.#responder.hold(bytes, offset, length, TCP_MESSAGE_BYTES, true, this.#replyLate);
    if (answered !== 0) this.#held--;
    return answered;
  }

  readonly #replyLate = (answer: Uint8Array, length: number): void => {
    this.#held--;
    if (this.#socket.destroyed) return;
    // What was held before the peer stopped reading may double the backlog, no more.
    if (this.#socket.writableLength > 2 * this.#limits.outstandingBytes) return this.cut();
    if (length > 0) {
      const frame = Buffer.allocUnsafe(2 + length);
      frame.writeUInt16BE(length);
      frame.set(answer.subarray(0, length), 2);
      this.#write(frame);
    }
    this.#onProgress(this);
    this.#closeIfDone();
  };

  #flush(): void {
    const output = this.#output;
    if (output.used > 0 && !this.#socket.destroyed)
      this.#write(Buffer.from(output.bytes.subarray(0, output.used)));
    output.used = 0;
  }

  #write(octets: Buffer): void {
    this.#socket.write(octets);
    if (this.#socket.writableLength < this.#limits.outstandingBytes) return;
    this.#congested = true;
    this.#socket.pause();
  }

  #drained(): void {
    if (!this.#congested) return;
    this.#congested = false;
    this.#onProgress(this);
    if (this.#rest !== undefined) this.#receive(NOTHING);
    this.#readOn();
  }

  #readOn(): void {
    if (this.#ending) this.#closeIfDone();
    else if (!this.#congested) this.#socket.resume();
  }

  #end(): void {
    this.#ending = true;
    this.#closeIfDone();
  }

  #closeIfDone(): void {
    if (!this.#ending || this.#held > 0 || this.#congested || this.#socket.writableEnded) return;
    this.#socket.end(() => this.#socket.destroy());
  }
}

/** Where a server's connections assemble the answers of the chunk in work, one after the other. */
export interface TcpOutput {
  readonly bytes: Buffer;
  used: number;
}

export function createTcpOutput(limits: TcpLimits): TcpOutput {
  // Flushed at the limit, so one whole message may stand on top of it.
  return { bytes: Buffer.alloc(limits.outstandingBytes + 2 + TCP_MESSAGE_BYTES), used: 0 };
}

const NOTHING = Buffer.alloc(0);
