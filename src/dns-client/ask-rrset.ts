import { randomBytes } from 'node:crypto';
import { rcode, rrType } from '../dns/codes.ts';
import type { Message, MessageRecord } from '../dns/message.ts';
import { equalDomainNames, type DomainName } from '../dns/name.ts';
import type { DnsClient } from './dns-client.ts';

/** A server's answer for one name and type. */
export interface RrsetAnswer {
  readonly type: number;
  /** The records of that name and type; empty if there are none. */
  readonly records: readonly MessageRecord[];
  /** True if the name does not exist with any type (RFC 8020). */
  readonly isMissingName: boolean;
}

/** @throws DnsFailure if the server gives no valid answer */
export async function askRrset(client: DnsClient, name: DomainName, type: number): Promise<RrsetAnswer> {
  const message = await client.ask(name, type);
  // After a CNAME record, NXDOMAIN refers to its target (RFC 6604).
  const isMissingName = message.rcode === rcode.NXDOMAIN && message.answers.length === 0;
  return { type, records: findRrset(message, name, type), isMissingName };
}

/** Asks for all types; if the name does not exist, the first answer covers all of them. */
export async function askName(
  client: DnsClient,
  name: DomainName,
  types: readonly number[],
): Promise<readonly RrsetAnswer[]> {
  const [firstType, ...otherTypes] = types;
  const first = await askRrset(client, name, firstType);
  if (first.isMissingName) return [first];
  return [first, ...(await Promise.all(otherTypes.map((type) => askRrset(client, name, type))))];
}

/**
 * Returns an answer's records of one name and type. For a delegation these are in the referral: NS records in the
 * authority section, glue in the additional section (RFC 1034 section 4.3.2).
 */
function findRrset(message: Message, name: DomainName, type: number): readonly MessageRecord[] {
  const isMeant = (record: MessageRecord): boolean =>
    record.type === type && equalDomainNames(record.owner, name);
  const isReferral =
    message.answers.length === 0 && message.authorities.some((record) => record.type === rrType.NS);
  if (!isReferral) return message.answers.filter(isMeant);
  return [...message.authorities, ...message.additionals].filter(isMeant);
}

/** A label that exists nowhere, so that only a wildcard can match it. */
export function randomLabel(): string {
  return `zw-${randomBytes(8).toString('hex')}`;
}
