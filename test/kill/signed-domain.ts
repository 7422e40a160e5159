import { expect } from 'vitest';
import { checkSignedAnswer } from '../../src/nameserver/query/check-signed-answer.test-support.ts';
import { readSignedMessage } from '../../src/nameserver/query/signed-message.test-support.ts';
import type { Owner } from '../harness/fixtures.ts';
import type { Victim } from './victim.ts';

/*
 * A signed domain under writers and kills: whatever it answers must be what a validator accepts, with the keys that it
 * had at first.
 */

const TYPE_DNSKEY = 48;

export interface SignedDomain {
  readonly domain: string;
  /** Data of the DNSKEY records. */
  readonly dnskeys: readonly Buffer[];
}

export async function signDomain(victim: Victim, domain: string): Promise<SignedDomain> {
  const owner: Owner = victim.current();
  const reply = await owner.http.put(`/v2/domains/${domain}`, { dns_sec: 'enabled' });
  expect(reply.status, reply.text).toBe(204);
  const { answers } = await victim.ask((dns, options) => dns.ask(domain, TYPE_DNSKEY, options));
  const dnskeys = answers.filter(({ type }) => type === TYPE_DNSKEY).map(({ rdata }) => Buffer.from(rdata));
  expect(dnskeys).toHaveLength(1);
  return { domain, dnskeys };
}

/** Checks the signatures and proofs of one answer; `set` is `domain|name|type`. */
export async function checkSignatures(
  { ask }: Pick<Victim, 'ask'>,
  { domain, dnskeys }: SignedDomain,
  set: string,
  when: string,
  faults: string[],
): Promise<void> {
  const [ofDomain, name, type] = set.split('|');
  if (ofDomain !== domain) return;
  const octets = await ask(async (dns, options) => {
    const { bytes } = await dns.ask(`${name}.${domain}`, type, { ...options, dnssec: true });
    if (!readSignedMessage(bytes).isTruncated) return bytes;
    return (await dns.ask(`${name}.${domain}`, type, { ...options, dnssec: true, tcp: true })).bytes;
  });
  const zone = { apex: domain.split('.'), dnskeys, nowSeconds: Math.floor(Date.now() / 1000), cuts: [] };
  const problem = checkSignedAnswer(octets, zone);
  if (problem !== undefined) faults.push(`${when}: ${set} does not validate: ${problem}`);
}
