import { expect, test } from 'vitest';
import type { Author, Command } from '../../model/command.ts';
import type { ZoneName } from '../../model/domain.ts';
import { done, refused } from '../../model/refusal.ts';
import type { OwnerKey } from '../../model/record.ts';
import { newRecord } from '../store-scene.test-support.ts';
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

test('commands arrive as they were sent', () => {
  expect(decodeCommands(encodeCommands(commands))).toEqual(commands);
});

test('results and updates arrive as they were sent', () => {
  const head = { domainId: 1, name, serial: 5, soaPrimary: null, soaEmail: 'a@example.com' };
  const { type, ttl, rdata } = record;
  const batch: BatchResult = {
    results: [
      { kind: 'decided', outcome: { ok: true, created: true, value: record, serial: 5 } },
      { kind: 'failed', message: 'a bug' },
      { kind: 'unavailable', message: 'disk full' },
      { kind: 'decided', outcome: done(null) },
      {
        kind: 'decided',
        outcome: { ok: true, created: false, value: newRecord('other', 1, everyOctet), serial: 7 },
      },
      { kind: 'decided', outcome: refused('unknown_record', 'no such record', 'id') },
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
  const text = encodeResults(commands, batch);
  expect(decodeResults(text, (index) => commands[index])).toEqual(batch);
});
