// Every other record type: written through the API in presentation format, and decoded from wire format by dig and
// kdig.

import { expectAnswers, readDigOutput } from '../dig.ts';
import { expectEqual } from '../expect.ts';
import { runProgram } from '../run-program.ts';
import type { Suite } from '../suite.ts';

const ZONE = 'types.example';
const SHA256 = '123456789ABCDEF67890123456789ABCDEF67890123456789ABCDEF612345678';
const SHA384 =
  'FEBE3D4CE2EC2FFA4BA99D46CD69D6D29711E55217057BEE7EB1A7B641A47BA7FED2DD5B97AE499FAFA4F22C6BD647DE';
const KEY = 'oJMRESz5E4gYzS/q6XDrvU1qMPYIjCWzJaOau8XNEZeqCYKD5ar0IRd8KqXXFJkqmVfRvMGPmM1x8fGAa2XhSA==';

/** Type, data as written, and dig's output if it differs. */
const rows: readonly (readonly [type: string, data: string, printed?: string])[] = [
  ['AFSDB', '1 afs.example.net.'],
  ['AMTRELAY', '10 1 3 relay.example.net.'],
  ['APL', '1:192.0.2.0/24 !2:2001:db8::/32'],
  ['CDNSKEY', `257 3 13 ${KEY}`],
  ['CDS', `27933 13 2 ${SHA256}`],
  ['CERT', 'PKIX 0 0 AQIDBA=='],
  ['CSYNC', '66 3 A NS AAAA'],
  ['DHCID', 'AAIBY2/AuCccgoJbsaxcQc9TUapptP69lOjxfNuVAA2kjEA='],
  ['DS', '60485 5 1 2BB183AF5F22588179A53B0A98631FAD1A292118'],
  ['EUI48', '00-00-5e-00-53-2a'],
  ['EUI64', '00-00-5e-ef-10-00-00-2a'],
  ['HINFO', '"PC-Intel-700mhz" "Redhat Linux 7.1"'],
  [
    'HIP',
    '2 200100107B1A74DF365639CC39F1D578 AwEAAbdxyhNuSutc5EMzxTs9LBPCIkOFH8cIvM4p9+LrV4e1 rvs.example.net.',
  ],
  ['HTTPS', '1 . alpn="h2,h3" ipv4hint=192.0.2.1 ipv6hint=2001:db8::1'],
  ['IPSECKEY', '10 1 2 192.0.2.38 AQNRU3mG7TVTO2BkR47usntb102uFJtugbo6BSGvgqt4AQ=='],
  ['KX', '10 kx.example.net.'],
  ['L32', '10 10.1.2.0'],
  ['L64', '10 2001:0db8:1140:1000', '10 2001:db8:1140:1000'],
  [
    'LOC',
    '52 22 23.000 N 4 53 32.000 E -2.00m 1.00m 10000m 10m',
    '52 22 23.000 N 4 53 32.000 E -2.00m 1m 10000m 10m',
  ],
  ['LP', '10 l64.example.net.'],
  ['NAPTR', '100 50 "s" "z3950+I2L+I2C" "" _z3950._tcp.example.net.'],
  ['NID', '10 0014:4fff:ff20:ee64', '10 14:4fff:ff20:ee64'],
  ['OPENPGPKEY', 'AQMFXxvCmZ2w'],
  ['PTR', 'host.example.net.'],
  ['RP', 'admin.example.net. info.example.net.'],
  ['SMIMEA', '3 0 0 ABCDEF01'],
  ['SPF', '"v=spf1 -all"'],
  ['SVCB', '1 svc.example.net. alpn="h2" port=8443'],
  ['TLSA', `3 1 1 ${SHA256}`],
  ['URI', '10 1 "ftp://ftp1.example.com/public"'],
  ['RESINFO', '"qnamemin" "exterr=15-17"'],
  ['WALLET', '"BTC" "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa"'],
  ['X25', '"311061700956"'],
  ['ZONEMD', `2018031500 1 1 ${SHA384}`],
  ['TYPE65280', '\\# 4 C0000201'],
];

/** Types that kdig does not know, which are queried by number. */
const KDIG_NAMES: Readonly<Record<string, string>> = {
  AMTRELAY: 'TYPE260',
  HIP: 'TYPE55',
  RESINFO: 'TYPE261',
  WALLET: 'TYPE262',
  X25: 'TYPE19',
};

export const recordTypesSuite: Suite = {
  name: 'record-types',
  run: async (runCase, { api, dig }) => {
    await api.mustSend('POST', '/v2/domains', { domain: ZONE });
    for (const [type, data, printed = data] of rows)
      await runCase(type, async () => {
        await create(type, data);
        await expectAnswers(dig, `${type}.${ZONE}`, type, [printed]);
        await askKdig(type);
        return printed.slice(0, 70);
      });

    async function create(type: string, data: string): Promise<void> {
      const wanted = { type, name: type, data, ttl: 300 };
      const { body } = await api.mustSend('POST', `/v2/domains/${ZONE}/records`, wanted);
      expectEqual([body.record?.type, body.record?.data], [type, data], 'type and data in the reply');
      const again = await api.send('POST', `/v2/domains/${ZONE}/records`, wanted);
      expectEqual([again.status, again.body.record?.id], [200, body.record?.id], `repeated: ${again.text}`);
    }

    /** kdig warns about rdata that it cannot read. */
    async function askKdig(type: string): Promise<void> {
      const asked = ['@127.0.0.1', '-p', `${dig.port}`, `${type}.${ZONE}`, KDIG_NAMES[type] ?? type];
      const { stdout, stderr } = await runProgram('kdig', asked);
      expectEqual(readDigOutput(stdout).answer.length, 1, `kdig ${asked.join(' ')}\n${stdout}${stderr}`);
      expectEqual(
        /WARNING|ERROR|malformed/i.test(stdout.replace('NOERROR', '') + stderr),
        false,
        stdout + stderr,
      );
    }
  },
};
