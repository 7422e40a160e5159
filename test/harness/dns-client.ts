import { createSocket, type Socket } from 'node:dgram';
import { connect } from 'node:net';
import { decode, type Packet } from 'dns-packet';
import { toType } from 'dns-packet/types.js';

/** A resource record as received; names inside the data may be compressed. */
export interface RawRecord {
  readonly type: number;
  readonly ttl: number;
  readonly rdata: Buffer;
}

export interface DnsReply {
  readonly packet: Packet;
  /** The answer section. */
  readonly answers: readonly RawRecord[];
  readonly bytes: Buffer;
}

export interface QueryOptions {
  readonly tcp?: boolean;
  /** Without EDNS(0), answers over UDP have at most 512 octets. */
  readonly edns?: boolean;
  /** Asks for signatures (DO, RFC 3225). */
  readonly dnssec?: boolean;
  readonly attempts?: number;
  /** Timeout of one attempt. */
  readonly timeoutMs?: number;
}

/** The DNS data of a name and type in a fixed order, or the reason why there is none. */
export type Seen =
  readonly string[] | 'NXDOMAIN' | 'NODATA' | 'REFUSED' | 'SERVFAIL' | `unexpected ${string}`;

/** Several source ports, so that the kernel spreads the queries over all workers of the nameserver. */
const SOCKETS = 8;
const ATTEMPT_TIMEOUT_MS = 1_000;
/** The first attempt is answered unless a buffer was full; the rest are for a busy machine. */
const ATTEMPTS = 20;
const EDNS_SIZE = 4_096;

export class DnsUnanswered extends Error {
  override readonly name = 'DnsUnanswered';
}

/** Queries one nameserver over UDP and TCP. Answers are decoded by dns-packet, not by our own code. */
export class DnsClient {
  private readonly host: string;
  private readonly port: number;
  private readonly sockets: Socket[] = [];
  private readonly waiting = new Map<number, (message: Buffer) => void>();
  private next = Math.floor(Math.random() * 65536);

  constructor(address: string) {
    const [host, port] = address.split(':');
    this.host = host;
    this.port = Number(port);
    for (let i = 0; i < SOCKETS; i++) {
      const socket = createSocket('udp4');
      socket.on('message', (message) => {
        if (message.length >= 12) this.waiting.get(message.readUInt16BE(0))?.(message);
      });
      socket.on('error', () => undefined);
      socket.unref();
      this.sockets.push(socket);
    }
  }

  /** @param type a mnemonic that dns-packet knows, or a number */
  async ask(
    name: string | readonly Buffer[],
    type: string | number,
    options: QueryOptions = {},
  ): Promise<DnsReply> {
    const labels = typeof name === 'string' ? splitName(name) : name;
    const typeNumber = typeof type === 'number' ? type : toType(type);
    this.next = (this.next + 1) & 0xffff;
    const query = encodeQuery(this.next, labels, typeNumber, options);
    const bytes = options.tcp === true ? await this.overTcp(query) : await this.overUdp(query, options);
    return { packet: decode(bytes), answers: rawAnswers(bytes), bytes };
  }

  /** Looks up a name over UDP, and again over TCP if the answer is truncated. */
  async look(
    name: string | readonly Buffer[],
    type: string | number,
    options: QueryOptions = {},
  ): Promise<Seen> {
    let { packet, answers } = await this.ask(name, type, options);
    if (packet.flag_tc) ({ packet, answers } = await this.ask(name, type, { ...options, tcp: true }));
    if (packet.rcode === 'NXDOMAIN' || packet.rcode === 'REFUSED' || packet.rcode === 'SERVFAIL')
      return packet.rcode;
    if (packet.rcode !== 'NOERROR') return `unexpected ${packet.rcode}`;
    if (packet.answers.length === 0) return 'NODATA';
    return packet.answers.map((answer, i) => formatData(answer.data, answers[i])).sort();
  }

  /** The zone's serial. */
  async serial(zone: string, options: QueryOptions = {}): Promise<number> {
    const { packet } = await this.ask(zone, 'SOA', options);
    const soa = packet.answers[0]?.data as { serial: number } | undefined;
    if (soa === undefined) throw new Error(`no SOA for ${zone}: ${packet.rcode}`);
    return soa.serial;
  }

  /** Sends bytes unchanged; resolves with undefined if no reply comes in time. */
  async sendRaw(bytes: Buffer, waitMs: number): Promise<Buffer | undefined> {
    const socket = createSocket('udp4');
    try {
      return await new Promise((resolve) => {
        const timer = setTimeout(() => resolve(undefined), waitMs);
        socket.on('message', (message) => {
          clearTimeout(timer);
          resolve(message);
        });
        socket.send(bytes, this.port, this.host);
      });
    } finally {
      socket.close();
    }
  }

