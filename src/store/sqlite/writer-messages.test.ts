import { expect, test } from 'vitest';
import { finishSteps, type Steps } from '../../base/steps.ts';
import type { Author, Command } from '../../writes/command.ts';
import type { ZoneName } from '../../model/domain.ts';
import { refused, written } from '../../model/result.ts';
import type { OwnerKey } from '../../model/record.ts';
import { newRecord } from '../suite/store-scene.test-support.ts';
import type { BatchResult } from './sqlite-writer.ts';
import { decodeCommands, decodeResults, encodeCommands, encodeResults } from './writer-messages.ts';

const author: Author = { accountId: 'a', keyId: 'k', atMs: 1 };
const name = 'example.com' as ZoneName;
const everyOctet = { rdata: Uint8Array.from({ length: 256 }, (_, octet) => octet), data: '"ä\u2028\0"' };
const record = newRecord('www', 1, everyOctet);
const commands: Command[] = [
  { kind: 'createRecord', author, domain: name, record },
  { kind: 'createDomain', author, name, address: record, nameservers: [record, newRecord('')] },
  { kind: 'createDomain', author, name, address: null, nameservers: [] },
  { kind: 'deleteRecord', author, domain: name, recordId: 'x' },
  {
    kind: 'updateRecord',
    author,
    domain: name,
    recordId: 'x',
    patch: { ttl: 1 },
    rules: { txtLimitBytes: 1, defaultTtlSeconds: null },
  },
];

test('commands survive encoding and decoding', () => {
  expect(finishSteps(decodeCommands(finishSteps(encodeCommands(commands))))).toEqual(commands);
});

test('results and updates survive encoding and decoding', () => {
  const head = { domainId: 1, name, serial: 5, soaPrimary: null, soaEmail: 'a@example.com' };
  const { type, ttl, rdata } = record;
  const batch: BatchResult = {
    results: [
      { kind: 'decided', result: { ok: true, changed: true, value: record, serial: 5 } },
      { kind: 'failed', message: 'a bug' },
      { kind: 'unavailable', message: 'disk full' },
      { kind: 'decided', result: written(null) },
      {
        kind: 'decided',
        result: { ok: true, changed: false, value: newRecord('other', 1, everyOctet), serial: 7 },
      },
      { kind: 'decided', result: refused('unknown_record', 'no such record', 'id') },
    ],
    updates: [
      { kind: 'deleted', domainId: 2, name },
      {
        kind: 'changed',
        head,
        created: true,
        owners: [{ owner: 'www' as OwnerKey, records: [{ type, ttl, rdata }] }],
      },
    ],
  };
  const encoded = finishSteps(encodeResults(commands, batch));
  expect(finishSteps(decodeResults(encoded, (index) => commands[index]))).toEqual(batch);
});

test('whole zones are encoded and decoded in steps of a fixed size, everything else in one step', () => {
  const records = Array.from({ length: 2_500 }, (_, at) => newRecord('www', 1, { ttl: at + 1 }));
  const zoneImport: Command = {
    kind: 'importZone',
    author,
    domain: name,
    records,
    mode: 'merge',
    soa: null,
  };
  const sent = [...commands, zoneImport];
  const encoding = takeSteps(encodeCommands(sent));
  const decoding = takeSteps(decodeCommands(encoding.value));
  expect(decoding.value).toEqual(sent);
  const updated = records.map((before) => ({ before, after: { ...before, ttl: 7 } }));
  const value = { created: records, updated, deleted: records.slice(5), unchanged: 3 };
  const batch: BatchResult = {
    results: [
      { kind: 'decided', result: { ok: true, changed: true, value, difference: { ...value }, serial: 1 } },
      { kind: 'decided', result: { ok: true, changed: true, value, difference: value } },
    ],
    updates: [],
  };
  const resultsOut = takeSteps(encodeResults([zoneImport, zoneImport], batch));
  const resultsIn = takeSteps(decodeResults(resultsOut.value, () => zoneImport));
  expect(resultsIn.value).toEqual(batch);
  expect([encoding, decoding, resultsOut, resultsIn].map(({ pauses }) => pauses)).toEqual([3, 3, 27, 27]);
  const short = encodeResults([zoneImport], {
    results: [{ kind: 'decided', result: written(null) }],
    updates: [],
  });
  expect(takeSteps(short).pauses).toBe(0);
});

function takeSteps<T>(steps: Steps<T>): { readonly value: T; readonly pauses: number } {
  for (let pauses = 0; ; pauses++) {
    const step = steps.next();
    if (step.done === true) return { value: step.value, pauses };
  }
}
