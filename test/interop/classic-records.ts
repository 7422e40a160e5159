// One record of each classic type, as customers write them, with the output that dig must print.

import type { NewRecord } from './dns-client.ts';

export interface ClassicRecord extends NewRecord {
  /** The data as the service returns it. */
  readonly readBack: string;
  /** The rdata as dig prints it. */
  readonly answer: string;
}

const DKIM = `v=DKIM1; k=rsa; p=${'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A'.repeat(12)}IDAQAB`;
const SHA256 = '123456789ABCDEF67890123456789ABCDEF67890123456789ABCDEF612345678';

/** NS is missing because it is a delegation, which is answered differently. */
export function classicRecords(domain: string): ClassicRecord[] {
  const row = (
    type: string,
    name: string,
    data: string,
    answer: string,
    more: { priority?: number; readBack?: string } = {},
  ): ClassicRecord => ({
    type,
    name,
    data,
    ttl: 300,
    answer,
    readBack: more.readBack ?? data,
    ...(more.priority === undefined ? {} : { priority: more.priority }),
  });
  return [
    row('A', 'www', '192.0.2.10', '192.0.2.10'),
    row('AAAA', 'www', '2001:db8::10', '2001:db8::10'),
    row('CNAME', 'alias', `www.${domain}`, `www.${domain}.`),
    row('MX', '', `mail.${domain}`, `10 mail.${domain}.`, { priority: 10 }),
    row('SRV', '_sip._tcp', `5 5060 sip.${domain}`, `20 5 5060 sip.${domain}.`, { priority: 20 }),
    row('TXT', 'quoted', '"v=spf1 include:_spf.example.net -all"', '"v=spf1 include:_spf.example.net -all"'),
    row('TXT', 's1._domainkey', DKIM, splitText(DKIM), { readBack: `"${DKIM}"` }),
    row('CAA', '', '0 issue "letsencrypt.org"', '0 issue "letsencrypt.org"'),
    row('SSHFP', 'www', `4 2 ${SHA256}`, `4 2 ${SHA256}`),
    row('A', '*.wild', '192.0.2.20', '192.0.2.20'),
  ];
}

/** Character-strings of 255 bytes, the last shorter. */
function splitText(text: string): string {
  return (text.match(/.{1,255}/g) ?? []).map((part) => `"${part}"`).join(' ');
}
