/**
 * One row per vector: text → wire → text. Rows are examples from the RFCs, or the RFC's format filled in where it has
 * none; the octets were compared with BIND, ldns and dnspython. Every new type needs a row here.
 */
import * as dnsPacket from 'dns-packet';
import { expect, test } from 'vitest';
import { formatHex, parseHex } from '../hex.ts';
import { canonicalRdata, checkRdata, formatRdata, parseRdata } from '../rdata/rdata.ts';
import { parseRecordType, recordTypes } from '../rdata/record-type-registry.ts';

interface Vector {
  readonly source: string;
  readonly type: string;
  readonly text: string;
  readonly hex: string;
  /** The formatted text, if it differs from `text`. */
  readonly canonical?: string;
}

const BASE64_KEY =
  'AQPSKmynfzW4kyBv015MUG2DeIQ3Cbl+BBZH4b/0PY1kxkmvHjcZc8nokfzj31GajIQKY+5CptLr3buXA10hWqTkF7H6RfoRqXQeogmMHfpftf6zMv1LyBUgia7za6ZEzOJBOztyvhjL742iU/TpPSEDhm2SNKLijfUppn1UaNvv4w==';

export const vectors: readonly Vector[] = [
  { source: 'RFC 1035 section 5.3', type: 'A', text: '10.1.0.52', hex: '0a010034' },
  { source: 'RFC 1034 section 6.1', type: 'A', text: '26.0.0.73', hex: '1a000049' },
  {
    source: 'RFC 3596 section 2.5',
    type: 'AAAA',
    text: '4321:0:1:2:3:4:567:89ab',
    hex: '432100000001000200030004056789ab',
  },
  {
    source: 'RFC 5952 section 4.2.2',
    type: 'AAAA',
    text: '2001:db8:0:1:1:1:1:1',
    hex: '20010db8000000010001000100010001',
  },
  {
    source: 'RFC 5952 section 4.2.3',
    type: 'AAAA',
    text: '2001:db8:0:0:1:0:0:1',
    hex: '20010db8000000000001000000000001',
    canonical: '2001:db8::1:0:0:1',
  },
  {
    source: 'RFC 5952 section 4.2.3',
    type: 'AAAA',
    text: '2001:0:0:1:0:0:0:1',
    hex: '20010000000000010000000000000001',
    canonical: '2001:0:0:1::1',
  },
  {
    source: 'RFC 4291 section 2.2',
    type: 'AAAA',
    text: '::FFFF:129.144.52.38',
    hex: '00000000000000000000ffff81903426',
    canonical: '::ffff:129.144.52.38',
  },
  {
    source: 'RFC 4291 section 2.2',
    type: 'AAAA',
    text: 'FF01::101',
    hex: 'ff010000000000000000000000000101',
    canonical: 'ff01::101',
  },
  { source: 'RFC 4291 section 2.2', type: 'AAAA', text: '::', hex: '00000000000000000000000000000000' },
  { source: 'RFC 4291 section 2.2', type: 'AAAA', text: '::1', hex: '00000000000000000000000000000001' },
  {
    source: 'RFC 1183 section 1',
    type: 'AFSDB',
    text: '1 jack.toaster.com.',
    hex: '0001046a61636b07746f617374657203636f6d00',
  },
  { source: 'RFC 8777 section 4.3.1', type: 'AMTRELAY', text: '10 0 1 203.0.113.15', hex: '0a01cb00710f' },
  {
    source: 'RFC 8777 section 4.3.1',
    type: 'AMTRELAY',
    text: '10 0 2 2001:db8::15',
    hex: '0a0220010db8000000000000000000000015',
  },
  {
    source: 'RFC 8777 section 4.3.1, with optional discovery',
    type: 'AMTRELAY',
    text: '10 1 3 relay.example.com.',
    hex: '0a830572656c6179076578616d706c6503636f6d00',
  },
  { source: 'RFC 8777 section 4.2.4 (no relay)', type: 'AMTRELAY', text: '10 0 0 .', hex: '0a00' },
  {
    source: 'RFC 3123 section 7',
    type: 'APL',
    text: '1:192.168.32.0/21 !1:192.168.38.0/28',
    hex: '00011503c0a82000011c83c0a826',
  },
  {
    source: 'RFC 3123 section 7',
    type: 'APL',
    text: '1:192.168.42.0/26 1:192.168.42.64/26 !1:192.168.42.128/25',
    hex: '00011a03c0a82a00011a04c0a82a4000011984c0a82a80',
  },
  {
    source: 'RFC 3123 section 7',
    type: 'APL',
    text: '1:127.0.0.1/32 1:172.16.64.0/22',
    hex: '000120047f00000100011603ac1040',
  },
  {
    source: 'RFC 3123 section 7',
    type: 'APL',
    text: '1:224.0.0.0/4 2:FF00:0:0:0:0:0:0:0/8',
    hex: '00010401e000020801ff',
    canonical: '1:224.0.0.0/4 2:ff00::/8',
  },
  { source: 'RFC 3123 section 4 (no item)', type: 'APL', text: '', hex: '' },
  {
    source: 'RFC 8659 section 4.2',
    type: 'CAA',
    text: '0 issue "ca1.example.net"',
    hex: '000569737375656361312e6578616d706c652e6e6574',
  },
  {
    source: 'RFC 8659 section 4.2',
    type: 'CAA',
    text: '0 issue "ca1.example.net; account=230123"',
    hex: '000569737375656361312e6578616d706c652e6e65743b206163636f756e743d323330313233',
  },
  { source: 'RFC 8659 section 4.2', type: 'CAA', text: '0 issue ";"', hex: '000569737375653b' },
  {
    source: 'RFC 8659 section 4.4',
    type: 'CAA',
    text: '0 iodef "mailto:security@example.com"',
    hex: '0005696f6465666d61696c746f3a7365637572697479406578616d706c652e636f6d',
  },
  { source: 'RFC 8659 section 4.5', type: 'CAA', text: '128 tbs "Unknown"', hex: '8003746273556e6b6e6f776e' },
  {
    source: 'RFC 8659 section 4 (bare value, tag in capitals)',
    type: 'CAA',
    text: '0 issueWild letsencrypt.org',
    hex: '0009697373756557696c646c657473656e63727970742e6f7267',
    canonical: '0 issueWild "letsencrypt.org"',
  },
  { source: 'RFC 8078 section 4 (with its erratum)', type: 'CDNSKEY', text: '0 3 0 AA==', hex: '0000030000' },
  {
    source: 'RFC 7344 section 3.2',
    type: 'CDNSKEY',
    text: `256 3 5 ${BASE64_KEY}`,
    hex: '010003050103d22a6ca77f35b893206fd35e4c506d8378843709b97e041647e1bff43d8d64c649af1e371973c9e891fce3df519a8c840a63ee42a6d2ebddbb97035d215aa4e417b1fa45fa11a9741ea2098c1dfa5fb5feb332fd4bc8152089aef36ba644cce2413b3b72be18cbef8da253f4e93d2103866d9234a2e28df529a67d5468dbefe3',
  },
  { source: 'RFC 8078 section 4 (with its erratum)', type: 'CDS', text: '0 0 0 00', hex: '0000000000' },
  {
    source: 'RFC 7344 section 3.1',
    type: 'CDS',
    text: '60485 5 1 2BB183AF5F22588179A53B0A98631FAD1A292118',
    hex: 'ec4505012bb183af5f22588179a53b0a98631fad1a292118',
  },
  {
    source: 'RFC 4398 section 2.2',
    type: 'CERT',
    text: 'PGP 0 0 mQCNAzIG1AQ=',
    hex: '000300000099008d033206d404',
    canonical: '3 0 0 mQCNAzIG1AQ=',
  },
  {
    source: 'RFC 4398 section 2.2',
    type: 'CERT',
    text: '254 12345 RSASHA256 AQID',
    hex: '00fe303908010203',
    canonical: '254 12345 8 AQID',
  },
  {
    source: 'RFC 1034 section 6.1',
    type: 'CNAME',
    text: 'SRI-NIC.ARPA.',
    hex: '075352492d4e4943044152504100',
  },
  {
    source: 'RFC 7477 section 2.1.3',
    type: 'CSYNC',
    text: '66 3 A NS AAAA',
    hex: '000000420003000460000008',
  },
  {
    source: 'RFC 9859 section 2.3',
    type: 'DSYNC',
    text: 'CDS NOTIFY 5359 cds-scanner.example.net.',
    hex: '003b0114ef0b6364732d7363616e6e6572076578616d706c65036e657400',
  },
  {
    source: 'RFC 4701 section 3.6',
    type: 'DHCID',
    text: 'AAIBY2/AuCccgoJbsaxcQc9TUapptP69lOjxfNuVAA2kjEA=',
    hex: '000201636fc0b8271c82825bb1ac5c41cf5351aa69b4febd94e8f17cdb95000da48c40',
  },
  {
    source: 'RFC 4701 section 3.6',
    type: 'DHCID',
    text: 'AAEBOSD+XR3Os/0LozeXVqcNc7FwCfQdWL3b/NaiUDlW2No=',
    hex: '0001013920fe5d1dceb3fd0ba3379756a70d73b17009f41d58bddbfcd6a2503956d8da',
  },
  {
    source: 'RFC 4701 section 3.6',
    type: 'DHCID',
    text: '( AAABxLmlskllE0MVjd57zHcWmEH3pCQ6VytcKD//7es/deY= )',
    hex: '000001c4b9a5b249651343158dde7bcc77169841f7a4243a572b5c283fffedeb3f75e6',
    canonical: 'AAABxLmlskllE0MVjd57zHcWmEH3pCQ6VytcKD//7es/deY=',
  },
  {
    source: 'RFC 6672 section 2.1',
    type: 'DNAME',
    text: 'frobozz-division.acme.example.',
    hex: '1066726f626f7a7a2d6469766973696f6e0461636d65076578616d706c6500',
  },
  {
    source: 'RFC 4034 section 2.3',
    type: 'DNSKEY',
    text: `256 3 5 ( ${BASE64_KEY} )`,
    hex: '010003050103d22a6ca77f35b893206fd35e4c506d8378843709b97e041647e1bff43d8d64c649af1e371973c9e891fce3df519a8c840a63ee42a6d2ebddbb97035d215aa4e417b1fa45fa11a9741ea2098c1dfa5fb5feb332fd4bc8152089aef36ba644cce2413b3b72be18cbef8da253f4e93d2103866d9234a2e28df529a67d5468dbefe3',
    canonical: `256 3 5 ${BASE64_KEY}`,
  },
  {
    source: 'RFC 4034 section 5.4',
    type: 'DS',
    text: '60485 5 1 ( 2BB183AF5F22588179A53B0A 98631FAD1A292118 )',
    hex: 'ec4505012bb183af5f22588179a53b0a98631fad1a292118',
    canonical: '60485 5 1 2BB183AF5F22588179A53B0A98631FAD1A292118',
  },
  {
    source: 'RFC 4509 section 2.3',
    type: 'DS',
    text: '60485 RSASHA1 2 ( D4B7D520E7BB5F0F67674A0C CEB1E3E0614B93C4F9E99B83 83F6A1E4469DA50A )',
    hex: 'ec450502d4b7d520e7bb5f0f67674a0cceb1e3e0614b93c4f9e99b8383f6a1e4469da50a',
    canonical: '60485 5 2 D4B7D520E7BB5F0F67674A0CCEB1E3E0614B93C4F9E99B8383F6A1E4469DA50A',
  },
  { source: 'RFC 7043 section 3.2', type: 'EUI48', text: '00-00-5e-00-53-2a', hex: '00005e00532a' },
  {
    source: 'RFC 7043 section 4.2',
    type: 'EUI64',
    text: '00-00-5E-EF-10-00-00-2A',
    hex: '00005eef1000002a',
    canonical: '00-00-5e-ef-10-00-00-2a',
  },
  {
    source: 'RFC 1034 section 6.1',
    type: 'HINFO',
    text: 'DEC-2060 TOPS20',
    hex: '084445432d3230363006544f50533230',
    canonical: '"DEC-2060" "TOPS20"',
  },
  { source: 'RFC 8482 section 4.2', type: 'HINFO', text: '"RFC8482" ""', hex: '075246433834383200' },
  {
    source: 'RFC 8005 section 6, with a shorter key',
    type: 'HIP',
    text: '2 200100107B1A74DF365639CC39F1D578 AwEAAbdxyhNuSutc5EMzxTs9LBPCIkOFH8cIvM4p9+LrV4e1',
    hex: '10020024200100107b1a74df365639cc39f1d57803010001b771ca136e4aeb5ce44333c53b3d2c13c22243851fc708bcce29f7e2eb5787b5',
  },
  {
    source: 'RFC 8005 section 6, with a shorter key',
    type: 'HIP',
    text: '2 200100107b1a74df365639cc39f1d578 AwEAAbdxyhNuSutc5EMzxTs9LBPCIkOFH8cIvM4p9+LrV4e1 rvs.example.com. b.example.',
    hex: '10020024200100107b1a74df365639cc39f1d57803010001b771ca136e4aeb5ce44333c53b3d2c13c22243851fc708bcce29f7e2eb5787b503727673076578616d706c6503636f6d000162076578616d706c6500',
    canonical:
      '2 200100107B1A74DF365639CC39F1D578 AwEAAbdxyhNuSutc5EMzxTs9LBPCIkOFH8cIvM4p9+LrV4e1 rvs.example.com. b.example.',
  },
  {
    source: 'RFC 9460 section 2.4.2',
    type: 'HTTPS',
    text: '0 svc.example.net.',
    hex: '000003737663076578616d706c65036e657400',
  },
  {
    source: 'RFC 9460 section 9',
    type: 'HTTPS',
    text: '1 . alpn=h2,h3 no-default-alpn port=8443 ech=AEj+DQ== ipv6hint=2001:db8::1',
    hex: '00010000010006026832026833000200000003000220fb000500040048fe0d0006001020010db8000000000000000000000001',
  },
  {
    source: 'RFC 4025 section 3.2',
    type: 'IPSECKEY',
    text: '10 1 2 192.0.2.38 AQNRU3mG7TVTO2BkR47usntb102uFJtugbo6BSGvgqt4AQ==',
    hex: '0a0102c0000226010351537986ed35533b6064478eeeb27b5bd74dae149b6e81ba3a0521af82ab7801',
  },
  {
    source: 'RFC 4025 section 3.2',
    type: 'IPSECKEY',
    text: '10 0 2 . AQNRU3mG7TVTO2BkR47usntb102uFJtugbo6BSGvgqt4AQ==',
    hex: '0a0002010351537986ed35533b6064478eeeb27b5bd74dae149b6e81ba3a0521af82ab7801',
  },
  {
    source: 'RFC 4025 section 3.2',
    type: 'IPSECKEY',
    text: '10 3 2 mygateway.example.com. AQNRU3mG7TVTO2BkR47usntb102uFJtugbo6BSGvgqt4AQ==',
    hex: '0a0302096d7967617465776179076578616d706c6503636f6d00010351537986ed35533b6064478eeeb27b5bd74dae149b6e81ba3a0521af82ab7801',
  },
  {
    source: 'RFC 4025 section 3.2',
    type: 'IPSECKEY',
    text: '10 2 2 2001:0DB8:0:8002::2000:1 AQNRU3mG7TVTO2BkR47usntb102uFJtugbo6BSGvgqt4AQ==',
    hex: '0a020220010db8000080020000000020000001010351537986ed35533b6064478eeeb27b5bd74dae149b6e81ba3a0521af82ab7801',
    canonical: '10 2 2 2001:db8:0:8002::2000:1 AQNRU3mG7TVTO2BkR47usntb102uFJtugbo6BSGvgqt4AQ==',
  },
  {
    source: 'RFC 4025 section 2.4 (no key)',
    type: 'IPSECKEY',
    text: '10 1 0 192.0.2.3',
    hex: '0a0100c0000203',
  },
  {
    source: 'RFC 2230 section 3.1',
    type: 'KX',
    text: '10 kx.example.com.',
    hex: '000a026b78076578616d706c6503636f6d00',
  },
  { source: 'RFC 6742 section 2.2', type: 'L32', text: '10 10.1.2.0', hex: '000a0a010200' },
  {
    source: 'RFC 6742 section 2.3',
    type: 'L64',
    text: '10 2001:0DB8:1140:1000',
    hex: '000a20010db811401000',
    canonical: '10 2001:0db8:1140:1000',
  },
  {
    source: 'RFC 6742 section 2.3 (leading zeros left out)',
    type: 'L64',
    text: '10 2001:db8:0:1',
    hex: '000a20010db800000001',
    canonical: '10 2001:0db8:0000:0001',
  },
  {
    source: 'RFC 1876 section 4',
    type: 'LOC',
    text: '42 21 54 N 71 06 18 W -24m 30m',
    hex: '0033161389172dd070be15f000988d20',
    canonical: '42 21 54.000 N 71 6 18.000 W -24.00m 30m 10000m 10m',
  },
  {
    source: 'RFC 1876 section 4',
    type: 'LOC',
    text: '42 21 43.952 N 71 5 6.344 W -24m 1m 200m',
    hex: '001224138917069070bf2dd800988d20',
    canonical: '42 21 43.952 N 71 5 6.344 W -24.00m 1m 200m 10m',
  },
  {
    source: 'RFC 1876 section 4',
    type: 'LOC',
    text: '52 14 05 N 00 08 50 E 10m',
    hex: '001216138b3556c88008165000989a68',
    canonical: '52 14 5.000 N 0 8 50.000 E 10.00m 1m 10000m 10m',
  },
  {
    source: 'RFC 1876 section 4',
    type: 'LOC',
    text: '32 7 19 S 116 2 25 E 10m',
    hex: '00121613791b7d2898e6486800989a68',
    canonical: '32 7 19.000 S 116 2 25.000 E 10.00m 1m 10000m 10m',
  },
  {
    source: 'RFC 1876 section 4',
    type: 'LOC',
    text: '42 21 28.764 N 71 00 51.617 W -44m 2000m',
    hex: '002516138916cb3c70c310df00988550',
    canonical: '42 21 28.764 N 71 0 51.617 W -44.00m 2000m 10000m 10m',
  },
  {
    source: 'RFC 1876 section 2 (the ends of the ranges)',
    type: 'LOC',
    text: '90 S 180 W -100000.00 0.01m 90000000.00m 0',
    hex: '001099006cb0270059604e0000000000',
    canonical: '90 0 0.000 S 180 0 0.000 W -100000.00m 0.01m 90000000m 0m',
  },
  {
    source: 'RFC 6742 section 2.4',
    type: 'LP',
    text: '10 l64-subnet1.example.com.',
    hex: '000a0b6c36342d7375626e657431076578616d706c6503636f6d00',
  },
  {
    source: 'RFC 1035 section 5.3',
    type: 'MX',
    text: '10 VENERA.ISI.EDU.',
    hex: '000a0656454e455241034953490345445500',
  },
  { source: 'RFC 7505 section 3', type: 'MX', text: '0 .', hex: '000000' },
  {
    source: 'RFC 3403 section 6.1',
    type: 'NAPTR',
    text: '100 50 "s" "z3950+I2L+I2C" "" _z3950._tcp.gatech.edu.',
    hex: '0064003201730d7a333935302b49324c2b49324300065f7a33393530045f746370066761746563680365647500',
  },
  {
    source: 'RFC 3403 section 6.1',
    type: 'NAPTR',
    text: '100 10 "" "" "!^urn:cid:.+@([^\\\\.]+\\\\.)(.*)$!\\\\2!i" .',
    hex: '0064000a000021215e75726e3a6369643a2e2b40285b5e5c2e5d2b5c2e29282e2a2924215c32216900',
  },
  {
    source: 'RFC 6742 section 2.1',
    type: 'NID',
    text: '10 0014:4fff:ff20:ee64',
    hex: '000a00144fffff20ee64',
  },
  { source: 'RFC 1035 section 5.3', type: 'NS', text: 'A.ISI.EDU.', hex: '0141034953490345445500' },
  {
    source: 'RFC 4034 section 4.3',
    type: 'NSEC',
    text: 'host.example.com. ( A MX RRSIG NSEC TYPE1234 )',
    hex: '04686f7374076578616d706c6503636f6d000006400100000003041b000000000000000000000000000000000000000000000000000020',
    canonical: 'host.example.com. A MX RRSIG NSEC TYPE1234',
  },
  {
    source: 'RFC 5155 appendix A',
    type: 'NSEC3',
    text: '1 1 12 aabbccdd ( 2t7b4g4vsa5smi47k61mv5bv1a22bojr MX DNSKEY NS SOA NSEC3PARAM RRSIG )',
    hex: '0101000c04aabbccdd14174eb2409fe28bcb4887a1836f957f0a8425e27b000722010000000290',
    canonical: '1 1 12 aabbccdd 2t7b4g4vsa5smi47k61mv5bv1a22bojr NS SOA MX RRSIG DNSKEY NSEC3PARAM',
  },
  {
    source: 'RFC 5155 section 3.3 (no salt, no type)',
    type: 'NSEC3',
    text: '1 0 0 - 2t7b4g4vsa5smi47k61mv5bv1a22bojr',
    hex: '010000000014174eb2409fe28bcb4887a1836f957f0a8425e27b',
  },
  { source: 'RFC 5155 appendix A', type: 'NSEC3PARAM', text: '1 0 12 aabbccdd', hex: '0100000c04aabbccdd' },
  { source: 'RFC 5155 section 4.3 (no salt)', type: 'NSEC3PARAM', text: '1 0 0 -', hex: '0100000000' },
  {
    source: 'RFC 7929 section 2.3',
    type: 'OPENPGPKEY',
    text: 'mQCNAzIG 1AQ=',
    hex: '99008d033206d404',
    canonical: 'mQCNAzIG1AQ=',
  },
  {
    source: 'RFC 1035 section 3.5',
    type: 'PTR',
    text: 'MILNET-GW.ISI.EDU.',
    hex: '094d494c4e45542d4757034953490345445500',
  },
  {
    source: 'RFC 1183 section 2.2',
    type: 'RP',
    text: 'louie.trantor.umd.edu. LAM1.people.umd.edu.',
    hex: '056c6f756965077472616e746f7203756d640365647500044c414d310670656f706c6503756d640365647500',
  },
  {
    source: 'RFC 4034 section 3.3',
    type: 'RRSIG',
    text: 'A 5 3 86400 20030322173103 ( 20030220173103 2642 example.com. oJB1W6WNGv+ldvQ3WDG0MQkg5IEhjRip8WTr PYGv07h108dUKGMeDPKijVCHX3DDKdfb+v6o B9wfuh3DTJXUAfI/M0zmO/zz8bW0Rznl8O3t GNazPwQKkRN20XPXV6nwwfoXmJQbsLNrLfkG J5D6fwFm8nN+6pBzeDQfsS3Ap3o= )',
    hex: '00010503000151803e7c9dd73e5510d70a52076578616d706c6503636f6d00a090755ba58d1affa576f4375831b4310920e481218d18a9f164eb3d81afd3b875d3c75428631e0cf2a28d50875f70c329d7dbfafea807dc1fba1dc34c95d401f23f334ce63bfcf3f1b5b44739e5f0eded18d6b33f040a911376d173d757a9f0c1fa1798941bb0b36b2df9062790fa7f0166f2737eea907378341fb12dc0a77a',
    canonical:
      'A 5 3 86400 20030322173103 20030220173103 2642 example.com. oJB1W6WNGv+ldvQ3WDG0MQkg5IEhjRip8WTrPYGv07h108dUKGMeDPKijVCHX3DDKdfb+v6oB9wfuh3DTJXUAfI/M0zmO/zz8bW0Rznl8O3tGNazPwQKkRN20XPXV6nwwfoXmJQbsLNrLfkGJ5D6fwFm8nN+6pBzeDQfsS3Ap3o=',
  },
  {
    source: 'RFC 8162 section 2',
    type: 'SMIMEA',
    text: '0 0 1 d2abde240d7cd3ee6b4b28c54df034b9 7983a1d16e8a410e4561cb106618e971',
    hex: '000001d2abde240d7cd3ee6b4b28c54df034b97983a1d16e8a410e4561cb106618e971',
    canonical: '0 0 1 D2ABDE240D7CD3EE6B4B28C54DF034B97983A1D16E8A410E4561CB106618E971',
  },
  {
    source: 'RFC 1035 section 5.3',
    type: 'SOA',
    text: 'VENERA.ISI.EDU. Action\\.domains.ISI.EDU. ( 20 7200 600 3600000 60 )',
    hex: '0656454e4552410349534903454455000e416374696f6e2e646f6d61696e730349534903454455000000001400001c20000002580036ee800000003c',
    canonical: 'VENERA.ISI.EDU. Action\\.domains.ISI.EDU. 20 7200 600 3600000 60',
  },
  {
    source: 'RFC 4408 section 3.1.1',
    type: 'SPF',
    text: '"v=spf1 +mx a:colo.example.com/28 -all"',
    hex: '25763d73706631202b6d7820613a636f6c6f2e6578616d706c652e636f6d2f3238202d616c6c',
  },
  {
    source: 'RFC 2782 (example)',
    type: 'SRV',
    text: '0 1 9 old-slow-box.example.com.',
    hex: '0000000100090c6f6c642d736c6f772d626f78076578616d706c6503636f6d00',
  },
  { source: 'RFC 2782 (no such service)', type: 'SRV', text: '0 0 0 .', hex: '00000000000000' },
  {
    source: 'RFC 4255 section 3.2',
    type: 'SSHFP',
    text: '2 1 ( 123456789abcdef67890 123456789abcdef67890 )',
    hex: '0201123456789abcdef67890123456789abcdef67890',
    canonical: '2 1 123456789ABCDEF67890123456789ABCDEF67890',
  },
  {
    source: 'RFC 6594 section 5 (ECDSA, SHA-256)',
    type: 'SSHFP',
    text: '3 2 821EB6C1C98D9CC827AB7F456304C0F14785B7008D9E8646A8519DE80849AFC7',
    hex: '0302821eb6c1c98d9cc827ab7f456304c0f14785b7008d9e8646a8519de80849afc7',
  },
  {
    source: 'RFC 9460 appendix D.1',
    type: 'SVCB',
    text: '0 foo.example.com.',
    hex: '000003666f6f076578616d706c6503636f6d00',
  },
  { source: 'RFC 9460 appendix D.2', type: 'SVCB', text: '1 .', hex: '000100' },
  {
    source: 'RFC 9460 appendix D.2',
    type: 'SVCB',
    text: '16 foo.example.com. port=53',
    hex: '001003666f6f076578616d706c6503636f6d00000300020035',
  },
  {
    source: 'RFC 9460 appendix D.2',
    type: 'SVCB',
    text: '1 foo.example.com. key667=hello',
    hex: '000103666f6f076578616d706c6503636f6d00029b000568656c6c6f',
  },
  {
    source: 'RFC 9460 appendix D.2',
    type: 'SVCB',
    text: '1 foo.example.com. key667="hello\\210qoo"',
    hex: '000103666f6f076578616d706c6503636f6d00029b000968656c6c6fd2716f6f',
  },
  {
    source: 'RFC 9460 appendix D.2',
    type: 'SVCB',
    text: '1 foo.example.com. ( ipv6hint="2001:db8::1,2001:db8::53:1" )',
    hex: '000103666f6f076578616d706c6503636f6d000006002020010db800000000000000000000000120010db8000000000000000000530001',
    canonical: '1 foo.example.com. ipv6hint=2001:db8::1,2001:db8::53:1',
  },
  {
    source: 'RFC 9460 appendix D.2',
    type: 'SVCB',
    text: '1 example.com. ( ipv6hint="2001:db8:122:344::192.0.2.33" )',
    hex: '0001076578616d706c6503636f6d000006001020010db80122034400000000c0000221',
    canonical: '1 example.com. ipv6hint=2001:db8:122:344::c000:221',
  },
  {
    source: 'RFC 9460 appendix D.2',
    type: 'SVCB',
    text: '16 foo.example.org. ( alpn=h2,h3-19 mandatory=ipv4hint,alpn ipv4hint=192.0.2.1 )',
    hex: '001003666f6f076578616d706c65036f7267000000000400010004000100090268320568332d313900040004c0000201',
    canonical: '16 foo.example.org. mandatory=alpn,ipv4hint alpn=h2,h3-19 ipv4hint=192.0.2.1',
  },
  {
    source: 'RFC 9460 appendix D.2',
    type: 'SVCB',
    text: '16 foo.example.org. alpn="f\\\\\\\\oo\\\\,bar,h2"',
    hex: '001003666f6f076578616d706c65036f7267000001000c08665c6f6f2c626172026832',
  },
  {
    source: 'RFC 9460 appendix D.2',
    type: 'SVCB',
    text: '16 foo.example.org. alpn=f\\\\\\092oo\\092,bar,h2',
    hex: '001003666f6f076578616d706c65036f7267000001000c08665c6f6f2c626172026832',
    canonical: '16 foo.example.org. alpn="f\\\\\\\\oo\\\\,bar,h2"',
  },
  {
    source: 'RFC 9461 section 5',
    type: 'SVCB',
    text: '1 doh.example. alpn=h2 dohpath=/dns-query{?dns}',
    hex: '000103646f68076578616d706c650000010003026832000700102f646e732d71756572797b3f646e737d',
  },
  {
    source: 'RFC 9540 section 4',
    type: 'SVCB',
    text: '1 svc.example. alpn=h2 ohttp',
    hex: '000103737663076578616d706c65000001000302683200080000',
  },
  {
    source: 'RFC 6698 section 2.3',
    type: 'TLSA',
    text: '0 0 1 ( d2abde240d7cd3ee6b4b28c54df034b9 7983a1d16e8a410e4561cb106618e971 )',
    hex: '000001d2abde240d7cd3ee6b4b28c54df034b97983a1d16e8a410e4561cb106618e971',
    canonical: '0 0 1 D2ABDE240D7CD3EE6B4B28C54DF034B97983A1D16E8A410E4561CB106618E971',
  },
  {
    source: 'RFC 6698 section 2.3',
    type: 'TLSA',
    text: '1 1 2 ( 92003ba34942dc74152e2f2c408d29ec a5a520e7f2e06bb944f4dca346baf63c 1b177615d466f6c4b71c216a50292bd5 8c9ebdd2f74e38fe51ffd48c43326cbc )',
    hex: '01010292003ba34942dc74152e2f2c408d29eca5a520e7f2e06bb944f4dca346baf63c1b177615d466f6c4b71c216a50292bd58c9ebdd2f74e38fe51ffd48c43326cbc',
    canonical:
      '1 1 2 92003BA34942DC74152E2F2C408D29ECA5A520E7F2E06BB944F4DCA346BAF63C1B177615D466F6C4B71C216A50292BD58C9EBDD2F74E38FE51FFD48C43326CBC',
  },
  { source: 'RFC 1464 section 2', type: 'TXT', text: '"color=blue"', hex: '0a636f6c6f723d626c7565' },
  {
    source: 'RFC 1464 section 2 (bare)',
    type: 'TXT',
    text: 'color=blue',
    hex: '0a636f6c6f723d626c7565',
    canonical: '"color=blue"',
  },
  {
    source: 'RFC 1035 section 5.1 (several strings, escapes)',
    type: 'TXT',
    text: '"say \\"hi\\"" back\\\\slash semi\\; \\000\\255 ""',
    hex: '0873617920226869220a6261636b5c736c6173680573656d693b0200ff00',
    canonical: '"say \\"hi\\"" "back\\\\slash" "semi;" "\\000\\255" ""',
  },
  {
    source: 'RFC 7553 section 4',
    type: 'URI',
    text: '10 1 "ftp://ftp1.example.com/public"',
    hex: '000a00016674703a2f2f667470312e6578616d706c652e636f6d2f7075626c6963',
  },
  {
    source: 'IANA registration of type 262',
    type: 'WALLET',
    text: '"BTC" "bc1qexampleaddress"',
    hex: '0342544312626331716578616d706c6561646472657373',
  },
  {
    source: 'RFC 8976 appendix A.1',
    type: 'ZONEMD',
    text: '2018031900 1 1 ( c68090d90a7aed71 6bc459f9340e3d7c 1370d4d24b7e2fc3 a1ddc0b9a87153b9 a9713b3c9ae5cc27 777f98b8e730044c )',
    hex: '7848b91c0101c68090d90a7aed716bc459f9340e3d7c1370d4d24b7e2fc3a1ddc0b9a87153b9a9713b3c9ae5cc27777f98b8e730044c',
    canonical:
      '2018031900 1 1 C68090D90A7AED716BC459F9340E3D7C1370D4D24B7E2FC3A1DDC0B9A87153B9A9713B3C9AE5CC27777F98B8E730044C',
  },
  {
    source: 'RFC 8976 section 2.2.4 (private scheme)',
    type: 'ZONEMD',
    text: '1 240 241 000102030405060708090a0b',
    hex: '00000001f0f1000102030405060708090a0b',
    canonical: '1 240 241 000102030405060708090A0B',
  },
  {
    source: 'RFC 3597 section 5',
    type: 'TYPE62347',
    text: '\\# 6 ABCD EF01 2345',
    hex: 'abcdef012345',
    canonical: '\\# 6 ABCDEF012345',
  },
  { source: 'RFC 3597 section 5 (no octets)', type: 'TYPE731', text: '\\# 0', hex: '' },
  {
    source: 'RFC 3597 section 5 (a known type)',
    type: 'A',
    text: '\\# 4 0A000001',
    hex: '0a000001',
    canonical: '10.0.0.1',
  },
  {
    source: 'RFC 9606 section 5',
    type: 'RESINFO',
    text: 'qnamemin exterr=15-17',
    hex: '08716e616d656d696e0c6578746572723d31352d3137',
    canonical: '"qnamemin" "exterr=15-17"',
  },
  {
    source: 'RFC 1183 section 3.1',
    type: 'X25',
    text: '311061700956',
    hex: '0c333131303631373030393536',
    canonical: '"311061700956"',
  },
];

