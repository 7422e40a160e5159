import { expect, test } from 'vitest';
import { createDomain, createRecord, postRecord } from '../harness/fixtures.ts';
import { startForFile } from '../harness/service.ts';

const service = await startForFile();

/** Type, its number, data, and the RDATA that DNS must serve (hex, names uncompressed). */
const types: [string, number, string, string][] = [
  ['A', 1, '192.0.2.1', 'c0000201'],
  ['AAAA', 28, '2001:db8::1', '20010db8000000000000000000000001'],
  ['AFSDB', 18, '1 db.example', '0001026462076578616d706c6500'],
  ['APL', 42, '1:192.168.32.0/21 !1:192.168.38.0/28', '00011503c0a8200001' + '1c83c0a826'],
  ['CAA', 257, '0 issue "ca.example; x=1"', '00056973737565' + '63612e6578616d706c653b20783d31'],
  ['CDNSKEY', 60, '0 3 0 AA==', '0000030000'],
  ['CDS', 59, '0 0 0 00', '0000000000'],
  ['CERT', 37, 'PKIX 0 0 AQID', '0001000000' + '010203'],
  ['CSYNC', 62, '66 3 A NS AAAA', '000000420003' + '0004' + '60000008'],
  ['DSYNC', 66, 'CDS NOTIFY 5359 s.example.', '003b0114ef' + '0173076578616d706c6500'],
  [
    'DHCID',
    49,
    'AAIBY2/AuCccgoJbsaxcQc9TUapptP69lOjxfNuVAA2kjEA=',
    '000201636fc0b8271c82825bb1ac5c41cf5351aa69b4febd94e8f17cdb95000da48c40',
  ],
  ['DNAME', 39, 'target.example', '06746172676574076578616d706c6500'],
  [
    'DS',
    43,
    '60485 5 1 2BB183AF5F22588179A53B0A98631FAD1A292118',
    'ec4505012bb183af5f22588179a53b0a98631fad1a292118',
  ],
  ['EUI48', 108, '00-00-5e-00-53-2a', '00005e00532a'],
  ['EUI64', 109, '00-00-5e-ef-10-00-00-2a', '00005eef1000002a'],
  ['HINFO', 13, 'PC Linux', '025043054c696e7578'],
  ['HTTPS', 65, '1 . alpn=h2', '000100' + '0001' + '0003' + '026832'],
  [
    'IPSECKEY',
    45,
    '10 1 2 192.0.2.38 AQNRU3mG7TVTO2BkR47usntb102uFJtugbo6BSGvgqt4AQ==',
    '0a0102c0000226' + '0103515379' + '86ed35533b6064478eeeb27b5bd74dae149b6e81ba3a0521af82ab7801',
  ],
  ['L32', 105, '10 10.1.2.0', '000a0a010200'],
  ['L64', 106, '10 2001:0DB8:1140:1000', '000a20010db811401000'],
  ['LOC', 29, '42 21 54 N 71 06 18 W -24m 30m', '00331613' + '89172dd0' + '70be15f0' + '00988d20'],
  ['LP', 107, '10 l64.example', '000a036c3634076578616d706c6500'],
  [
    'NAPTR',
    35,
    '100 50 "s" "http" "" www.example',
    '00640032' + '0173' + '0468747470' + '00' + '03777777076578616d706c6500',
  ],
  ['NID', 104, '10 0014:4fff:ff20:ee64', '000a00144fffff20ee64'],
  ['OPENPGPKEY', 61, 'AQID', '010203'],
  ['RP', 17, 'admin.example .', '0561646d696e076578616d706c65' + '0000'],
  ['SMIMEA', 53, '3 0 0 0a0b', '0300000a0b'],
  ['SPF', 99, '"v=spf1 -all"', '0b763d73706631202d616c6c'],
  [
    'SSHFP',
    44,
    '2 1 123456789abcdef67890123456789abcdef67890',
    '0201123456789abcdef67890123456789abcdef67890',
  ],
  ['SVCB', 64, '16 foo.example port=53', '0010' + '03666f6f076578616d706c6500' + '000300020035'],
  [
    'TLSA',
    52,
    '0 0 1 d2abde240d7cd3ee6b4b28c54df034b97983a1d16e8a410e4561cb106618e971',
    '000001d2abde240d7cd3ee6b4b28c54df034b97983a1d16e8a410e4561cb106618e971',
  ],
  ['TXT', 16, '"a" "b"', '026162'],
  [
    'URI',
    256,
    '10 1 "ftp://ftp.example/public"',
    '000a0001' + '6674703a2f2f6674702e6578616d706c652f7075626c6963',
  ],
  ['WALLET', 262, 'BTC abc', '03425443' + '03616263'],
  [
    'ZONEMD',
    63,
    '2018031900 1 1 c68090d90a7aed716bc459f9340e3d7c1370d4d24b7e2fc3a1ddc0b9a87153b9a9713b3c9ae5cc27777f98b8e730044c',
    '7848b91c0101c68090d90a7aed716bc459f9340e3d7c1370d4d24b7e2fc3a1ddc0b9a87153b9a9713b3c9ae5cc27777f98b8e730044c',
  ],
  ['TYPE65280', 65280, '\\# 4 0a000001', '0a000001'],
  ['TYPE65280', 65280, '\\# 0', ''],
  ['TYPE731', 731, '\\# 6 abcdef 01 23 45', 'abcdef012345'],
];

