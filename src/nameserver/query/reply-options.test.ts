import { decode } from 'dns-packet';
import { beforeAll, describe, expect, test } from 'vitest';
import { rcode, rrClass, rrType } from '../../dns/codes.ts';
import { lowerDomainName, parseDomainName, type DomainName } from '../../dns/name.ts';
import { ZoneMemory } from '../../zone/zone-memory.ts';
import { createZoneSpace } from '../../zone/zone-space.ts';
import { createAnswerer } from './query-pipeline.ts';
import type { Answerer, AnswerSettings } from './answerer.ts';
import { createRateTable } from './response-rate-limiter.ts';

// EDNS options and rate limiting through the whole pipeline. The cookies are those of RFC 9018 appendix A.
const baseSettings: AnswerSettings = {
  cookieSecret: Buffer.from('e5e973e5a6b2a43f48e7dc849e37bfcf', 'hex'),
  identifier: 'ns1',
  tcpIdleMs: 10_000,
};
const CLIENT = '198.51.100.100';
const NOW_MS = 1559731985_000;
const CLIENT_COOKIE = '2464c4abcf10c957';
const GOOD_COOKIE = '2464c4abcf10c957010000005cf79f111f8130c3eee29480';
const BAD_COOKIE = GOOD_COOKIE.replace(/80$/, '81');

const LONGEST_NAME = [63, 63, 63, 49].map((length) => 'x'.repeat(length)).join('.') + '.example.com';

let memory: SharedArrayBuffer;
beforeAll(() => {
  const zones = new ZoneMemory(createZoneSpace(2 ** 20, 1, 3));
  const apex = name('example.com');
  zones.host(apex);
  zones.host(name('cold.example'));
  const soa = { serial: 1, rdata: Uint8Array.of(0, 0, ...new Uint8Array(20)), ttl: 3600, negativeTtl: 300 };
  const a = { type: rrType.A, ttl: 60, rdatas: [Uint8Array.of(192, 0, 2, 1)] };
  const texts = Array.from({ length: 30 }, (_, i) =>
    Uint8Array.from(Buffer.from(`\x14text of 20 octets ${i + 10}`)),
  );
  zones.load({ apex, domainId: 1, account: '', soa }, [
    { owner: name('www.example.com'), sets: [a] },
    { owner: name('big.example.com'), sets: [{ type: rrType.TXT, ttl: 60, rdatas: texts }] },
    { owner: name('*.w.example.com'), sets: [a] },
    {
      owner: name('d.example.com'),
      sets: [{ type: rrType.DNAME, ttl: 60, rdatas: [name('w.example.com')] }],
    },
    {
      owner: name('s.example.com'),
      sets: [{ type: rrType.NS, ttl: 60, rdatas: [name('ns.s.example.com')] }],
    },
    { owner: name(LONGEST_NAME), sets: [a] },
  ]);
  memory = zones.space.memory;
});

function name(text: string): DomainName {
  const parsed = parseDomainName(text);
  if (!parsed.ok) throw new Error(parsed.problem);
  return lowerDomainName(parsed.value);
}

interface Ask {
  readonly name?: string;
  readonly type?: number;
  readonly class?: number;
  /** In hex; undefined: no EDNS in the query. */
  readonly options?: string;
  readonly payload?: number;
  readonly overTcp?: boolean;
  readonly client?: string;
  readonly hasNoQuestion?: boolean;
}

const option = (code: number, data: string): string =>
  Buffer.of(0, code, 0, data.length / 2).toString('hex') + data;
const cookie = (data: string): string => option(10, data);
const NSID = option(3, '');
const KEEPALIVE = option(11, '');

function packet(ask: Ask): Buffer {
  const question = [
    ...name(ask.name ?? 'www.example.com'),
    0,
    ask.type ?? rrType.A,
    0,
    ask.class ?? rrClass.IN,
  ];
  const options = Buffer.from(ask.options ?? '', 'hex');
  const payload = ask.payload ?? 1232;
  const opt = [0, 0, 41, payload >> 8, payload & 255, 0, 0, 0, 0, 0, options.length, ...options];
  const counts = [0, ask.hasNoQuestion === true ? 0 : 1, 0, 0, 0, 0, 0, ask.options === undefined ? 0 : 1];
  return Buffer.from([
    ...[0x12, 0x34, 0, 0, ...counts],
    ...(ask.hasNoQuestion === true ? [] : question),
    ...(ask.options === undefined ? [] : opt),
  ]);
}

