import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import { rcode } from '../../dns/codes.ts';
import { NEEDS_ZONE } from '../query/answerer.ts';
import type { DropLog } from '../drop-log.ts';
import { UDP_MESSAGE_BYTES } from '../nameserver-limits.ts';
import type { ListenAddress } from '../listen-address.ts';
import type { GuardedAnswerer } from '../query/guarded-answerer.ts';

/**
 * One UDP socket through Node's dgram. It works everywhere, at more than twice the cost of koffi. A socket bound to all
 * addresses answers from the address that the routing table picks.
 */
export class DgramUdpSocket {
  private readonly socket: Socket;
  private readonly answerer: GuardedAnswerer;
  private readonly drops: DropLog;
  private readonly buffer = new Uint8Array(UDP_MESSAGE_BYTES);
  private unsent = 0;
  private onSent: (() => void) | undefined;
  private closed = false;

  /** Resolves when bound; rejects with the system's error. */
  static async open(
    address: ListenAddress,
    answerer: GuardedAnswerer,
    drops: DropLog,
  ): Promise<DgramUdpSocket> {
    const socket = createSocket(isIPv6(address.host) ? { type: 'udp6', ipv6Only: true } : { type: 'udp4' });
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject);
      socket.bind({ address: address.host, port: address.port, exclusive: true }, resolve);
    }).catch((error: unknown) => {
      socket.close();
      throw error;
    });
    socket.removeAllListeners('error');
    return new DgramUdpSocket(socket, answerer, drops);
  }

  private constructor(socket: Socket, answerer: GuardedAnswerer, drops: DropLog) {
    this.socket = socket;
    this.answerer = answerer;
    this.drops = drops;
    enlargeReceiveBuffer(socket);
    socket.on('message', this.answer);
    socket.on('error', (error) => drops.count(`receiving failed: ${error.message}`));
  }

  get port(): number {
    return this.socket.address().port;
  }

  /** Stops reading; resolves when the answers in progress have been sent. */
  async finish(): Promise<void> {
    this.socket.off('message', this.answer);
    if (this.unsent > 0) await new Promise<void>((resolve) => (this.onSent = resolve));
  }

  close(): void {
    if (this.closed) return;
    this.closed = true;
    this.socket.close();
  }

  private readonly answer = (query: Buffer, peer: RemoteInfo): void => {
    const buffer = this.buffer;
    buffer.set(query.subarray(0, UDP_MESSAGE_BYTES));
    this.answerer.client.setText(peer.address);
    this.answerer.enter(Date.now());
    const length = this.answerInPlace(query.length, peer);
    this.answerer.leave();
    this.send(buffer, length, peer);
  };

  private answerInPlace(length: number, peer: RemoteInfo): number {
    const buffer = this.buffer;
    if (length > UDP_MESSAGE_BYTES)
      return this.answerer.fail(buffer, 0, UDP_MESSAGE_BYTES, rcode.FORMERR, false);
    const answered = this.answerer.answer(buffer, 0, length, UDP_MESSAGE_BYTES, false);
    if (answered !== NEEDS_ZONE) return answered;
    const reply = (answer: Uint8Array, answerLength: number): void => this.send(answer, answerLength, peer);
    return this.answerer.hold(buffer, 0, length, UDP_MESSAGE_BYTES, false, reply);
  }

  private send(buffer: Uint8Array, length: number, peer: RemoteInfo): void {
    if (length === 0 || peer.port === 0 || this.closed) return;
    if (this.unsent >= UNSENT_ANSWERS) return this.drops.count('answers dropped: the send queue is full');
    this.unsent++;
    this.socket.send(Buffer.from(buffer.subarray(0, length)), peer.port, peer.address, this.sent);
  }

  private readonly sent = (error: Error | null): void => {
    this.unsent--;
    if (error !== null) this.drops.count(`answers that could not be sent: ${error.message}`);
    if (this.unsent === 0) this.onSent?.();
  };
}

/** Node may reject a size that the system would only cap; the default is used then. */
function enlargeReceiveBuffer(socket: Socket): void {
  try {
    socket.setRecvBufferSize(RECEIVE_BUFFER_BYTES);
  } catch {
    return;
  }
}

/** As with koffi: 5,000 queries, a pause of 20 ms at top speed. */
const RECEIVE_BUFFER_BYTES = 4 * 1024 * 1024;

/** Answers that Node queues while the send buffer is full: 4 MiB at 1232 octets each. */
const UNSENT_ANSWERS = 3_400;
