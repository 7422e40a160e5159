/**
 * Requests a complete zone from a nameserver (AXFR, RFC 5936), signed if there is a key. Bounded in time and size.
 * Returns the complete zone or throws; never returns a part of it.
 */
import { createHmac, randomInt } from 'node:crypto';
import { rcode, rrClass, rrType } from '../dns/codes.ts';
import type { Message, MessageRecord } from '../dns/message.ts';
import { readMessage } from '../dns/message/read-message.ts';
import { writeQuery } from '../dns/message/write-query.ts';
import { equalDomainNames, formatDomainName, type DomainName } from '../dns/name.ts';
import { DnsFailure } from './dns-failure.ts';
import { formatRcode } from '../dns/format-rcode.ts';
import { formatServerAddress, resolveServerAddress, type ServerAddress } from './server-address.ts';
import { TcpConnection } from './tcp-connection.ts';
import { signQuery, TsigVerifier, type TsigKey, type TsigProblem } from '../dns/tsig.ts';

export interface TransferOptions {
  readonly key?: TsigKey | undefined;
  /** Longest time for the complete transfer. */
  readonly timeoutMs?: number;
}

/** Longest wait between two messages: a loaded server prepares a large zone for seconds. */
const IDLE_MS = 30_000;

/** A million records arrive within a minute over a slow line; after this time the server is stalling. */
const TRANSFER_TIMEOUT_MS = 10 * 60_000;

/** Two million records of ordinary size, more than one import may hold. */
const MAX_TRANSFER_OCTETS = 256 * 1024 * 1024;

/**
 * Returns the zone's records, with its SOA first and only once. @throws DnsFailure with a sentence about the server and
 * zone
 */
export async function transferZone(
  server: ServerAddress,
  zone: DomainName,
  { key, timeoutMs = TRANSFER_TIMEOUT_MS }: TransferOptions = {},
): Promise<readonly MessageRecord[]> {
  const connection = new TcpConnection(await resolveServerAddress(server), IDLE_MS);
  const deadline = setTimeout(() => {
    connection.close(new DnsFailure('timeout', `it was incomplete after ${timeoutMs / 1000} seconds`));
  }, timeoutMs);
  try {
    return await receiveZone(connection, zone, key);
  } catch (error) {
    if (!(error instanceof DnsFailure)) throw error;
    const what = `the transfer of ${formatDomainName(zone)} from ${formatServerAddress(server)} failed`;
    throw new DnsFailure(error.kind, `${what}: ${error.message}`, { cause: error });
  } finally {
    clearTimeout(deadline);
    connection.close();
  }
}

async function receiveZone(
  connection: TcpConnection,
  zone: DomainName,
  key: TsigKey | undefined,
): Promise<readonly MessageRecord[]> {
  const id = randomInt(0x10000);
  const query = writeQuery({
    id,
    name: zone,
    type: rrType.AXFR,
    recursionDesired: false,
    payloadOctets: null,
  });
  const signed = key === undefined ? undefined : signQuery(query, key, nowSeconds(), createHmac);
  const verifier = key && signed && new TsigVerifier(key, signed.mac, createHmac);
  const transfer = new IncomingZone(zone);
  let octets = 0;
  connection.send(signed?.bytes ?? query);
  for await (const bytes of connection.messages()) {
    octets += bytes.length;
    if (octets > MAX_TRANSFER_OCTETS) {
      throw new DnsFailure('malformed', `it is larger than ${MAX_TRANSFER_OCTETS / 1024 / 1024} MiB`);
    }
    const message = readMessage(bytes);
    if (!message.ok) throw new DnsFailure('malformed', message.problem);
    if (message.value.id !== id) throw new DnsFailure('malformed', 'the answer belongs to another question');
    refuse(verifier?.add(bytes, message.value, nowSeconds()));
    transfer.add(message.value);
    if (transfer.isWhole) {
      refuse(verifier?.finish());
      return transfer.records;
    }
  }
  throw new DnsFailure('unreachable', 'the server closed the connection before the end of the zone');
}

/** SOA, everything else, SOA again (RFC 5936 section 2.2). */
class IncomingZone {
  readonly records: MessageRecord[] = [];
  isWhole = false;
  private readonly zone: DomainName;

  constructor(zone: DomainName) {
    this.zone = zone;
  }

  add(message: Message): void {
    if (message.rcode !== rcode.NOERROR) {
      throw new DnsFailure('refused', `the server answered ${formatRcode(message.rcode)}`);
    }
    if (message.answers.length === 0 && this.records.length === 0) {
      throw new DnsFailure('refused', 'the server gave an empty answer');
    }
    for (const record of message.answers) this.addRecord(record);
  }

  private addRecord(record: MessageRecord): void {
    if (this.isWhole) throw new DnsFailure('malformed', 'records follow the end of the zone');
    const isSoa = record.type === rrType.SOA && equalDomainNames(record.owner, this.zone);
    if (this.records.length === 0 && !isSoa) {
      throw new DnsFailure('malformed', 'it does not begin with the SOA record of the zone');
    }
    if (record.class !== rrClass.IN)
      throw new DnsFailure('malformed', 'it holds a record of a class other than IN');
    if (isSoa && this.records.length > 0) this.isWhole = true;
    else this.records.push(record);
  }
}

function refuse(problem: TsigProblem | undefined): void {
  if (problem !== undefined) throw new DnsFailure(problem.kind, problem.message);
}

function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}
