import koffi from 'koffi';
import { rcode } from '../../dns/codes.ts';
import { NEEDS_ZONE } from '../query/guarded-answerer.ts';
import type { DropLog } from '../drop-log.ts';
import { UDP_MESSAGE_BYTES } from '../nameserver-limits.ts';
import type { Responder } from '../query/responder.ts';
import { BATCH, HEADER_BYTES, LATE_SLOT, UdpBlock } from './udp-koffi-block.ts';
import {
  EAGAIN,
  EINTR,
  EPOLL_CTL_MOD,
  epollEvent,
  EPOLLIN,
  EPOLLOUT,
  errnoName,
  type Libc,
  MSG_DONTWAIT,
  MSG_TRUNC,
} from './udp-koffi-libc.ts';
import type { UdpDescriptor } from './udp-descriptor.ts';

/**
 * One UDP socket, driven from a worker's event loop:
 *
 *   poll wakes ─▶ receive a batch ─▶ answer in place ─▶ send a batch ─┐ until the socket is empty or the budget is used
 *                        ▲────────────────────────────────────────────┘
 *
 * Never blocks, and allocates nothing for a query whose zone is in memory. The descriptor belongs to the main thread.
 * Must stay referenced while open: the poll handle and the block die with it.
 */
export class KoffiUdpSocket {
  readonly #socket: UdpDescriptor;
  readonly #libc: Libc;
  readonly #responder: Responder;
  readonly #drops: DropLog;
  readonly #block: UdpBlock;
  readonly #poll: ReturnType<typeof koffi.node.poll>;
  /** Answers of the last batch, and how many of them have left. */
  #answers = 0;
  #sent = 0;
  #sendWait: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(socket: UdpDescriptor, libc: Libc, responder: Responder, drops: DropLog) {
    this.#socket = socket;
    this.#libc = libc;
    this.#responder = responder;
    this.#drops = drops;
    this.#block = new UdpBlock(socket.family, socket.wildcard);
    this.#poll = koffi.node.poll(socket.epoll ?? socket.descriptor, READABLE, this.#wake);
  }

  /** Answers what has arrived, then leaves the socket alone; answers to held queries can still be sent. */
  finish(): Promise<void> {
    if (this.#sendWait === undefined) this.#drain();
    this.close();
    return Promise.resolve();
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    clearTimeout(this.#sendWait);
    this.#poll.close();
  }

  // Nothing happens inside the poll callback: an exception there aborts the process, and so does ending the thread.
  readonly #wake = (): void => {
    setImmediate(this.#work);
  };

  readonly #work = (): void => {
    if (this.#closed) return;
    if (this.#sendWait === undefined) this.#drain();
    else if (this.#send()) this.#readOn();
  };

  #drain(): void {
    for (let batch = 0; batch < BATCHES_A_WAKE; batch++) {
      const received = this.#receive();
      if (received === 0) return;
      this.#answer(received);
      if (!this.#send()) return this.#awaitRoom();
      // Fewer than asked for: the socket is empty. If more has come since, the poll wakes again.
      if (received < BATCH) return;
    }
  }

  #receive(): number {
    const { receiveHeadersAddress } = this.#block;
    const received = this.#libc.recvmmsg(
      this.#socket.descriptor,
      receiveHeadersAddress,
      BATCH,
      MSG_DONTWAIT,
      0,
    );
    if (received >= 0) return received;
    const errno = this.#libc.lastErrno();
    if (errno !== EAGAIN && errno !== EINTR) this.#drops.count(`receiving failed: ${errnoName(errno)}`);
    return 0;
  }

  #answer(received: number): void {
    this.#answers = 0;
    this.#sent = 0;
    this.#responder.enter(Date.now());
    try {
      for (let slot = 0; slot < received; slot++) {
        const length = this.#answerSlot(slot);
        if (length > 0) this.#block.answerWith(this.#answers++, slot, length);
        this.#block.rearm(slot);
      }
    } finally {
      this.#responder.leave();
    }
  }

  #answerSlot(slot: number): number {
    const block = this.#block;
    if (block.peerPort(slot) === 0) return 0;
    block.readPeerAddress(slot, this.#responder.client);
    const offset = block.dataOffset(slot);
    const length = block.receivedLength(slot);
    if ((block.receivedFlags(slot) & MSG_TRUNC) !== 0)
      return this.#responder.fail(block.bytes, offset, length, rcode.FORMERR, false);
    const answered = this.#responder.answer(block.bytes, offset, length, UDP_MESSAGE_BYTES, false);
    return answered === NEEDS_ZONE ? this.#hold(slot, offset, length) : answered;
  }

  #hold(slot: number, offset: number, length: number): number {
    const route = this.#block.copyRoute(slot);
    const reply = (answer: Uint8Array, answerLength: number): void =>
      this.#sendLate(route, answer, answerLength);
    return this.#responder.hold(this.#block.bytes, offset, length, UDP_MESSAGE_BYTES, false, reply);
  }

  /** False when the send buffer is full; the rest stays where it is. */
  #send(): boolean {
    while (this.#sent < this.#answers) {
      const headers = this.#block.sendHeadersAddress + this.#sent * HEADER_BYTES;
      const rest = this.#answers - this.#sent;
      const sent = this.#libc.sendmmsg(this.#socket.descriptor, headers, rest, MSG_DONTWAIT);
      if (sent > 0) {
        this.#sent += sent;
        continue;
      }
      const errno = this.#libc.lastErrno();
      if (errno === EAGAIN) return false;
      if (errno === EINTR) continue;
      // The failure is the first message's own (no route, too large for the interface): the others still go.
      this.#drops.count(`answers that couldn't be sent: ${errnoName(errno)}`);
      this.#sent++;
    }
    return true;
  }

  /** Nothing is received until the batch has left: the kernel's queue holds what comes, and drops when that is full. */
  #awaitRoom(): void {
    this.#sendWait = setTimeout(() => this.#giveUp(), SEND_WAIT_MS);
    this.#waitFor(EPOLLOUT);
  }

  #giveUp(): void {
    for (; this.#sent < this.#answers; this.#sent++)
      this.#drops.count('answers dropped: the send buffer stayed full');
    this.#readOn();
  }

  #readOn(): void {
    clearTimeout(this.#sendWait);
    this.#sendWait = undefined;
    this.#waitFor(EPOLLIN);
  }

  /** An epoll instance is readable whenever its socket is what it was told to wait for. */
  #waitFor(event: typeof EPOLLIN | typeof EPOLLOUT): void {
    const { descriptor, epoll } = this.#socket;
    if (epoll === undefined) this.#poll.start(event === EPOLLIN ? READABLE : WRITABLE, this.#wake);
    else this.#libc.epoll_ctl(epoll, EPOLL_CTL_MOD, descriptor, epollEvent(event));
  }

  #sendLate(route: Uint8Array, answer: Uint8Array, length: number): void {
    if (length === 0) return;
    this.#block.answerLate(route, answer, length);
    const header = this.#block.sendHeadersAddress + LATE_SLOT * HEADER_BYTES;
    if (this.#libc.sendmmsg(this.#socket.descriptor, header, 1, MSG_DONTWAIT) === 1) return;
    this.#drops.count(`answers that couldn't be sent: ${errnoName(this.#libc.lastErrno())}`);
  }
}

/** 512 queries, some 2 ms: then connections, messages and other sockets have their turn. */
const BATCHES_A_WAKE = 8;

/** A network card empties a full send buffer (208 KiB) in this time even at 20 Mbit/s. */
const SEND_WAIT_MS = 100;

const READABLE = { readable: true };
const WRITABLE = { writable: true };
