import { afterEach, expect, test } from 'vitest';
import type { AwsCredentials } from './aws-credentials.ts';
import { route53Source } from './route53-source.ts';
import {
  refusal,
  standInKey,
  startRoute53,
  type Route53StandIn,
  type StandInZone,
} from './route53-stand-in.test-support.ts';

let server: Route53StandIn;
afterEach(() => {
  server.close();
});

function recordSet(name: string, type: string, members: string): string {
  return `<ResourceRecordSet><Name>${name}</Name><Type>${type}</Type>${members}</ResourceRecordSet>`;
}

function plainSet(name: string, type: string, ...values: string[]): string {
  const records = values.map((value) => `<ResourceRecord><Value>${value}</Value></ResourceRecord>`).join('');
  return recordSet(name, type, `<TTL>300</TTL><ResourceRecords>${records}</ResourceRecords>`);
}

const weighted = (identifier: string, address: string): string =>
  recordSet(
    'w.example.com.',
    'A',
    `<SetIdentifier>${identifier}</SetIdentifier><Weight>3</Weight><TTL>60</TTL><ResourceRecords><ResourceRecord><Value>${address}</Value></ResourceRecord></ResourceRecords>`,
  );

/** In the order of Route 53: by name from the right, then by type. */
const zones: readonly StandInZone[] = [
  {
    id: 'Z1D633PJN98FT9',
    name: 'example.com.',
    sets: [
      recordSet(
        'example.com.',
        'A',
        '<AliasTarget><HostedZoneId>Z2FDTNDATAQYW2</HostedZoneId><DNSName>d111111abcdef8.cloudfront.net.</DNSName><EvaluateTargetHealth>false</EvaluateTargetHealth></AliasTarget>',
      ),
      plainSet('example.com.', 'MX', '10 mx1.example.com', '20 mx2.example.net.'),
      plainSet('example.com.', 'NS', 'ns-2048.awsdns-64.com.'),
      plainSet(
        'example.com.',
        'SOA',
        'ns-2048.awsdns-64.com. hostmaster.awsdns.com. 1 7200 900 1209600 86400',
      ),
      plainSet('example.com.', 'TXT', '&quot;a &amp; b &lt;c&gt;&quot; &#34;caf\\303\\251&#x22;'),
      plainSet('\\052.example.com.', 'AAAA', '2001:db8::1'),
      plainSet('a\\100b.example.com.', 'A', '192.0.2.9'),
      weighted('one', '192.0.2.1'),
      weighted('two &amp; (three)', '192.0.2.2'),
      plainSet('www.example.com.', 'CNAME', 'example.com'),
    ],
  },
  { id: 'Z2PRIVATE', name: 'corp.example.', isPrivate: true, sets: [] },
  { id: 'Z3TWICE', name: 'twice.example.', sets: [] },
  { id: 'Z4TWICE', name: 'twice.example.', sets: [] },
  {
    id: 'Z5REVERSE',
    name: '0\\05726.2.0.192.in-addr.arpa.',
    sets: [plainSet('1.0\\05726.2.0.192.in-addr.arpa.', 'PTR', 'one.example.com')],
  },
];

async function load(wanted?: readonly string[], credentials: AwsCredentials = standInKey) {
  const said: string[] = [];
  const source = route53Source({ url: server.url, credentials, requestIntervalMs: 0 }, wanted);
  const listed = await source.list((sentence) => said.push(sentence));
  const loaded = await Promise.all(
    listed.map(async (zone) => {
      const loadedZone = await zone.load().catch((error: unknown) => (error as Error).message);
      return [zone.domain, loadedZone] as const;
    }),
  );
  return { said, zones: Object.fromEntries(loaded) };
}

test('all pages of zones and record sets are requested with signatures', async () => {
  server = await startRoute53(zones);
  const { said, zones: loaded } = await load();
  expect(Object.keys(loaded)).toEqual(['example.com', 'twice.example', '0/26.2.0.192.in-addr.arpa']);
  expect(said).toEqual(['skipped private zones of Route 53: corp.example']);
  expect(loaded['example.com']).toMatchObject({
    skipped: [
      { record: 'example.com. IN A ALIAS d111111abcdef8.cloudfront.net.' },
      {
        record: 'w.example.com. IN A 192.0.2.1',
        reason: expect.stringContaining('set one is weighted') as string,
      },
      {
        record: 'w.example.com. IN A 192.0.2.2',
        reason: expect.stringContaining('set two & (three)') as string,
      },
    ],
  });
  const { text } = loaded['example.com'] as { text: string };
  expect(
    text
      .trim()
      .split('\n')
      .map((line) => line.replace(/ +/g, ' ')),
  ).toEqual([
    '$ORIGIN example.com.',
    '@ 300 IN MX 10 mx1.example.com.',
    '@ 300 IN MX 20 mx2.example.net.',
    '@ 300 IN NS ns-2048.awsdns-64.com.',
    '@ 300 IN SOA ns-2048.awsdns-64.com. hostmaster.awsdns.com. 1 7200 900 1209600 86400',
    '@ 300 IN TXT "a & b <c>" "caf\\195\\169"',
    '* 300 IN AAAA 2001:db8::1',
    'a\\@b 300 IN A 192.0.2.9',
    'www 300 IN CNAME example.com.',
  ]);
  expect(server.asked.filter((path) => path.startsWith('/2013-04-01/hostedzone?'))).toEqual([
    '/2013-04-01/hostedzone?maxitems=100',
    '/2013-04-01/hostedzone?maxitems=100&marker=Z3TWICE',
    '/2013-04-01/hostedzone?maxitems=100&marker=Z5REVERSE',
  ]);
  expect(server.asked).toContain(
    '/2013-04-01/hostedzone/Z1D633PJN98FT9/rrset?maxitems=300&name=w.example.com.&type=A&identifier=two%20%26%20%28three%29',
  );
});