interface Reply {
  readonly code: number;
  readonly answers: number;
  readonly truncated: boolean;
  /** In hex; undefined: no EDNS. */
  readonly options: string | undefined;
  readonly length: number;
}

/** @returns undefined if no answer is due */
function ask(answerer: Answerer, query: Ask, nowMs = NOW_MS): Reply | undefined {
  const buffer = new Uint8Array(70_000);
  const bytes = packet(query);
  buffer.set(bytes, 3);
  answerer.client.setText(query.client ?? CLIENT);
  answerer.enter(nowMs);
  const overTcp = query.overTcp ?? false;
  const length = answerer.answer(buffer, 3, bytes.length, overTcp ? 65_535 : 4096, overTcp);
  answerer.leave();
  return length === 0 ? undefined : readReply(Buffer.from(buffer.subarray(3, 3 + length)));
}

function readReply(octets: Buffer): Reply {
  const message = decode(octets);
  const opt = message.additionals.find(({ type }) => type === 'OPT') as
    { options: { code: number; data: Uint8Array }[]; extendedRcode: number } | undefined;
  const options = opt?.options.map(({ code, data }) => option(code, Buffer.from(data).toString('hex')));
  return {
    code: (octets[3] & 15) | ((opt?.extendedRcode ?? 0) << 4),
    answers: message.answers.length,
    truncated: message.flag_tc,
    options: options?.join(''),
    length: octets.length,
  };
}

const GOOD = cookie(GOOD_COOKIE);

test.each<[string, Ask, Partial<Reply>]>([
  ['without EDNS', {}, { code: 0, answers: 1, options: undefined }],
  ['with EDNS and no options', { options: '' }, { code: 0, answers: 1, options: '' }],
  [
    'a client cookie is answered with a complete cookie',
    { options: cookie(CLIENT_COOKIE) },
    { answers: 1, options: GOOD },
  ],
  ['a valid cookie is returned', { options: GOOD }, { code: 0, answers: 1, options: GOOD }],
  [
    'a query with an invalid server cookie is still answered',
    { options: cookie(BAD_COOKIE) },
    { code: 0, answers: 1, options: GOOD },
  ],
  [
    'a server cookie of another length',
    { options: cookie(`${CLIENT_COOKIE}${'00'.repeat(32)}`) },
    { code: 0, options: GOOD },
  ],
  [
    'only the first cookie counts',
    { options: cookie(CLIENT_COOKIE) + cookie('00') },
    { code: 0, options: GOOD },
  ],
  ['over TCP too', { options: cookie(CLIENT_COOKIE), overTcp: true }, { code: 0, options: GOOD }],
  ['a cookie of no octets', { options: cookie('') }, { code: rcode.FORMERR, answers: 0, options: '' }],
  ['a cookie of 7 octets', { options: cookie('00'.repeat(7)) }, { code: rcode.FORMERR, options: '' }],
  ['a cookie of 15 octets', { options: cookie('00'.repeat(15)) }, { code: rcode.FORMERR, options: '' }],
  ['a cookie of 41 octets', { options: cookie('00'.repeat(41)) }, { code: rcode.FORMERR, options: '' }],
  ['an option longer than its record', { options: 'fffe0003aabb' }, { code: rcode.FORMERR }],
  ['half an option', { options: '000a00' }, { code: rcode.FORMERR }],
  ['unknown options', { options: 'fffe0003aabbcc' }, { code: 0, answers: 1, options: '' }],
  ['NSID', { options: NSID }, { answers: 1, options: option(3, '6e7331') }],
  ['NSID with data, which is ignored', { options: option(3, 'ff') }, { options: option(3, '6e7331') }],
  ['keepalive over TCP: 10 seconds', { options: KEEPALIVE, overTcp: true }, { options: option(11, '0064') }],
  ['keepalive over UDP is ignored', { options: KEEPALIVE }, { code: 0, options: '' }],
  [
    'all options together',
    { options: KEEPALIVE + NSID + cookie(CLIENT_COOKIE), overTcp: true, name: 'www.example.net' },
    { code: rcode.REFUSED, options: GOOD + option(3, '6e7331') + option(11, '0064') + option(15, '0014') },
  ],
  [
    'a name that is not ours: not authoritative',
    { options: '', name: 'a.test' },
    { code: 5, options: option(15, '0014') },
  ],
  ['a name that is not ours, without EDNS', { name: 'a.test' }, { code: 5, options: undefined }],
  ['a transfer is refused for other reasons', { options: '', type: rrType.AXFR }, { code: 5, options: '' }],
])('%s', (_, query, reply) => {
  expect(ask(createAnswerer({ memory, reader: 0, settings: baseSettings }), query)).toMatchObject(reply);
});