test.each(vectors)('$type $text ($source)', ({ type, text, hex, canonical = text }) => {
  const number = parseRecordType(type)!;
  const rdata = parseRdata(number, text);
  expect(rdata.ok ? formatHex(rdata.value) : rdata.problem).toBe(hex.replaceAll(' ', ''));
  if (!rdata.ok) return;
  expect(checkRdata(number, rdata.value)).toBeUndefined();
  expect(formatRdata(number, rdata.value)).toBe(canonical);
  expect(parseRdata(number, canonical)).toEqual(rdata);
  expect(parseRdata(number, `\\# ${rdata.value.length} ${hex}`)).toEqual(rdata);
});

test('every declared type has a vector, and its example is in canonical form', () => {
  const covered = new Set(vectors.map((vector) => vector.type));
  for (const { number, mnemonic, example } of recordTypes) {
    expect(covered).toContain(mnemonic);
    const rdata = parseRdata(number, example);
    expect(rdata.ok ? formatRdata(number, rdata.value) : rdata.problem).toBe(example);
  }
});

/** Types that dns-packet supports (except `\.` in names); what it decodes and re-encodes must equal our wire form. */
const foreign = new Set([
  'A',
  'AAAA',
  'AFSDB',
  'CAA',
  'CNAME',
  'DNAME',
  'DNSKEY',
  'DS',
  'HINFO',
  'MX',
  'NAPTR',
  'NS',
  'NSEC',
  'NSEC3',
  'PTR',
  'RP',
  'RRSIG',
  'SOA',
  'SRV',
  'SSHFP',
  'TLSA',
  'TXT',
]);

test.each(vectors.filter(({ type, text }) => foreign.has(type) && !text.includes('\\.')))(
  'dns-packet decodes and encodes $type $text alike',
  ({ type, hex }) => {
    const octets = parseHex(hex.replaceAll(' ', ''));
    if (!octets.ok) throw new Error(octets.problem);
    const { value } = octets;
    const withLength = new Uint8Array([value.length >>> 8, value.length & 0xff, ...value]);
    const codec = dnsPacket.record(type);
    const again = new Uint8Array(codec.encode(codec.decode(Buffer.from(withLength), 0)));
    expect(formatHex(canonicalRdata(parseRecordType(type)!, again.subarray(2)))).toBe(
      formatHex(canonicalRdata(parseRecordType(type)!, value)),
    );
  },
);
