import { createSocket } from 'node:dgram';
import { connect, isIPv6, type Socket } from 'node:net';
import { once } from 'node:events';
import type { ListenAddress } from '../../../src/nameserver/listen-address.ts';

/** Clients for the packets of `command-answerer.ts`. */

/** Encodes a header with the id, then the command. */
export function packet(command: string, id = 1): Buffer {
  const octets = Buffer.alloc(12 + command.length);
  octets.writeUInt16BE(id);
  octets.write(command, 12, 'latin1');
  return octets;
}

/** Replies arrive within milliseconds; the rest is for a busy machine. */
const PATIENCE_MS = 30_000;

export interface Reply {
  readonly id: number;
  readonly isResponse: boolean;
  readonly rcode: number;
  readonly body: string;
  readonly length: number;
  /** The sender's address. */
  readonly from: string;
}

export function readReply(octets: Buffer, from = ''): Reply {
  return {
    id: octets.readUInt16BE(0),
    isResponse: octets.readUInt8(2) >= 0x80,
    rcode: octets.readUInt8(3) & 0x0f,
    body: octets.toString('latin1', 12),
    length: octets.length,
    from,
  };
}

/** Sends packets from one socket; resolves with the first `expected` replies, or with fewer after `waitMs`. */
export async function askUdp(
  to: ListenAddress,
  packets: readonly Buffer[],
  expected = packets.length,
  waitMs = PATIENCE_MS,
): Promise<readonly Reply[]> {
  const socket = createSocket(isIPv6(to.host) ? 'udp6' : 'udp4');
  const replies: Reply[] = [];
  try {
    await new Promise<void>((resolve, reject) => {
      const wait = setTimeout(resolve, waitMs);
      socket.on('error', reject);
      socket.on('message', (message, peer) => {
        replies.push(readReply(message, peer.address));
        if (replies.length < expected) return;
        clearTimeout(wait);
        resolve();
      });
      for (const octets of packets) socket.send(octets, to.port, to.host);
    });
    return replies;
  } finally {
    socket.close();
  }
}

/** Repeats the query until there is a reply, with growing waits; for services that take a moment to recover. */
export async function askUdpUntilAnswered(to: ListenAddress, command: string): Promise<Reply> {
  for (let waitMs = 50; waitMs < PATIENCE_MS / 2; waitMs *= 1.2) {
    for (const reply of await askUdp(to, [packet(command)], 1, waitMs)) return reply;
  }
  throw new Error(`no reply to "${command}"`);
}

/** The threads that answer clients on 40 ports; ports without an answer within the wait are left out. */
export async function threadsOf(to: ListenAddress, waitMs = PATIENCE_MS): Promise<string[]> {
  const asked = Array.from({ length: 40 }, () => askUdp(to, [packet('thread')], 1, waitMs));
  return (await Promise.all(asked)).flat().map(({ body }) => body);
}

export class TcpClient {
  readonly socket: Socket;
  readonly replies: Reply[] = [];
  closed = false;
  private input: Buffer = Buffer.alloc(0);

  /** Resolves when connected. */
  static async open(to: ListenAddress, from?: string): Promise<TcpClient> {
    const socket = connect({
      host: to.host,
      port: to.port,
      allowHalfOpen: true,
      ...(from === undefined ? {} : { localAddress: from }),
    });
    const client = new TcpClient(socket);
    await once(socket, 'connect');
    return client;
  }

  constructor(socket: Socket) {
    this.socket = socket;
    socket.on('error', () => undefined);
    socket.on('end', () => socket.end());
    socket.on('close', () => (this.closed = true));
    socket.on('data', (chunk: Buffer) => this.receive(chunk));
  }

  send(...packets: readonly Buffer[]): void {
    this.socket.write(frames(...packets));
  }

  /** True if the last reply is incomplete. */
  get incomplete(): boolean {
    return this.input.length > 0;
  }

  /** Resolves when `count` replies in total have arrived, the server has closed, or the wait is over. */
  async received(count: number, waitMs = PATIENCE_MS): Promise<readonly Reply[]> {
    await waitFor(() => this.replies.length >= count || this.closed, waitMs);
    return this.replies;
  }

  /** Resolves with true if the server closed within the wait. */
  async wasClosed(waitMs = PATIENCE_MS): Promise<boolean> {
    await waitFor(() => this.closed, waitMs);
    return this.closed;
  }

  private receive(chunk: Buffer): void {
    this.input = Buffer.concat([this.input, chunk]);
    while (this.input.length >= 2 && this.input.length >= 2 + this.input.readUInt16BE(0)) {
      const length = this.input.readUInt16BE(0);
      this.replies.push(readReply(this.input.subarray(2, 2 + length)));
      this.input = this.input.subarray(2 + length);
    }
  }
}

/** Frames the packets for TCP, each with its length. */
export function frames(...packets: readonly Buffer[]): Buffer {
  return Buffer.concat(
    packets.flatMap((octets) => {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(octets.length);
      return [length, octets];
    }),
  );
}

/** Resolves when the condition holds or the wait is over. */
export async function waitFor(condition: () => boolean, waitMs = PATIENCE_MS): Promise<void> {
  const until = performance.now() + waitMs;
  while (!condition() && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 5));
}