test('an ambiguous name, a private zone and a missing zone are reported differently', async () => {
  server = await startRoute53(zones);
  const { zones: loaded } = await load(['twice.example', 'corp.example', 'gone.example']);
  expect(loaded).toMatchObject({
    'twice.example': expect.stringContaining(
      '2 public zones of this name (Z3TWICE, Z4TWICE): export',
    ) as string,
    'corp.example': expect.stringContaining('private zones are not copied by name (Z2PRIVATE)') as string,
    'gone.example': expect.stringMatching(
      /^the Route 53 account at .* does not have gone\.example$/,
    ) as string,
  });
});

test('a busy or temporarily broken Route 53 is asked again with a new signature', async () => {
  server = await startRoute53(zones.slice(4));
  server.prepared.push(
    refusal(400, 'Throttling', 'Rate exceeded'),
    refusal(503, 'ServiceUnavailable', 'unavailable'),
    refusal(400, 'PriorRequestNotComplete', 'still processing'),
  );
  expect(Object.keys((await load()).zones)).toEqual(['0/26.2.0.192.in-addr.arpa']);
  expect(server.asked).toHaveLength(5);
});

test.each([
  [
    'a key that is unknown',
    403,
    'InvalidClientTokenId',
    'is invalid',
    5,
    'Amazon does not know the access key',
  ],
  ['a wrong secret', 403, 'SignatureDoesNotMatch', 'we calculated', 5, 'secret key does not match'],
  ['the clock', 403, 'SignatureDoesNotMatch', 'Signature expired: 2 is earlier than', 5, 'the clock of this'],
  ['the clock', 403, 'SignatureDoesNotMatch', 'Signature not yet current: 2', 5, 'the clock of this machine'],
  ['a token', 403, 'ExpiredToken', 'is expired', 5, 'the session token of the access key "AKIDEXAMPLE" has'],
  ['permissions', 403, 'AccessDenied', 'User is not', 5, 'it needs the permissions route53:ListHostedZones'],
])('a refusal because of %s is explained: %d %s %s', async (_, status, code, message, exitCode, sentence) => {
  server = await startRoute53([]);
  server.prepared.push(refusal(status, code, message));
  await expect(load()).rejects.toMatchObject({
    exitCode,
    message: expect.stringContaining(sentence) as string,
  });
  expect(server.asked).toHaveLength(1);
});

test('a wrong secret and an unknown key are refused by the signature', async () => {
  server = await startRoute53(zones);
  const wrong = (change: Partial<AwsCredentials>) => load(undefined, { ...standInKey, ...change });
  await expect(wrong({ secretAccessKey: 'wrong' })).rejects.toThrow('secret key does not match');
  await expect(wrong({ accessKeyId: 'AKIDOTHER' })).rejects.toThrow(
    'does not know the access key "AKIDOTHER"',
  );
  await expect(wrong({ sessionToken: 'lent' })).resolves.toBeDefined();
});

test.each([
  ['too much for ever', refusal(400, 'Throttling', 'Rate exceeded'), 6, 'Route 53 still answers Throttling'],
  [
    'no XML',
    { status: 200, body: '{"HostedZones": []}' },
    1,
    'answered 200 with a body that is not valid XML',
  ],
  ['XML without the list', { status: 200, body: '<Other>x</Other>' }, 1, 'a body that is not valid XML'],
  ['XML of another kind', { status: 200, body: '<a><b>x</b></a>' }, 1, 'without HostedZones'],
  ['the page of a portal', { status: 404, body: '<html>' }, 1, 'answered 404: no reason given'],
])('%s is a failure, not an empty account', async (_, answer, asked, sentence) => {
  server = await startRoute53([]);
  for (let attempt = 0; attempt < 6; attempt++) server.prepared.push(answer);
  await expect(load()).rejects.toThrow(sentence);
  expect(server.asked).toHaveLength(asked);
});
