import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { lowerDomainName, parseDomainName, type DomainName } from '../../dns/name.ts';
import { ZoneMemory } from '../../zone/zone-memory.ts';
import { createZoneSpace } from '../../zone/zone-space.ts';
import { createAnswerer } from './query-pipeline.ts';
import { NEEDS_ZONE, type Answerer } from './answerer.ts';

let answerer: Answerer;

beforeAll(() => {
  const zones = new ZoneMemory(createZoneSpace(2 ** 20, 1, 3));
  const apex = name('example.com');
  zones.host(apex);
  zones.host(name('cold.example'));
  const soa = { serial: 1, rdata: Uint8Array.of(0, 0, ...new Uint8Array(20)), ttl: 3600, negativeTtl: 300 };
  const a = { type: 1, ttl: 60, rdatas: [Uint8Array.of(192, 0, 2, 1)] };
  zones.load({ apex, domainId: 1, account: '', soa }, [
    { owner: apex, sets: [a] },
    { owner: name('www.example.com'), sets: [a] },
    { owner: name('*.w.example.com'), sets: [a] },
    { owner: name('d.example.com'), sets: [{ type: 39, ttl: 60, rdatas: [apex] }] },
    { owner: name('s.example.com'), sets: [{ type: 2, ttl: 60, rdatas: [name('ns.s.example.com')] }] },
  ]);
  answerer = createAnswerer({ memory: zones.space.memory, reader: 0 });
});

function name(text: string): DomainName {
  const parsed = parseDomainName(text);
  if (!parsed.ok) throw new Error(parsed.problem);
  return lowerDomainName(parsed.value);
}

interface Shape {
  readonly flags?: number;
  readonly counts?: readonly number[];
  readonly qname?: readonly number[];
  readonly type?: number;
  readonly class?: number;
  readonly rest?: readonly number[];
}

const opt = [0, 0, 41, 4, 208, 0, 0, 0, 0, 0, 0];

function packet(shape: Shape = {}): number[] {
  const [questions, answers, authorities, additionals] = shape.counts ?? [1, 0, 0, 0];
  const flags = shape.flags ?? 0x0100;
  return [
    ...[0x12, 0x34, flags >> 8, flags & 255, 0, questions, 0, answers, 0, authorities, 0, additionals],
    ...(shape.qname ?? name('www.example.com')),
    ...[0, shape.type ?? 1, 0, shape.class ?? 1],
    ...(shape.rest ?? []),
  ];
}

/** The reply's id, flags with response code, and counts in hex; or the result of `answer` if it is not a length. */
function replyHeader(bytes: readonly number[]): string | number {
  const buffer = new Uint8Array(4096 + 7);
  buffer.set(bytes, 7);
  answerer.enter(0);
  const length = answerer.answer(buffer, 7, bytes.length, 4096, false);
  answerer.leave();
  return length > 0 ? Buffer.from(buffer.subarray(7, 19)).toString('hex') : length;
}

const rows: [string, number[], string | number][] = [
  ['a plain query', packet(), '123485000001000100000000'],
  ['recursion not desired', packet({ flags: 0 }), '123484000001000100000000'],
  [
    'checking disabled is copied, other bits are cleared',
    packet({ flags: 0x0070 }),
    '123484100001000100000000',
  ],
  ['an answer gets no answer', packet({ flags: 0x8100 }), 0],
  ['less than a header gets no answer', packet().slice(0, 11), 0],
  ['NOTIFY is not implemented', packet({ flags: 0x2400 }), '1234a0040001000000000000'],
  ['an unassigned opcode is not implemented', packet({ flags: 0x7800 }), '1234f8040001000000000000'],
  [
    'a header alone with another opcode',
    packet({ flags: 0x1000, counts: [0, 0, 0, 0] }).slice(0, 12),
    '123490040000000000000000',
  ],
  ['no question', packet({ counts: [0, 0, 0, 0] }).slice(0, 12), '123481010000000000000000'],
  ['two questions', packet({ counts: [2, 0, 0, 0] }), '123481010000000000000000'],
  ['a question that ends early', packet().slice(0, 24), '123481010000000000000000'],
  ['a compressed question', packet({ qname: [0xc0, 12] }), '123481010000000000000000'],
  ['an answer section', packet({ counts: [1, 1, 0, 0] }), '123481010001000000000000'],
  ['missing additional records', packet({ counts: [1, 0, 0, 1] }), '123481010001000000000000'],
  ...(
    [
      ['a pointer to an earlier name', [0xc0, 12], 'NOERROR'],
      ['a pointer to itself', [0xc0, 33], 'FORMERR'],
      ['a pointer ahead', [0xc0, 35], 'FORMERR'],
      ['labels that end in a pointer to their start', [1, 0x61, 0xc0, 33], 'FORMERR'],
      ['a pointer beyond the message', [0xff, 0xff], 'FORMERR'],
      ['a label type that nobody uses', [0x40, 0], 'FORMERR'],
    ] as const
  ).map(([what, owner, code]): [string, number[], string] => [
    `the owner of an additional record: ${what}`,
    packet({ counts: [1, 0, 0, 1], rest: [...owner, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0] }),
    code === 'NOERROR' ? '123485000001000100000000' : '123481010001000000000000',
  ]),
  [
    'pointers that lead from one to the other without end',
    packet({
      counts: [1, 0, 0, 2],
      rest: [
        ...[0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 2, 0xc0, 45],
        ...[0xc0, 45, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0],
      ],
    }),
    '123481010001000000000000',
  ],
  [
    'NOTIFY with EDNS',
    packet({ flags: 0x2510, counts: [1, 0, 0, 1], rest: opt }),
    '1234a0040001000000000001',
  ],
  [
    'an update with EDNS behind its other records',
    packet({
      flags: 0x2800,
      counts: [1, 0, 1, 1],
      rest: [...[0xc0, 12, 0, 1, 0, 255, 0, 0, 0, 0, 0, 0], ...opt],
    }),
    '1234a8040001000000000001',
  ],
  ['EDNS', packet({ counts: [1, 0, 0, 1], rest: opt }), '123485000001000100000001'],
  ['EDNS twice', packet({ counts: [1, 0, 0, 2], rest: [...opt, ...opt] }), '123481010001000000000001'],
  [
    'EDNS version 1: BADVERS',
    packet({ counts: [1, 0, 0, 1], rest: [...opt.slice(0, 6), 1, ...opt.slice(7)] }),
    '123481000001000000000001',
  ],
  [
    'EDNS options longer than declared',
    packet({ counts: [1, 0, 0, 1], rest: [...opt.slice(0, 10), 9] }),
    '123481010001000000000000',
  ],
  ['bytes after the message are ignored', packet({ rest: [1, 2, 3] }), '123485000001000100000000'],
  ['a zone that is not ours', packet({ qname: [...name('www.example.net')] }), '123481050001000000000000'],
  ['the root', packet({ qname: [0] }), '123481050001000000000000'],
  ['class CH', packet({ class: 3 }), '123481050001000000000000'],
  ['AXFR', packet({ type: 252 }), '123481050001000000000000'],
  ['OPT asked for as a type', packet({ type: 41 }), '123481010001000000000000'],
  ['type 0', packet({ type: 0 }), '123481010001000000000000'],
  ['an unknown type', packet({ type: 200 }), '123485000001000000010000'],
  ['a hosted zone that is not in memory', packet({ qname: [...name('a.cold.example')] }), NEEDS_ZONE],
];

