import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DomainRecord, OwnerKey } from '../model/record.ts';
import type { RecordsChanged } from '../model/record-changes.ts';
import { written } from '../model/result.ts';
import type { CommandSuccess } from './command.ts';
import { decodeOutcome, keepOutcome } from './kept-outcome.ts';

const LIMIT_CHARACTERS = 8 * 1024 * 1024;

const author = { accountId: 'a', keyId: 'k', atMs: 5, idempotency: { key: 'i', hash: 'h' } };

const record: fc.Arbitrary<DomainRecord> = fc.record({
  id: fc.uuid({ version: 7 }),
  owner: fc.string({ maxLength: 10 }).map((text) => text as OwnerKey),
  name: fc.string({ maxLength: 10, unit: 'binary' }),
  type: fc.nat(65_535),
  data: fc.string({ maxLength: 10, unit: 'binary' }),
  priority: fc.integer({ min: -1, max: 65_535 }),
  ttl: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
  rdata: fc.uint8Array({ maxLength: 40 }),
});

const changes: fc.Arbitrary<RecordsChanged> = fc.record({
  created: fc.array(record, { minLength: 1, maxLength: 3 }),
  updated: fc.array(fc.record({ before: record, after: record }), { maxLength: 3 }),
  deleted: fc.array(record, { maxLength: 3 }),
  unchanged: fc.nat(),
});

/** `data` of the first record is filled up so that the outcome has `excess` characters more than the limit. */
test('an outcome is kept whole up to the limit, and as the number of its records above', () => {
  fc.assert(
    fc.property(
      changes,
      fc.oneof(fc.integer({ min: -2, max: 2 }), fc.integer({ min: -10_000, max: 100_000 })),
      (short, excess) => {
        const fill = LIMIT_CHARACTERS + excess - encode(written(short)).length;
        const [first, ...others] = short.created;
        const value = { ...short, created: [{ ...first, data: first.data + 'x'.repeat(fill) }, ...others] };
        const count = value.created.length + value.updated.length + value.unchanged;
        const reduced = { created: [], updated: [], deleted: [], unchanged: count };
        const expected = encode(written(excess > 0 ? reduced : value));
        // Not `toBe()`, which would print megabytes.
        expect(keepOutcome(author, written(value))?.outcome === expected).toBe(true);
      },
    ),
    { numRuns: 15 },
  );
});

test('an outcome that is far too long is reduced without being encoded', () => {
  const rdata = new Uint8Array(60_000);
  Object.defineProperty(rdata, Symbol.iterator, { value: () => expect.unreachable() });
  const long: DomainRecord = {
    id: 'r',
    owner: '' as OwnerKey,
    name: '@',
    type: 16,
    data: '',
    priority: -1,
    ttl: 60,
    rdata,
  };
  const created = new Array<DomainRecord>(200_000).fill(long);
  const kept = keepOutcome(author, written({ created, updated: [], deleted: [], unchanged: 1 }));
  expect(kept?.outcome).toBe(encode(written({ created: [], updated: [], deleted: [], unchanged: 200_001 })));
});

function encode({ changed, ...outcome }: CommandSuccess): string {
  return JSON.stringify({ ...outcome, created: changed }, (_member, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value,
  );
}

test('a domain in an outcome that an earlier version kept is neither signed nor withheld', () => {
  const domain = { id: 1, accountId: 'a', name: 'example.com', createdAtSeconds: 5, serial: 5 };
  const kept = JSON.stringify({ ok: true, value: domain, created: true });
  expect(decodeOutcome(kept).value).toEqual({
    ...domain,
    denial: null,
    presignedUntilSeconds: null,
    renewAtSeconds: null,
    withdrawnAtSeconds: null,
    awaitsDsSinceSeconds: null,
    revisedSerial: 5,
    signingWork: null,
    withheld: [],
    withheldSeq: null,
    claim: null,
  });
});

test('a rollover in an outcome is what it was', () => {
  const rollover = {
    id: 'r',
    kind: 'key',
    step: 'published',
    sinceSeconds: 5,
    serial: 7,
    untilSeconds: null,
  };
  const kept = JSON.stringify({ ok: true, value: rollover, created: true });
  expect(decodeOutcome(kept).value).toEqual(rollover);
});
