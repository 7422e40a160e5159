import { expect, test } from 'vitest';
import type { ZoneName } from '../../model/domain.ts';
import type { OwnerKey } from '../../model/record.ts';
import type { ZoneHead } from '../../model/zone-update.ts';
import { chooseSeed, seededRandom } from '../../../test/harness/random.ts';
import type { SentCommit } from '../followed-zones.ts';
import { decodeCommit, encodeCommit, MAX_COMMIT_BYTES } from './commit-message.ts';

const head: ZoneHead = {
  domainId: 2 ** 40 + 1,
  name: 'example.com' as ZoneName,
  serial: 2 ** 32 - 1,
  soaPrimary: null,
  soaEmail: 'jörg@example.net',
};
const everyOctet = Uint8Array.from({ length: 256 }, (_, octet) => octet);

function commitOf(...updates: SentCommit['updates']): SentCommit {
  return { file: '1-2', afterSeq: 2 ** 33, lastSeq: 2 ** 33 + 7, updates };
}

function owner(name: string, rdatas: readonly Uint8Array[], type = 65_535) {
  return { owner: name as OwnerKey, records: rdatas.map((rdata) => ({ type, ttl: 2 ** 31 - 1, rdata })) };
}

const commit = commitOf(
  { kind: 'changed', head, created: false, owners: [owner('', [everyOctet]), owner('\\032x', [])] },
  {
    kind: 'changed',
    head: { ...head, soaPrimary: 'ns.example', soaEmail: null },
    created: false,
    owners: [],
  },
);

test('a commit survives encoding and decoding', () => {
  const octets = encodeCommit(commit);
  expect(octets && decodeCommit(octets)).toEqual(commit);
});

test('a commit that is cut off or has more octets is no commit, and damaged ones do no harm', () => {
  const octets = encodeCommit(commit) ?? new Uint8Array();
  for (let length = 0; length < octets.length; length++)
    expect(decodeCommit(octets.subarray(0, length))).toBeUndefined();
  expect(decodeCommit(Uint8Array.of(...octets, 0))).toBeUndefined();
  const random = seededRandom(chooseSeed());
  for (let round = 0; round < 2000; round++) {
    const damaged = octets.slice();
    for (let count = random.below(4); count >= 0; count--)
      damaged[random.below(damaged.length)] = random.below(256);
    expect(() => decodeCommit(damaged)).not.toThrow();
  }
});

test.each([
  ['octets', [owner('a', [new Uint8Array(MAX_COMMIT_BYTES - 100)]), owner('b', [everyOctet])]],
  [
    'records',
    [
      owner(
        'a',
        Array.from({ length: 65_536 }, () => everyOctet.subarray(0, 0)),
      ),
    ],
  ],
  ['owners', Array.from({ length: 10_000 }, (_, index) => owner(`n${index}`, []))],
])('a commit with too many %s is not encoded', (_, owners) => {
  expect(encodeCommit(commitOf({ kind: 'changed', head, created: false, owners }))).toBeUndefined();
});

test('a commit that followers must read themselves is not encoded', () => {
  expect(encodeCommit(commitOf({ kind: 'replaced', head }))).toBeUndefined();
  expect(encodeCommit(commitOf({ kind: 'changed', head, created: true, owners: [] }))).toBeUndefined();
});