test.each<[string, Ask, Partial<Reply>]>([
  [
    'a cookie is ignored without a secret',
    { options: cookie(CLIENT_COOKIE) },
    { code: 0, answers: 1, options: '' },
  ],
  ['NSID is not answered without an identifier', { options: NSID }, { code: 0, answers: 1, options: '' }],
  ['id.server is refused without an identifier', { name: 'id.server', type: 16, class: 3 }, { code: 5 }],
  [
    'a cookie alone is not a query without a secret',
    { options: cookie(CLIENT_COOKIE), hasNoQuestion: true },
    { code: 1 },
  ],
])('%s', (_, query, reply) => {
  expect(ask(createAnswerer({ memory, reader: 0 }), query)).toMatchObject(reply);
});

test.each<[string, Ask, Partial<Reply>]>([
  ['a client cookie', { options: cookie(CLIENT_COOKIE) }, { code: 0, answers: 0, options: GOOD }],
  ['a good cookie', { options: GOOD }, { code: 0, options: GOOD }],
  ['a bad cookie', { options: cookie(BAD_COOKIE) }, { code: rcode.BADCOOKIE, options: GOOD }],
  ['no cookie', { options: NSID }, { code: rcode.FORMERR }],
  ['no EDNS', {}, { code: rcode.FORMERR, options: undefined }],
])('without a question, %s', (_, query, reply) => {
  const answerer = createAnswerer({ memory, reader: 0, settings: baseSettings });
  expect(ask(answerer, { ...query, hasNoQuestion: true })).toMatchObject(reply);
});

test.each<[string, Ask, Partial<Reply>]>([
  ['id.server', { name: 'ID.server' }, { code: 0, answers: 1 }],
  ['hostname.bind', { name: 'hostname.bind' }, { code: 0, answers: 1 }],
  ['id.server of another type', { name: 'id.server', type: rrType.A }, { code: rcode.REFUSED, answers: 0 }],
  ['version.bind', { name: 'version.bind' }, { code: rcode.REFUSED }],
  ['version.server', { name: 'version.server' }, { code: rcode.REFUSED }],
])('in class CHAOS, %s', (_, query, reply) => {
  const answerer = createAnswerer({ memory, reader: 0, settings: baseSettings });
  expect(ask(answerer, { type: rrType.TXT, class: rrClass.CH, ...query })).toMatchObject(reply);
});

test('options keep their room even if the answer fills the rest', () => {
  const settings = { ...baseSettings, identifier: 'i'.repeat(128) };
  const answerer = createAnswerer({ memory, reader: 0, settings });
  const options = cookie(CLIENT_COOKIE) + NSID;
  for (let payload = 512; payload < 1232; payload += 7) {
    for (const asked of ['big.example.com', 'www.example.com', LONGEST_NAME]) {
      const query = { name: asked, type: asked.startsWith('big') ? rrType.TXT : rrType.A, options, payload };
      const reply = ask(answerer, query);
      expect(reply?.options).toBe(GOOD + option(3, '69'.repeat(128)));
      expect(reply?.length).toBeLessThanOrEqual(payload);
    }
  }
});

test('SERVFAIL says that the server is not ready', () => {
  const answerer = createAnswerer({ memory, reader: 0, settings: baseSettings });
  const buffer = new Uint8Array(4096);
  const bytes = packet({ name: 'cold.example', options: cookie(CLIENT_COOKIE) });
  buffer.set(bytes);
  answerer.client.setText(CLIENT);
  answerer.enter(NOW_MS);
  const length = answerer.fail(buffer, 0, bytes.length, rcode.SERVFAIL, false);
  const reply = readReply(Buffer.from(buffer.subarray(0, length)));
  expect(reply).toMatchObject({ code: rcode.SERVFAIL, options: GOOD + option(15, '000e') });
});

