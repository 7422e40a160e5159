import { encode } from 'dns-packet';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatDomainName, parseDomainName } from '../name.ts';
import { formatRdata } from '../rdata/rdata.ts';
import { formatRecordType } from '../rdata/record-type-registry.ts';
import { readMessage } from './read-message.ts';
import { writeQuery } from './write-query.ts';

function answersOf(packet: object): string[] {
  const message = readMessage(encode({ type: 'response', flags: 0x0400, ...packet }));
  if (!message.ok) throw new Error(message.problem);
  return message.value.answers.map(
    ({ owner, ttl, type, rdata }) =>
      `${formatDomainName(owner)} ${ttl} ${formatRecordType(type)} ${formatRdata(type, rdata)}`,
  );
}

test('answers of another encoder are decoded', () => {
  expect(
    answersOf({
      questions: [{ name: 'www.example.com', type: 'A', class: 'IN' }],
      answers: [
        { name: 'www.example.com', type: 'CNAME', ttl: 5, class: 'IN', data: 'web.example.com' },
        { name: 'web.example.com', type: 'A', ttl: 6, class: 'IN', data: '192.0.2.1' },
        {
          name: 'example.com',
          type: 'MX',
          ttl: 7,
          class: 'IN',
          data: { preference: 10, exchange: 'mx.example.com' },
        },
        { name: 'example.com', type: 'TXT', ttl: 8, class: 'IN', data: ['a', 'b'] },
      ],
    }),
  ).toEqual([
    'www.example.com. 5 CNAME web.example.com.',
    'web.example.com. 6 A 192.0.2.1',
    'example.com. 7 MX 10 mx.example.com.',
    'example.com. 8 TXT "a" "b"',
  ]);
});

/** Header with one question and one answer, `0xc0 n` points into it; the question's name is at 12. */
function messageWith(type: number, rdata: readonly number[]): Uint8Array {
  const question = [1, 0x61, 1, 0x62, 0, 0, type, 0, 1];
  const answer = [0xc0, 12, 0, type, 0, 1, 0, 0, 0, 5, 0, rdata.length, ...rdata];
  return new Uint8Array([0, 7, 0x84, 0, 0, 1, 0, 1, 0, 0, 0, 0, ...question, ...answer]);
}

test.each([
  [
    'a SOA with two pointers',
    6,
    [0xc0, 12, 1, 0x63, 0xc0, 14, ...Array<number>(20).fill(0)],
    'a.b. c.b. 0 0 0 0 0',
  ],
  ['a SRV that should not be compressed', 33, [0, 1, 0, 2, 0, 3, 0xc0, 14], '1 2 3 b.'],
  ['an A', 1, [192, 0, 2, 1], '192.0.2.1'],
])('%s is uncompressed', (_, type, rdata, text) => {
  const message = readMessage(messageWith(type, rdata));
  expect(message.ok && message.value.answers.map((record) => formatRdata(type, record.rdata))).toEqual([
    text,
  ]);
});

test.each([
  ['a pointer to itself', 5, [0xc0, 33]],
  ['a pointer forwards', 5, [0xc0, 40, 0]],
  ['a label type that does not exist', 5, [0x80, 1, 0]],
  ['a name that exceeds the data', 5, [5, 0x61]],
  ['a SOA that is too short', 6, [0, 0, 1]],
])('%s is malformed', (_, type, rdata) => {
  expect(readMessage(messageWith(type, rdata)).ok).toBe(false);
});

test('no input makes it throw or hang', () => {
  const whole = messageWith(6, [0xc0, 12, 1, 0x63, 0xc0, 14, ...Array<number>(20).fill(0)]);
  const mutated = fc
    .array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { maxLength: 6 })
    .map((changes) => changes.reduce((bytes, [at, octet]) => bytes.with(at, octet), whole));
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ maxLength: 80 }), mutated), (bytes) => {
      const message = readMessage(bytes);
      expect(typeof message.ok).toBe('boolean');
    }),
    { numRuns: 2000 },
  );
});

test('a written query is read back', () => {
  const name = parseDomainName('www.example.com');
  if (!name.ok) throw new Error(name.problem);
  const query = { id: 0xbeef, name: name.value, type: 28, recursionDesired: true, payloadOctets: 1232 };
  const message = readMessage(writeQuery(query));
  expect(message).toMatchObject({
    ok: true,
    value: {
      id: 0xbeef,
      isResponse: false,
      question: { name: name.value, type: 28 },
      additionals: [{ type: 41 }],
    },
  });
});