test.each(types)('rule 20: %s (%i) with data %j is accepted and served', async (type, number, data, hex) => {
  const domain = await createDomain(service);
  const name = type === 'ZONEMD' ? '' : 'x';
  const record = await createRecord(service, domain, { type, name, data });
  expect(record.type).toBe(type);
  const { answers } = await service.dns.ask(name === '' ? domain : `x.${domain}`, number);
  expect(answers.map(({ rdata }) => rdata.toString('hex'))).toEqual([hex]);
  const again = await postRecord(service, domain, record);
  expect([again.status, again.json.record]).toEqual([200, record]);
});

/** Types whose names may be compressed, as dns-packet decodes them. */
const compressible: [string, string, string][] = [
  ['CNAME', 'target.example', 'target.example'],
  ['MX', '10 mail.example', '10 mail.example'],
  ['NS', 'ns.example', 'ns.example'],
  ['PTR', 'host.example', 'host.example'],
  ['SRV', '1 2 3 sip.example', '1 2 3 sip.example'],
];

test.each(compressible)('rule 20: %s with data %j is accepted and served', async (type, data, served) => {
  const domain = await createDomain(service);
  await createRecord(service, domain, { type, name: type === 'NS' ? '' : 'x', data });
  const seen = await service.dns.look(type === 'NS' ? domain : `x.${domain}`, type);
  expect(seen).toContain(served);
});

test('rule 20: KX with preference and host is accepted and served', async () => {
  const domain = await createDomain(service);
  await createRecord(service, domain, { type: 'KX', name: 'x', data: '10 kx.example' });
  const { answers } = await service.dns.ask(`x.${domain}`, 36);
  expect(answers[0].rdata.toString('hex')).toBe('000a026b78076578616d706c6500');
});

test.each([
  ['A', '\\# 4 c0000201', 1, 'c0000201'],
  ['TYPE1', '\\# 4 C0000201', 1, 'c0000201'],
  ['TYPE1', '192.0.2.1', 1, 'c0000201'],
  ['TXT', '\\# 3 026162', 16, undefined],
])('rule 20: %s with data %j is accepted', async (type, data, number, hex) => {
  const domain = await createDomain(service);
  await createRecord(service, domain, { type, name: 'x', data });
  const { answers } = await service.dns.ask(`x.${domain}`, number);
  if (hex === undefined) expect(answers).toHaveLength(1);
  else expect(answers.map(({ rdata }) => rdata.toString('hex'))).toEqual([hex]);
});
