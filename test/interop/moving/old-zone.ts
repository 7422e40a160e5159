// The zone of a company at its old provider, before and after twelve changes that an administrator makes.

const FIRST_DIGEST = '3490a6806d47f17a34c29e2ce80e8a999ffbe4be3f6a2d1c7c8c6c3f0e1d2b4a';
const OTHER_DIGEST = '0d0ab1e1c3f5a7b9d2e4f60718293a4b5c6d7e8f9fa0b1c2d3e4f50617283940';

/** Lines of a zone file, without the SOA record. */
export interface OldZone {
  readonly serial: number;
  readonly lines: readonly string[];
}

const unchanged = [
  '@ MX 10 mail',
  '@ TXT "v=spf1 mx -all"',
  'mail A 192.0.2.10',
  'mail AAAA 2001:db8::10',
  'host A 192.0.2.5',
  '_sip._tcp SRV 0 5 5060 host',
];

export const before: OldZone = {
  serial: 1,
  lines: [
    ...unchanged,
    '@ NS ns1.old-provider.example.',
    '@ NS ns2.old-provider.example.',
    'www 600 A 192.0.2.1',
    'gone A 192.0.2.3',
    'longer 300 A 192.0.2.4',
    'former CNAME host',
    'child NS ns1.child',
    'child NS ns.elsewhere.example.',
    'ns1.child A 192.0.2.20',
    `child DS 12345 13 2 ${FIRST_DIGEST}`,
    '*.wild A 192.0.2.30',
    'printer._ipp._tcp TXT "txtvers=1" "rp=printers/a"',
    'divided TXT "abcd"',
    'always 0 A 192.0.2.41',
    'zero 300 A 192.0.2.40',
  ],
};

export const after: OldZone = {
  serial: 2,
  lines: [
    ...unchanged,
    // Apex nameservers, which are those of the old provider.
    '@ NS ns1.old-provider.example.',
    '@ NS ns3.old-provider.example.',
    // Changed, and added.
    'www 600 A 192.0.2.99',
    'new A 192.0.2.7',
    // A TTL.
    'longer 900 A 192.0.2.4',
    // Renamed.
    'latter CNAME host',
    // Nameservers, glue and DS of a delegation.
    'child NS ns2.child',
    'child NS ns.elsewhere.example.',
    'ns2.child A 192.0.2.21',
    `child DS 54321 13 2 ${OTHER_DIGEST}`,
    // Below a wildcard.
    '*.wild A 192.0.2.31',
    '*.wild TXT "any name"',
    // Character-strings, of which one text stays the same.
    'printer._ipp._tcp TXT "txtvers=1" "rp=printers/b" ""',
    'divided TXT "ab" "cd"',
    // A TTL of 0.
    'always 0 A 192.0.2.41',
    'zero 0 A 192.0.2.40',
    // Another delegation.
    'branch NS ns1.branch.example.net.',
    'branch NS ns2.branch.example.net.',
  ],
};

export function formatOldZone(apex: string, { serial, lines }: OldZone): string {
  const soa = `@ SOA ns1.old-provider.example. hostmaster.old-provider.example. ${serial} 7200 900 1209600 300`;
  return [`$ORIGIN ${apex}`, '$TTL 300', soa, ...lines, ''].join('\n');
}