  close(): void {
    for (const socket of this.sockets) socket.close();
    this.sockets.length = 0;
  }

  private async overUdp(query: Buffer, options: QueryOptions): Promise<Buffer> {
    const attempts = options.attempts ?? ATTEMPTS;
    for (let attempt = 0; attempt < attempts; attempt++) {
      const reply = await this.sendOnce(query, options.timeoutMs ?? ATTEMPT_TIMEOUT_MS);
      if (reply !== undefined) return reply;
    }
    throw new DnsUnanswered(`no answer over UDP after ${attempts} attempts`);
  }

  private sendOnce(query: Buffer, timeoutMs: number): Promise<Buffer | undefined> {
    const id = query.readUInt16BE(0);
    const socket = this.sockets.at(id % SOCKETS);
    // The socket was closed because its service was killed.
    if (socket === undefined) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const finish = (reply?: Buffer): void => {
        clearTimeout(timer);
        this.waiting.delete(id);
        resolve(reply);
      };
      const timer = setTimeout(finish, timeoutMs);
      this.waiting.set(id, finish);
      socket.send(query, this.port, this.host);
    });
  }

  private overTcp(query: Buffer): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const socket = connect(this.port, this.host);
      let received = Buffer.alloc(0);
      const fail = (why: string): void => {
        socket.destroy();
        reject(new DnsUnanswered(`no answer over TCP: ${why}`));
      };
      socket.setTimeout(ATTEMPTS * ATTEMPT_TIMEOUT_MS, () => fail('timeout'));
      socket.on('error', (error) => fail(error.message));
      socket.on('close', () => fail('closed'));
      socket.on('data', (chunk) => {
        received = Buffer.concat([received, chunk]);
        if (received.length < 2 || received.length < 2 + received.readUInt16BE(0)) return;
        socket.destroy();
        resolve(received.subarray(2, 2 + received.readUInt16BE(0)));
      });
      const length = Buffer.alloc(2);
      length.writeUInt16BE(query.length);
      socket.write(Buffer.concat([length, query]));
    });
  }
}

function splitName(name: string): Buffer[] {
  const labels = name.replace(/\.$/, '').split('.');
  return labels.filter((label) => label !== '').map((label) => Buffer.from(label, 'utf8'));
}

function encodeQuery(
  id: number,
  labels: readonly Buffer[],
  type: number,
  { edns = true, dnssec = false }: QueryOptions,
): Buffer {
  const header = Buffer.alloc(12);
  header.writeUInt16BE(id, 0);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(edns ? 1 : 0, 10);
  const parts: Buffer[] = [header];
  for (const label of labels) parts.push(Buffer.from([label.length]), label);
  const question = Buffer.from([0, type >> 8, type & 0xff, 0, 1]);
  const dnssecOk = dnssec ? 0x80 : 0;
  const opt = Buffer.from([0, 0, 41, EDNS_SIZE >> 8, EDNS_SIZE & 0xff, 0, 0, dnssecOk, 0, 0, 0]);
  return Buffer.concat(edns ? [...parts, question, opt] : [...parts, question]);
}

function rawAnswers(message: Buffer): RawRecord[] {
  let offset = 12;
  for (let i = message.readUInt16BE(4); i > 0; i--) offset = skipName(message, offset) + 4;
  const records: RawRecord[] = [];
  for (let i = message.readUInt16BE(6); i > 0; i--) {
    offset = skipName(message, offset);
    const length = message.readUInt16BE(offset + 8);
    const rdata = message.subarray(offset + 10, offset + 10 + length);
    records.push({ type: message.readUInt16BE(offset), ttl: message.readUInt32BE(offset + 4), rdata });
    offset += 10 + length;
  }
  return records;
}

function skipName(message: Buffer, start: number): number {
  let offset = start;
  for (;;) {
    const length = message.readUInt8(offset);
    if (length === 0) return offset + 1;
    if (length >= 0xc0) return offset + 2;
    offset += 1 + length;
  }
}

function formatData(data: unknown, raw: RawRecord | undefined): string {
  if (typeof data === 'string') return data;
  if (Array.isArray(data)) return Buffer.concat(data as Buffer[]).toString('utf8');
  if (Buffer.isBuffer(data) || data === null || typeof data !== 'object')
    return raw?.rdata.toString('hex') ?? '';
  const fields = data as Record<string, string | number>;
  if ('exchange' in fields) return `${String(fields['preference'])} ${String(fields['exchange'])}`;
  if ('weight' in fields) {
    return ['priority', 'weight', 'port', 'target'].map((field) => String(fields[field])).join(' ');
  }
  if ('mname' in fields)
    return `${String(fields['mname'])} ${String(fields['rname'])} ${String(fields['serial'])}`;
  return raw?.rdata.toString('hex') ?? '';
}
