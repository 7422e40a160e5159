import { expect, test } from 'vitest';
import { lowerDomainName, parseDomainName, type DomainName } from '../../dns/name.ts';
import { rcode } from '../../dns/codes.ts';
import { ZoneMemory } from '../../zone/zone-memory.ts';
import { createZoneSpace } from '../../zone/zone-space.ts';
import { createAnswerer } from './query-pipeline.ts';
import { createQueryCounts, QueryCounters, readQueryCounts, type QueryCounts } from './query-counters.ts';
import { createRateTable } from './response-rate-limiter.ts';

function name(text: string): DomainName {
  const parsed = parseDomainName(text);
  if (!parsed.ok) throw new Error(parsed.problem);
  return lowerDomainName(parsed.value);
}

function query(asked: string, type: number): number[] {
  return [0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, ...name(asked), type >> 8, type & 255, 0, 1];
}

/** A pipeline for example.com, with `cold.example` hosted but not loaded, and a TXT set too large for UDP. */
function setUp(perSecond?: number) {
  const zones = new ZoneMemory(createZoneSpace(2 ** 20, 1, 3));
  const apex = name('example.com');
  zones.host(apex);
  zones.host(name('cold.example'));
  const soa = { serial: 1, rdata: Uint8Array.of(0, 0, ...new Uint8Array(20)), ttl: 3600, negativeTtl: 300 };
  const a = { type: 1, ttl: 60, rdatas: [Uint8Array.of(192, 0, 2, 1)] };
  const big = {
    type: 16,
    ttl: 60,
    rdatas: [0, 1, 2, 3].map((i) => Uint8Array.of(200, ...new Array<number>(200).fill(i))),
  };
  zones.load({ apex, domainId: 1, account: '', soa }, [{ owner: apex, sets: [a, big] }]);
  const memory = createQueryCounts(2);
  const answerer = createAnswerer({
    memory: zones.space.memory,
    reader: 0,
    settings: {
      identifier: '',
      tcpIdleMs: 0,
      rateLimit: perSecond === undefined ? undefined : { perSecond, table: createRateTable() },
    },
    counters: new QueryCounters(memory, 1),
  });
  const buffer = new Uint8Array(65_535);
  const ask = (bytes: readonly number[], overTcp = false, isAfterWait = false): number => {
    buffer.set(bytes);
    answerer.client.setText('192.0.2.7');
    answerer.enter(0, isAfterWait);
    const length = answerer.answer(buffer, 0, bytes.length, overTcp ? 65_535 : 4096, overTcp);
    answerer.leave();
    return length;
  };
  const fail = (bytes: readonly number[]): number => {
    buffer.set(bytes);
    return answerer.fail(buffer, 0, bytes.length, rcode.SERVFAIL, false);
  };
  return { ask, fail, counts: () => readQueryCounts(memory) };
}

/** The counts that are not zero, one line each. */
function lines(counts: QueryCounts): string[] {
  const { queries, answers, events, byWorker } = counts;
  return [
    ...queries.map(({ type, transport, count }) => `${transport} ${type} ${count}`),
    ...answers.map(({ code, transport, count }) => `${transport} ${code} ${count}`),
    ...Object.entries(events).map(([event, count]) => `${event} ${count}`),
    `workers ${byWorker.join(' ')}`,
  ].filter((line) => !line.endsWith(' 0'));
}

const A = query('example.com', 1);

const rows: [string, (nameserver: ReturnType<typeof setUp>) => void, string[]][] = [
  ['nothing', () => undefined, []],
  [
    'types and codes by transport',
    ({ ask }) => {
      for (let i = 0; i < 3; i++) ask(A);
      ask(query('nothing.example.com', 28));
      ask(A, true);
      ask(query('example.org', 16));
    },
    [
      'udp A 3',
      'udp TXT 1',
      'udp AAAA 1',
      'tcp A 1',
      'udp NOERROR 3',
      'udp NXDOMAIN 1',
      'udp REFUSED 1',
      'tcp NOERROR 1',
      'zoneHit 5',
      'workers 0 6',
    ],
  ],
  [
    'types without a name or without a place of their own together',
    ({ ask }) => {
      for (const type of [300, 511, 512, 65_280, 65_535]) ask(query('example.com', type));
    },
    ['udp other 5', 'udp NOERROR 5', 'zoneHit 5', 'workers 0 5'],
  ],
  [
    'an unreadable question as one without a type, also after other queries',
    ({ ask }) => {
      ask(A);
      ask(A.slice(0, 20));
    },
    ['udp A 1', 'udp other 1', 'udp NOERROR 1', 'udp FORMERR 1', 'zoneHit 1', 'workers 0 2'],
  ],
  [
    'no query for packets that deserve no answer',
    ({ ask, fail }) => {
      ask(A.slice(0, 11));
      ask([0, 1, 0x80, ...A.slice(3)]);
      fail(A.slice(0, 11));
    },
    ['malformed 3'],
  ],
  [
    'codes that need EDNS',
    ({ ask }) => ask([...A.slice(0, 11), 1, ...A.slice(12), 0, 0, 41, 4, 208, 0, 1, 0, 0, 0, 0]),
    ['udp A 1', 'udp BADVERS 1', 'workers 0 1'],
  ],
  [
    'an answer that did not fit over UDP',
    ({ ask }) => {
      ask(query('example.com', 16));
      ask(query('example.com', 16), true);
    },
    ['udp TXT 1', 'tcp TXT 1', 'udp NOERROR 1', 'tcp NOERROR 1', 'truncated 1', 'zoneHit 2', 'workers 0 2'],
  ],
  [
    'a query that waits for its zone only once, when it is answered',
    ({ ask, fail }) => {
      ask(query('cold.example', 1));
      ask(query('cold.example', 1));
      ask(query('cold.example', 1), false, true);
      fail(query('cold.example', 1));
      ask(A, false, true);
    },
    ['udp A 2', 'udp NOERROR 1', 'udp SERVFAIL 1', 'zoneWait 2', 'workers 0 2'],
  ],
];

test.each(rows)('counts %s', (_, ask, expected) => {
  const nameserver = setUp();
  ask(nameserver);
  expect(lines(nameserver.counts())).toEqual(expected);
});

test('counts responses over the rate as dropped or slipped', () => {
  const { ask, counts } = setUp(10);
  const lengths = Array.from({ length: 60 }, () => ask(A));
  const dropped = lengths.filter((length) => length === 0).length;
  const slipped = lengths.filter((length) => length === A.length).length;
  expect(dropped).toBeGreaterThan(10);
  expect(slipped).toBeGreaterThan(10);
  expect(lines(counts())).toEqual([
    'udp A 60',
    `udp NOERROR ${60 - dropped}`,
    `rateLimited ${dropped}`,
    `slipped ${slipped}`,
    'zoneHit 60',
    'workers 0 60',
  ]);
});

test('counts of all workers are summed and also reported per worker', () => {
  const memory = createQueryCounts(3);
  for (const worker of [0, 2, 2]) new QueryCounters(memory, worker).countQuery(1, worker === 0);
  expect(lines(readQueryCounts(memory))).toEqual(['udp A 2', 'tcp A 1', 'workers 1 0 2']);
});

test('a replacement continues with the counts of its predecessor', () => {
  const memory = createQueryCounts(1);
  for (let life = 0; life < 3; life++) new QueryCounters(memory, 0).countAnswer(rcode.SERVFAIL, false);
  expect(lines(readQueryCounts(memory))).toContain('udp SERVFAIL 3');
});
