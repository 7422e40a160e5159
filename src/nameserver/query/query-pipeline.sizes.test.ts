import { decode } from 'dns-packet';
import { expect, test } from 'vitest';
import { rrType } from '../../dns/codes.ts';
import { lowerDomainName, parseDomainName, type DomainName } from '../../dns/name.ts';
import { MAX_RRSET_OCTETS } from '../../writes/check-placement.ts';
import type { RecordSet } from '../../zone/encode-record-set.ts';
import { ZoneMemory, type OwnerSets, type ZoneContent } from '../../zone/zone-memory.ts';
import { createZoneSpace } from '../../zone/zone-space.ts';
import { createAnswerer } from './query-pipeline.ts';

const soa = { serial: 1, rdata: new Uint8Array(22), ttl: 3600, negativeTtl: 300 };
const apex = name('example.com');
const content: ZoneContent = { apex, domainId: 1, account: '', soa };
const apexSets: OwnerSets = { owner: apex, sets: [set(rrType.NS, name('ns.example.net'))] };

function name(text: string): DomainName {
  const parsed = parseDomainName(text);
  if (!parsed.ok) throw new Error(parsed.problem);
  return lowerDomainName(parsed.value);
}

function set(type: number, ...rdatas: Uint8Array[]): RecordSet {
  return { type, ttl: 60, rdatas };
}

/** The TCP answers of a zone loaded with the owner's sets, and of a zone changed to have them. */
function answers(owner: string, type: number, sets: RecordSet[]): ReturnType<typeof decode>[] {
  const owners = [{ owner: name(owner), sets }];
  return ['loaded', 'changed'].map((way) => {
    const zones = new ZoneMemory(createZoneSpace(2 ** 23, 1, 11));
    zones.host(apex);
    expect(zones.load(content, way === 'loaded' ? [apexSets, ...owners] : [apexSets])).toBe(true);
    if (way === 'changed') expect(zones.update(content, owners)).toBe(true);
    const answerer = createAnswerer({ memory: zones.space.memory, reader: 0 });
    const buffer = new Uint8Array(65_535);
    const question = name(owner);
    buffer.set([0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, ...question, type >> 8, type & 255, 0, 1]);
    const length = answerer.answer(buffer, 0, 12 + question.length + 4, buffer.length, true);
    return decode(Buffer.from(buffer.subarray(0, length)));
  });
}

/** Maximum data octets of one record at `www.example.com`. */
const MOST_DATA_OCTETS = MAX_RRSET_OCTETS - 12 - name('www.example.com').length;

test('the largest record that can be stored is answered completely over TCP', () => {
  const data = new Uint8Array(MOST_DATA_OCTETS).fill(7);
  for (const message of answers('www.example.com', 65_280, [set(65_280, data)])) {
    expect(message.flag_tc).toBe(false);
    expect(message.answers.map((answer) => (answer.data as Buffer).length)).toEqual([data.length]);
  }
});

test('an RRset of thousands of records is answered completely over TCP', () => {
  const count = Math.floor(MAX_RRSET_OCTETS / 17);
  const rdatas = Array.from({ length: count }, (_, i) => Uint8Array.of(10, i >> 16, i >> 8, i));
  for (const message of answers('a.example.com', rrType.A, [set(rrType.A, ...rdatas)])) {
    expect(message.flag_tc).toBe(false);
    expect(message.answers).toHaveLength(count);
  }
});

test('hundreds of RRsets at one name are all found', () => {
  const types = Array.from({ length: 1_000 }, (_, i) => 1_000 + i);
  const sets = types.map((type) => set(type, Uint8Array.of(type >> 8, type)));
  for (const message of answers('www.example.com', rrType.ANY, sets))
    expect(message.answers.map(({ data }) => (data as Buffer).readUInt16BE())).toEqual(types);
});

test('the longest name has data', () => {
  const longest = [...['a', 'b', 'c'].map((letter) => letter.repeat(63)), 'd'.repeat(49), 'example.com'].join(
    '.',
  );
  expect(name(longest)).toHaveLength(255);
  for (const message of answers(longest, rrType.A, [set(rrType.A, Uint8Array.of(192, 0, 2, 1))]))
    expect(message.answers).toMatchObject([{ data: '192.0.2.1' }]);
});