describe('above the rate', () => {
  /** A pipeline limited to ten responses per second that has sent so many equal responses that the next is limited. */
  function limited(flood: Ask): Answerer {
    const rateLimit = { perSecond: 10, table: createRateTable() };
    const answerer = createAnswerer({ memory, reader: 0, settings: { ...baseSettings, rateLimit } });
    for (let i = 0; i < 40; i++) ask(answerer, flood);
    return answerer;
  }

  test.each<[string, Ask, Partial<Reply>]>([
    [
      'an answer slips through empty and truncated',
      {},
      { code: 0, answers: 0, truncated: true, options: undefined },
    ],
    ['with EDNS too', { options: NSID }, { code: 0, answers: 0, truncated: true, options: '' }],
    [
      'a client cookie gets BADCOOKIE',
      { options: cookie(CLIENT_COOKIE) },
      { code: rcode.BADCOOKIE, answers: 0, truncated: false, options: GOOD },
    ],
    [
      'a bad cookie gets BADCOOKIE',
      { options: cookie(BAD_COOKIE) },
      { code: rcode.BADCOOKIE, options: GOOD },
    ],
    [
      'NXDOMAIN becomes an empty, truncated answer',
      { name: 'no.example.com' },
      { code: 0, answers: 0, truncated: true },
    ],
    [
      'REFUSED stays, without a reason',
      { name: 'a.test', options: '' },
      { code: rcode.REFUSED, truncated: false, options: '' },
    ],
  ])('%s', (_, query, reply) => {
    const answerer = limited(query);
    expect(ask(answerer, query)).toBe(undefined);
    expect(ask(answerer, query)).toMatchObject(reply);
    expect(ask(answerer, query)).toBe(undefined);
  });

  test.each<[string, Ask]>([
    ['over TCP', { overTcp: true }],
    ['with a good cookie', { options: GOOD }],
    ['from this machine', { client: '127.0.0.1' }],
    ['from this machine over IPv6', { client: '::1' }],
  ])('no client is limited %s', (_, query) => {
    const answerer = limited({});
    for (let i = 0; i < 50; i++)
      expect(ask(answerer, query)).toMatchObject({ code: 0, answers: 1, truncated: false });
  });

  test.each<[string, (i: number) => Ask]>([
    ['the same name', () => ({})],
    ['names that match a wildcard', (i) => ({ name: `n${i}.w.example.com` })],
    ['names below a DNAME', (i) => ({ name: `n${i}.d.example.com` })],
    ['names below a delegation', (i) => ({ name: `n${i}.s.example.com` })],
    ['names that do not exist', (i) => ({ name: `n${i}.example.com` })],
    [
      'missing types and names',
      (i) => ({ name: i % 2 === 0 ? 'www.example.com' : `n${i}.example.com`, type: 16 }),
    ],
    ['names that are not ours', (i) => ({ name: `n${i}.test` })],
    ['broken queries', (i) => ({ name: `n${i}.test`, options: '00' })],
  ])('%s are one class', (_, query) => {
    const rateLimit = { perSecond: 10, table: createRateTable() };
    const answerer = createAnswerer({ memory, reader: 0, settings: { ...baseSettings, rateLimit } });
    const replies = Array.from({ length: 40 }, (_, i) => ask(answerer, query(i)));
    expect(replies.slice(0, 10).every((reply) => reply !== undefined)).toBe(true);
    expect(replies.slice(10).filter((reply) => reply !== undefined)).toHaveLength(15);
  });

  test.each(['no.example.com', 'x.s.example.com', 'x.d.example.com', 'x.w.example.com', 'a.test'])(
    'a flood for %s does not affect other queries',
    (flooded) => {
      const answerer = limited({ name: flooded });
      const others = ['no.example.com', 'x.s.example.com', 'x.d.example.com', 'x.w.example.com', 'a.test'];
      for (const asked of [...others, 'example.com', 'www.example.com']) {
        const reply = ask(answerer, { name: asked, type: asked === 'example.com' ? rrType.SOA : rrType.A });
        if (asked !== flooded) expect(reply).toMatchObject({ truncated: false });
      }
    },
  );

  test('responses to a flood are smaller than its queries, whatever it asks for', () => {
    const floods: Ask[] = [
      { name: 'big.example.com', type: rrType.TXT, options: '' },
      { name: 'no.example.com', options: cookie(CLIENT_COOKIE) },
      { name: 'a.test', options: NSID },
      { options: cookie(CLIENT_COOKIE), hasNoQuestion: true },
    ];
    for (const flood of floods) {
      const rateLimit = { perSecond: 200, table: createRateTable() };
      const answerer = createAnswerer({ memory, reader: 0, settings: { ...baseSettings, rateLimit } });
      let received = 0;
      for (let i = 0; i < 20_000; i++) received += ask(answerer, flood, NOW_MS + i)?.length ?? 0;
      expect(received).toBeLessThan(20_000 * packet(flood).length);
    }
  });
});
