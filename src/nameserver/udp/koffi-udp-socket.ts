import koffi from 'koffi';
import { rcode } from '../../dns/codes.ts';
import { NEEDS_ZONE } from '../query/answerer.ts';
import type { DropLog } from '../drop-log.ts';
import { UDP_MESSAGE_BYTES } from '../nameserver-limits.ts';
import type { GuardedAnswerer } from '../query/guarded-answerer.ts';
import { BATCH, HEADER_BYTES, LATE_SLOT, KoffiMessageBlock } from './koffi-message-block.ts';
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
} from './libc.ts';
import type { UdpDescriptor } from './udp-descriptor.ts';

/**
 * One UDP socket, driven by a worker's event loop:
 *
 *   poll wakes ─▶ receive a batch ─▶ answer in place ─▶ send a batch ─┐ until the socket is empty or the budget is used
 *                        ▲────────────────────────────────────────────┘
 *
 * Never blocks, and allocates nothing for a query whose zone is in memory. The descriptor belongs to the main thread.
 * The object must stay referenced while it is open: the poll handle and the block are freed with it.
 */
export class KoffiUdpSocket {
  private readonly socket: UdpDescriptor;
  private readonly libc: Libc;
  private readonly answerer: GuardedAnswerer;
  private readonly drops: DropLog;
  private readonly block: KoffiMessageBlock;
  private readonly poll: ReturnType<typeof koffi.node.poll>;
  /** Number of answers in the last batch, and how many of them have been sent. */
  private answers = 0;
  private sent = 0;
  private sendWait: NodeJS.Timeout | undefined;
  private closed = false;

  constructor(socket: UdpDescriptor, libc: Libc, answerer: GuardedAnswerer, drops: DropLog) {
    this.socket = socket;
    this.libc = libc;
    this.answerer = answerer;
    this.drops = drops;
    this.block = new KoffiMessageBlock(socket.family, socket.wildcard);
    this.poll = koffi.node.poll(socket.epoll ?? socket.descriptor, readable, this.wake);
  }

  /** Answers the queries that have arrived, then stops reading; answers to held queries can still be sent. */
  finish(): Promise<void> {
    if (this.sendWait === undefined) this.drain();
    this.close();
    return Promise.resolve();
  }

  close(): void {
    if (this.closed) return;
    this.closed = true;
    clearTimeout(this.sendWait);
    this.poll.close();
  }

  // Do no work inside the poll callback: an exception there aborts the process, and so does ending the thread.
  private readonly wake = (): void => {
    setImmediate(this.work);
  };

  private readonly work = (): void => {
    if (this.closed) return;
    if (this.sendWait === undefined) this.drain();
    else if (this.send()) this.readOn();
  };

  private drain(): void {
    for (let batch = 0; batch < BATCHES_A_WAKE; batch++) {
      const received = this.receive();
      if (received === 0) return;
      this.answer(received);
      if (!this.send()) return this.awaitRoom();
      // Fewer messages than requested: the socket is empty. If more have arrived since, the poll wakes again.
      if (received < BATCH) return;
    }
  }

  private receive(): number {
    const { receiveHeadersAddress } = this.block;
    const received = this.libc.recvmmsg(
      this.socket.descriptor,
      receiveHeadersAddress,
      BATCH,
      MSG_DONTWAIT,
      0,
    );
    if (received >= 0) return received;
    const errno = this.libc.lastErrno();
    if (errno !== EAGAIN && errno !== EINTR) this.drops.count(`receiving failed: ${errnoName(errno)}`);
    return 0;
  }

  private answer(received: number): void {
    this.answers = 0;
    this.sent = 0;
    this.answerer.enter(Date.now());
    try {
      for (let slot = 0; slot < received; slot++) {
        const length = this.answerSlot(slot);
        if (length > 0) this.block.answerWith(this.answers++, slot, length);
        this.block.rearm(slot);
      }
    } finally {
      this.answerer.leave();
    }
  }

  private answerSlot(slot: number): number {
    const block = this.block;
    if (block.peerPort(slot) === 0) return 0;
    block.readPeerAddress(slot, this.answerer.client);
    const offset = block.dataOffset(slot);
    const length = block.receivedLength(slot);
    if ((block.receivedFlags(slot) & MSG_TRUNC) !== 0)
      return this.answerer.fail(block.bytes, offset, length, rcode.FORMERR, false);
    const answered = this.answerer.answer(block.bytes, offset, length, UDP_MESSAGE_BYTES, false);
    return answered === NEEDS_ZONE ? this.hold(slot, offset, length) : answered;
  }

  private hold(slot: number, offset: number, length: number): number {
    const route = this.block.copyRoute(slot);
    const reply = (answer: Uint8Array, answerLength: number): void =>
      this.sendLate(route, answer, answerLength);
    return this.answerer.hold(this.block.bytes, offset, length, UDP_MESSAGE_BYTES, false, reply);
  }

  /** Returns false if the send buffer is full; unsent answers stay in the block. */
  private send(): boolean {
    while (this.sent < this.answers) {
      const headers = this.block.sendHeadersAddress + this.sent * HEADER_BYTES;
      const rest = this.answers - this.sent;
      const sent = this.libc.sendmmsg(this.socket.descriptor, headers, rest, MSG_DONTWAIT);
      if (sent > 0) {
        this.sent += sent;
        continue;
      }
      const errno = this.libc.lastErrno();
      if (errno === EAGAIN) return false;
      if (errno === EINTR) continue;
      // The failure concerns only the first message (no route, too large for the interface): send the others.
      this.drops.count(`answers that could not be sent: ${errnoName(errno)}`);
      this.sent++;
    }
    return true;
  }

  /**
   * Receives nothing until the batch has been sent: the kernel's queue holds new queries, and drops them when it is
   * full.
   */
  private awaitRoom(): void {
    this.sendWait = setTimeout(() => this.giveUp(), SEND_WAIT_MS);
    this.waitFor(EPOLLOUT);
  }

  private giveUp(): void {
    for (; this.sent < this.answers; this.sent++)
      this.drops.count('answers dropped: the send buffer stayed full');
    this.readOn();
  }

  private readOn(): void {
    clearTimeout(this.sendWait);
    this.sendWait = undefined;
    this.waitFor(EPOLLIN);
  }

  /** An epoll instance becomes readable when its socket has the event that it waits for. */
  private waitFor(event: typeof EPOLLIN | typeof EPOLLOUT): void {
    const { descriptor, epoll } = this.socket;
    if (epoll === undefined) this.poll.start(event === EPOLLIN ? readable : writable, this.wake);
    else this.libc.epoll_ctl(epoll, EPOLL_CTL_MOD, descriptor, epollEvent(event));
  }

  private sendLate(route: Uint8Array, answer: Uint8Array, length: number): void {
    if (length === 0) return;
    this.block.answerLate(route, answer, length);
    const header = this.block.sendHeadersAddress + LATE_SLOT * HEADER_BYTES;
    if (this.libc.sendmmsg(this.socket.descriptor, header, 1, MSG_DONTWAIT) === 1) return;
    this.drops.count(`answers that could not be sent: ${errnoName(this.libc.lastErrno())}`);
  }
}

/** 512 queries, about 2 ms: then connections, messages and other sockets are served. */
const BATCHES_A_WAKE = 8;

/** A network card empties a full send buffer (208 KiB) in this time even at 20 Mbit/s. */
const SEND_WAIT_MS = 100;

const readable = { readable: true };
const writable = { writable: true };
