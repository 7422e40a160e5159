import { randomBytes } from 'node:crypto';
import { rcode, rrType } from '../dns/codes.ts';
import type { Message, MessageRecord } from '../dns/message.ts';
import { equalDomainNames, type DomainName } from '../dns/name.ts';
import type { DnsClient } from './dns-client.ts';

/** What a server has at one name. */
export interface RrsetAnswer {
  readonly type: number;
  /** Of that name and type; none where there are none. */
  readonly records: readonly MessageRecord[];
  /** The name does not exist, with no type at all (RFC 8020). */
  readonly isMissingName: boolean;
}

/** @throws DnsFailure when the server gives no proper answer */
export async function askRrset(client: DnsClient, name: DomainName, type: number): Promise<RrsetAnswer> {
  const message = await client.ask(name, type);
  // Behind a CNAME record, NXDOMAIN speaks of its target (RFC 6604).
  const isMissingName = message.rcode === rcode.NXDOMAIN && message.answers.length === 0;
  return { type, records: findRrset(message, name, type), isMissingName };
}

/** Asks for all the types; where the name does not exist the first question says so for all of them. */
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
 * What an answer says of one name and type. Of a delegation it is the referral that says it: NS records in the authority
 * section, glue among the additional records (RFC 1034 section 4.3.2).
 */
function findRrset(message: Message, name: DomainName, type: number): readonly MessageRecord[] {
  const isMeant = (record: MessageRecord): boolean =>
    record.type === type && equalDomainNames(record.owner, name);
  const isReferral =
    message.answers.length === 0 && message.authorities.some((record) => record.type === rrType.NS);
  if (!isReferral) return message.answers.filter(isMeant);
  return [...message.authorities, ...message.additionals].filter(isMeant);
}

/** A label that nobody has: only a wildcard answers for it. */
export function randomLabel(): string {
  return `zw-${randomBytes(8).toString('hex')}`;
}
