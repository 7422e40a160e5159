// A zone with every record type that customers can write, with the names in the data in mixed case: they must be signed
// in lower case for the types of RFC 4034 section 6.2, and as they are for all others (RFC 6840 section 5.1).

import { rrType } from '../../src/dns/codes.ts';
import { recordTypes } from '../../src/dns/rdata/record-type-registry.ts';
import { nameOf, readZoneRecords } from '../../src/dnssec/zone-records.test-support.ts';
import type { SigningZone } from './zones.ts';

const APEX = 'every-type.test.';

/** SOA and NS stand at the apex, a CNAME alone, and a DNAME above nothing. */
const HEAD = `
@ 3600 SOA NS1 HostMaster 1 7200 3600 1209600 300
@ 3600 NS NS1
@ 3600 NS ns.Other.Example.
ns1 300 A 192.0.2.53
alias 300 CNAME Target.Example.NET.
moved 300 DNAME Elsewhere.Example.
below 300 NS Ns.Below
below 300 DS 1 13 2 ${'00'.repeat(32)}
ns.below 300 A 192.0.2.4
`;

const elsewhere: readonly number[] = [rrType.NS, rrType.CNAME, rrType.DNAME, rrType.DS];

export function everyTypeZone(): SigningZone {
  const customers = recordTypes.filter(
    ({ serviceOwned, number }) => serviceOwned !== true && !elsewhere.includes(number),
  );
  const lines = customers.flatMap(({ mnemonic, example, number }) => [
    `${mnemonic} 300 ${mnemonic} ${example}`,
    ...(names.has(number) ? [`${mnemonic} 300 ${mnemonic} ${names.get(number) ?? ''}`] : []),
  ]);
  const apex = nameOf(APEX);
  const text = [HEAD, ...lines, ...undeclared].join('\n');
  return { title: 'every type', apex, records: readZoneRecords(text, apex), without: [] };
}

/** Data with names in mixed case. */
const names: ReadonlyMap<number, string> = new Map([
  [rrType.AFSDB, '1 Host.Example.COM.'],
  [rrType.AMTRELAY, '10 0 3 Relay.Example.COM.'],
  [
    rrType.HIP,
    '2 200100107B1A74DF365639CC39F1D578 AwEAAbdxyhNuSutc5EMzxTs9LBPCIkOFH8cIvM4p9+LrV4e1 Rvs.Example.COM.',
  ],
  [rrType.HTTPS, '1 Host.Example.COM. alpn=h2'],
  [rrType.IPSECKEY, '10 3 2 Gateway.Example.COM. AQNRU3mG7TVTO2BkR47usntb102uFJtugbo6BSGvgqt4AQ=='],
  [rrType.KX, '10 Host.Example.COM.'],
  [rrType.LP, '10 Host.Example.COM.'],
  [rrType.MX, '10 Mail.Example.COM.'],
  [rrType.NAPTR, '1 1 "U" "E2U+SIP" "!^.*$!SIP:Info@Example.COM!" .'],
  [rrType.PTR, 'Host.Example.COM.'],
  [rrType.RP, 'Mail.Box.Example.COM. Text.Example.COM.'],
  [rrType.SRV, '0 5 5060 Sip.Example.COM.'],
  [rrType.SVCB, '1 Host.Example.COM. alpn=h2'],
  [rrType.TXT, '"MiXed" "Case"'],
]);

/** A.Bc. and D. */
const TWO_NAMES = '014102426300' + '014400';
const ONE_NAME = '014102426300';

/** Types without a declaration of ours whose names are in lower case in the canonical form. */
const undeclared: readonly string[] = [
  generic('MD', ONE_NAME),
  generic('MF', ONE_NAME),
  generic('MB', ONE_NAME),
  generic('MG', ONE_NAME),
  generic('MR', ONE_NAME),
  generic('MINFO', TWO_NAMES),
  generic('RT', `000a${ONE_NAME}`),
  generic('PX', `000a${TWO_NAMES}`),
];

function generic(type: string, hex: string): string {
  return `${type} 300 ${type} \\# ${hex.length / 2} ${hex}`;
}
