import type { Socket } from 'node:dgram';
import { randomInt } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { rcode } from '../dns/codes.ts';
import type { Message } from '../dns/message.ts';
import { readMessage } from '../dns/message/read-message.ts';
import { writeQuery } from '../dns/message/write-query.ts';
import { equalDomainNames, type DomainName } from '../dns/name.ts';
import { DnsFailure } from './dns-failure.ts';
import { formatRcode } from '../dns/format-rcode.ts';
import { openUdpSocket } from './open-udp-socket.ts';
import { formatServerAddress, resolveServerAddress, type ServerAddress } from './server-address.ts';
import { TcpConnection } from './tcp-connection.ts';

export interface DnsClientOptions {
  /** Set if the server is a resolver instead of the zone's own nameserver. */
  readonly recursionDesired?: boolean;
  /** Asks for signatures, which stand beside the records of the answer then. */
  readonly dnssecOk?: boolean;
  /** Longest wait for one answer; over TCP, twice as long. */
  readonly timeoutMs?: number;
  /** Ends all questions when it is aborted; they are rejected with its reason. */
  readonly signal?: AbortSignal | undefined;
}

interface Question {
  readonly name: DomainName;
  readonly type: number;
}

interface PendingQuery extends Question {
  settle(answer: Message | undefined): void;
}

/** The size that passes through the internet unfragmented (DNS Flag Day 2020). */
const PAYLOAD_OCTETS = 1232;

/** Two lost packets in a row are rare: then the server drops them, or is not there. */
const UDP_ATTEMPTS = 2;

/** A nameserver at the other end of the world answers within 300 ms, a resolver that has to ask others within 2 s. */
const TIMEOUT_MS = 2000;

/** Over TCP, three packets travel each way before the answer. */
const TCP_TIMEOUT_RATIO = 2;

/** Concurrent questions: fast, and far below what nameservers take for a flood. */
export const QUESTIONS_AT_ONCE = 32;

/**
 * Asks one nameserver questions: over UDP with EDNS, again if no answer comes, and over TCP if the answer is truncated
 * or missing. All questions share one socket; the caller limits how many are in progress. The system chooses its port
 * at random and takes packets only from the server: an attacker has to guess the port and the id (RFC 5452).
 */
export class DnsClient {
  readonly server: ServerAddress;
  private readonly socket: Socket;
  private readonly recursionDesired: boolean;
  private readonly dnssecOk: boolean;
  private readonly timeoutMs: number;
  /** The server drops queries over UDP: servers that limit the rate of answers do not limit TCP. */
  private prefersTcp = false;
  private readonly pending = new Map<number, PendingQuery>();
  private readonly connections = new Set<TcpConnection>();
  private isClosed = false;
  private readonly signal: AbortSignal | undefined;
  private readonly onAbort = (): void => {
    this.close();
  };

  /** @throws DnsFailure when the host has no address, or when this machine cannot send to it */
  static async open(server: ServerAddress, options: DnsClientOptions = {}): Promise<DnsClient> {
    const resolved = await resolveServerAddress(server);
    options.signal?.throwIfAborted();
    return new DnsClient(server, resolved, await openUdpSocket(resolved), options);
  }

  private readonly resolved: ServerAddress;

  private constructor(
    server: ServerAddress,
    resolved: ServerAddress,
    socket: Socket,
    { recursionDesired = false, dnssecOk = false, timeoutMs = TIMEOUT_MS, signal }: DnsClientOptions,
  ) {
    this.server = server;
    this.resolved = resolved;
    this.socket = socket;
    this.recursionDesired = recursionDesired;
    this.dnssecOk = dnssecOk;
    this.timeoutMs = timeoutMs;
    this.signal = signal;
    socket.on('message', (bytes) => {
      this.take(bytes);
    });
    // Nothing listens on the port: all waiting questions may retry at once.
    socket.on('error', () => {
      for (const query of [...this.pending.values()]) query.settle(undefined);
    });
    if (signal === undefined) return;
    // Many clients share a signal. Node warns of the eleventh listener, but each is removed when its client closes.
    setMaxListeners(0, signal);
    signal.addEventListener('abort', this.onAbort, { once: true });
    if (signal.aborted) this.close();
  }

  /**
   * Returns the server's NOERROR or NXDOMAIN answer. @throws DnsFailure for every other outcome; the reason of the signal
   * if it is aborted
   */
  async ask(name: DomainName, type: number): Promise<Message> {
    return this.checkRcode(await this.askAny(name, type));
  }

