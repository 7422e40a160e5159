import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import { rcode } from '../../dns/codes.ts';
import { NEEDS_ZONE } from '../query/guarded-answerer.ts';
import type { DropLog } from '../drop-log.ts';
import { UDP_MESSAGE_BYTES } from '../nameserver-limits.ts';
import type { ListenAddress } from '../nameserver-start-error.ts';
import type { Responder } from '../query/responder.ts';

/**
 * One UDP socket through Node's own dgram: works everywhere, at more than twice the cost of koffi's. A socket bound to
 * all addresses answers from the one the routing table picks.
 */
export class DgramUdpSocket {
  readonly #socket: Socket;
  readonly #responder: Responder;
  readonly #drops: DropLog;
  readonly #buffer = new Uint8Array(UDP_MESSAGE_BYTES);
  #unsent = 0;
  #onSent: (() => void) | undefined;
  #closed = false;

  /** Resolves when bound; rejects with the system's error. */
  static async open(address: ListenAddress, responder: Responder, drops: DropLog): Promise<DgramUdpSocket> {
    const socket = createSocket(isIPv6(address.host) ? { type: 'udp6', ipv6Only: true } : { type: 'udp4' });
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject);
      socket.bind({ address: address.host, port: address.port, exclusive: true }, resolve);
    }).catch((error: unknown) => {
      socket.close();
      throw error;
    });
    socket.removeAllListeners('error');
    return new DgramUdpSocket(socket, responder, drops);
  }

  private constructor(socket: Socket, responder: Responder, drops: DropLog) {
    this.#socket = socket;
    this.#responder = responder;
    this.#drops = drops;
    enlargeReceiveBuffer(socket);
    socket.on('message', this.#answer);
    socket.on('error', (error) => drops.count(`receiving failed: ${error.message}`));
  }

  get port(): number {
    return this.#socket.address().port;
  }

  /** Reads no more; resolves when the answers under way have left. */
  async finish(): Promise<void> {
    this.#socket.off('message', this.#answer);
    if (this.#unsent > 0) await new Promise<void>((resolve) => (this.#onSent = resolve));
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#socket.close();
  }

  readonly #answer = (query: Buffer, peer: RemoteInfo): void => {
    const buffer = this.#buffer;
    buffer.set(query.subarray(0, UDP_MESSAGE_BYTES));
    this.#responder.client.setText(peer.address);
    this.#responder.enter(Date.now());
    const length = this.#answerInPlace(query.length, peer);
    this.#responder.leave();
    this.#send(buffer, length, peer);
  };

  #answerInPlace(length: number, peer: RemoteInfo): number {
    const buffer = this.#buffer;
    if (length > UDP_MESSAGE_BYTES)
      return this.#responder.fail(buffer, 0, UDP_MESSAGE_BYTES, rcode.FORMERR, false);
    const answered = this.#responder.answer(buffer, 0, length, UDP_MESSAGE_BYTES, false);
    if (answered !== NEEDS_ZONE) return answered;
    const reply = (answer: Uint8Array, answerLength: number): void => this.#send(answer, answerLength, peer);
    return this.#responder.hold(buffer, 0, length, UDP_MESSAGE_BYTES, false, reply);
  }

  #send(buffer: Uint8Array, length: number, peer: RemoteInfo): void {
    if (length === 0 || peer.port === 0 || this.#closed) return;
    if (this.#unsent >= UNSENT_ANSWERS) return this.#drops.count('answers dropped: the send queue is full');
    this.#unsent++;
    this.#socket.send(Buffer.from(buffer.subarray(0, length)), peer.port, peer.address, this.#sent);
  }

  readonly #sent = (error: Error | null): void => {
    this.#unsent--;
    if (error !== null) this.#drops.count(`answers that couldn't be sent: ${error.message}`);
    if (this.#unsent === 0) this.#onSent?.();
  };
}

/** Node may refuse what the system would cap; the default then has to do. */
function enlargeReceiveBuffer(socket: Socket): void {
  try {
    socket.setRecvBufferSize(RECEIVE_BUFFER_BYTES);
  } catch {
    return;
  }
}

/** As over koffi: 5,000 queries, a pause of 20 ms at top speed. */
const RECEIVE_BUFFER_BYTES = 4 * 1024 * 1024;

/** Answers that Node holds while the send buffer is full: 4 MiB at 1232 octets each. */
const UNSENT_ANSWERS = 3_400;