test.each(rows)('%s', (_, bytes, header) => {
  expect(replyHeader(bytes)).toBe(header);
});

test('neededZone() names the zone by its apex', () => {
  replyHeader(packet({ qname: [...name('a.b.COLD.example')] }));
  expect(answerer.neededZone()).toBe('cold.example');
});

test('BADVERS is encoded in the EDNS record', () => {
  const bytes = packet({ counts: [1, 0, 0, 1], rest: [...opt.slice(0, 6), 1, ...opt.slice(7)] });
  const buffer = new Uint8Array(4096);
  buffer.set(bytes);
  const length = answerer.answer(buffer, 0, bytes.length, 4096, false);
  expect([...buffer.subarray(length - 11, length)]).toEqual([0, 0, 41, 4, 208, 1, 0, 0, 0, 0, 0]);
});

test('a query that padding makes as long as a message can be is answered over TCP', () => {
  const head = packet({ counts: [1, 0, 0, 1], rest: opt.slice(0, 9) });
  const buffer = new Uint8Array(65_535);
  const options = buffer.length - head.length - 2;
  buffer.set([...head, options >> 8, options & 255, 0, 12, (options - 4) >> 8, (options - 4) & 255]);
  const length = answerer.answer(buffer, 0, buffer.length, buffer.length, true);
  expect(length).toBeLessThan(100);
  expect(Buffer.from(buffer.subarray(0, 12)).toString('hex')).toBe('123485000001000100000001');
});

test('fail() turns a query into an error reply with its question', () => {
  const bytes = packet({ counts: [1, 0, 0, 1], rest: opt });
  const buffer = new Uint8Array(4096);
  buffer.set(bytes);
  expect(answerer.fail(buffer, 0, bytes.length, 2, false)).toBe(bytes.length + 6);
  expect(Buffer.from(buffer.subarray(0, 12)).toString('hex')).toBe('123481020001000000000001');
  buffer.set(packet({ flags: 0x8000 }));
  expect(answerer.fail(buffer, 0, bytes.length, 2, false)).toBe(0);
});

const queries = [
  'x.d.example.com',
  'a.w.example.com',
  'y.s.example.com',
  'nothing.example.com',
  'EXAMPLE.com',
].map((text) => packet({ qname: [...name(text)], counts: [1, 0, 0, 1], rest: opt }));

test('any packet gets a well-formed reply: no exception, same id, answer bit set, within the limit', () => {
  const mutation = fc.record({ at: fc.nat(80), to: fc.nat(255) });
  const mutated = fc
    .tuple(fc.constantFrom(...queries), fc.array(mutation, { maxLength: 6 }), fc.nat(20))
    .map(([base, mutations, cut]) => {
      const bytes = [...base];
      for (const { at, to } of mutations) bytes[at % bytes.length] = to;
      return bytes.slice(0, bytes.length - (cut > 15 ? cut - 15 : 0));
    });
  fc.assert(
    fc.property(fc.oneof(mutated, fc.array(fc.nat(255), { maxLength: 100 })), (bytes) => {
      const buffer = new Uint8Array(4096);
      buffer.set(bytes);
      const length = answerer.answer(buffer, 0, bytes.length, 4096, false);
      if (length <= 0) return;
      expect(length).toBeGreaterThanOrEqual(12);
      expect(length).toBeLessThanOrEqual(1232);
      expect([...buffer.subarray(0, 2)]).toEqual(bytes.slice(0, 2));
      expect(buffer[2] & 0x80).toBe(0x80);
    }),
    { numRuns: 3000 },
  );
});