  /** As `ask`, with the answer of whatever code. */
  async askAny(name: DomainName, type: number): Promise<Message> {
    let hasEdns = true;
    for (let attempt = 1; attempt <= UDP_ATTEMPTS && !this.prefersTcp; attempt++) {
      this.checkOpen();
      const answer = await this.askOnce({ name, type }, hasEdns);
      if (answer === undefined) continue;
      // Servers without EDNS return one of these codes (RFC 6891 section 7).
      if (hasEdns && (answer.rcode === rcode.FORMERR || answer.rcode === rcode.NOTIMP)) {
        hasEdns = false;
        continue;
      }
      return answer.isTruncated ? this.askOverTcp({ name, type }) : answer;
    }
    const answer = await this.askOverTcp({ name, type });
    this.prefersTcp = true;
    return answer;
  }

  /** Safe to repeat. Questions in progress are rejected. */
  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.signal?.removeEventListener('abort', this.onAbort);
    for (const query of [...this.pending.values()]) query.settle(undefined);
    for (const connection of this.connections) connection.close();
    this.socket.close();
  }

  private checkOpen(): void {
    this.signal?.throwIfAborted();
    if (this.isClosed)
      throw new DnsFailure(
        'unreachable',
        `the question to ${formatServerAddress(this.server)} was abandoned`,
      );
  }

  private askOnce(question: Question, hasEdns: boolean): Promise<Message | undefined> {
    const id = this.freeId();
    const query = this.writeQuery(id, question, hasEdns);
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        settle(undefined);
      }, this.timeoutMs);
      const settle = (answer: Message | undefined): void => {
        clearTimeout(timer);
        this.pending.delete(id);
        resolve(answer);
      };
      this.pending.set(id, { ...question, settle });
      this.socket.send(query);
    });
  }

  private take(bytes: Uint8Array): void {
    const message = readMessage(bytes);
    if (!message.ok) return;
    const query = this.pending.get(message.value.id);
    if (query !== undefined && answers(message.value, query)) query.settle(message.value);
  }

  private async askOverTcp(question: Question): Promise<Message> {
    this.checkOpen();
    const connection = new TcpConnection(this.resolved, TCP_TIMEOUT_RATIO * this.timeoutMs);
    this.connections.add(connection);
    const shown = formatServerAddress(this.server);
    // The connection's own limit starts again with each octet.
    const deadline = setTimeout(() => {
      connection.close(new DnsFailure('timeout', 'it was too slow over TCP'));
    }, TCP_TIMEOUT_RATIO * this.timeoutMs);
    try {
      connection.send(this.writeQuery(randomInt(0x10000), question, true));
      for await (const bytes of connection.messages()) {
        const message = readMessage(bytes);
        if (message.ok && answers(message.value, question)) return message.value;
        throw new DnsFailure('malformed', `${shown} gave an answer to another question`);
      }
      throw new DnsFailure('malformed', `${shown} closed the connection without an answer`);
    } catch (error) {
      this.checkOpen();
      if (!(error instanceof DnsFailure) || error.kind === 'malformed') throw error;
      throw new DnsFailure(error.kind, `${shown} did not answer: ${error.message}`, { cause: error });
    } finally {
      clearTimeout(deadline);
      this.connections.delete(connection);
      connection.close();
    }
  }

  private writeQuery(id: number, question: Question, hasEdns: boolean): Uint8Array {
    const payloadOctets = hasEdns ? PAYLOAD_OCTETS : null;
    const { recursionDesired, dnssecOk } = this;
    return writeQuery({ id, ...question, recursionDesired, payloadOctets, dnssecOk });
  }

  private checkRcode(answer: Message): Message {
    if (answer.rcode === rcode.NOERROR || answer.rcode === rcode.NXDOMAIN) return answer;
    throw new DnsFailure(
      answer.rcode === rcode.SERVFAIL ? 'server_failed' : 'refused',
      `${formatServerAddress(this.server)} answered ${formatRcode(answer.rcode)}`,
    );
  }

  /** Random, so that an attacker has to guess it to inject an answer (RFC 5452 section 9.2). */
  private freeId(): number {
    for (;;) {
      const id = randomInt(0x10000);
      if (!this.pending.has(id)) return id;
    }
  }
}

function answers({ isResponse, question, rcode: code }: Message, { name, type }: Question): boolean {
  if (!isResponse) return false;
  // Some servers omit the question if they could not read it.
  if (question === undefined) return code === rcode.FORMERR || code === rcode.NOTIMP;
  return question.type === type && equalDomainNames(question.name, name);
}
