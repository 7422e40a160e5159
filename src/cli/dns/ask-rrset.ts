import { randomBytes } from 'node:crypto';
import { rrType } from '../../dns/codes.ts';
import type { Message, MessageRecord } from '../../dns/message/read-message.ts';
import { equalDomainNames, type DomainName } from '../../dns/name.ts';
import type { DnsClient } from './dns-client.ts';

/** The records of that name and type that the server answers with; none where there are none. */
export async function askRrset(
  client: DnsClient,
  name: DomainName,
  type: number,
): Promise<readonly MessageRecord[]> {
  return findRrset(await client.ask(name, type), name, type);
}

/**
 * What an answer says of one name and type. Of a delegation it is the referral that says it: NS records in the authority
 * section, glue among the additional records (RFC 1034 section 4.3.2).
 */
export function findRrset(message: Message, name: DomainName, type: number): readonly MessageRecord[] {
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
