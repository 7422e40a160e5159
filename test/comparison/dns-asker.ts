// Asks one nameserver many questions concurrently: over one UDP socket, and over one TCP connection that is reopened if
// the server closes it. Unanswered questions are repeated a few times.

import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { connect, type Socket as TcpSocket } from 'node:net';

const ATTEMPTS = 4;
const ATTEMPT_TIMEOUT_MS = 1000;

type Deliver = (message: Buffer | undefined) => void;

export class DnsAsker {
  private readonly host: string;
  private readonly port: number;
  private readonly udp: UdpSocket;
  private tcp: TcpSocket | undefined;
  private tcpInput = Buffer.alloc(0);
  private readonly waiting = new Map<number, Deliver>();
  private nextId = 1;

  constructor(host: string, port: number) {
    this.host = host;
    this.port = port;
    this.udp = createSocket('udp4');
    this.udp.on('message', (message) => this.deliver(message));
    this.udp.on('error', () => undefined);
  }

  /** Replaces the ID in the packet with one of its own. */
  async ask(packet: Buffer, overTcp: boolean): Promise<Buffer | undefined> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const reply = await this.askOnce(packet, overTcp);
      if (reply !== undefined) return reply;
    }
    return undefined;
  }

  close(): void {
    this.udp.close();
    this.tcp?.destroy();
  }

  askOnce(packet: Buffer, overTcp: boolean): Promise<Buffer | undefined> {
    return new Promise((resolve) => {
      const id = this.freeId();
      const timer = setTimeout(() => finish(undefined), ATTEMPT_TIMEOUT_MS);
      const finish: Deliver = (message) => {
        clearTimeout(timer);
        this.waiting.delete(id);
        resolve(message);
      };
      this.waiting.set(id, finish);
      const query = Buffer.from(packet);
      query.writeUInt16BE(id, 0);
      if (overTcp) this.sendTcp(query);
      else this.udp.send(query, this.port, this.host);
    });
  }

  private freeId(): number {
    do this.nextId = (this.nextId + 1) & 0xffff;
    while (this.waiting.has(this.nextId));
    return this.nextId;
  }

  private deliver(message: Buffer): void {
    if (message.length >= 12) this.waiting.get(message.readUInt16BE(0))?.(message);
  }

  private sendTcp(query: Buffer): void {
    this.tcp ??= this.openTcp();
    const frame = Buffer.alloc(2 + query.length);
    frame.writeUInt16BE(query.length, 0);
    query.copy(frame, 2);
    this.tcp.write(frame);
  }

  private openTcp(): TcpSocket {
    const socket = connect(this.port, this.host);
    socket.setNoDelay(true);
    this.tcpInput = Buffer.alloc(0);
    socket.on('data', (chunk) => this.readFrames(chunk));
    const forget = (): void => {
      if (this.tcp === socket) this.tcp = undefined;
      socket.destroy();
    };
    socket.on('error', forget);
    socket.on('end', forget);
    socket.on('close', forget);
    return socket;
  }

  private readFrames(chunk: Buffer): void {
    let input = Buffer.concat([this.tcpInput, chunk]);
    while (input.length >= 2 && input.length >= 2 + input.readUInt16BE(0)) {
      const end = 2 + input.readUInt16BE(0);
      this.deliver(Buffer.from(input.subarray(2, end)));
      input = input.subarray(end);
    }
    this.tcpInput = input;
  }
}
