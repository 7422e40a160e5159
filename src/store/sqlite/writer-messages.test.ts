import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { finishSteps, type Steps } from '../../base/steps.ts';
import type { Author, Command } from '../../writes/command.ts';
import type { ZoneName } from '../../model/domain.ts';
import { refused, written } from '../../model/result.ts';
import { newRecord } from '../suite/store-scene.test-support.ts';
import type { BatchResult } from './sqlite-writer.ts';
import { decodeCommands, encodeCommand } from '../threads/command-messages.ts';
import { MAX_PIECE_CHARACTERS, PieceSender } from '../threads/packed-list.ts';
import { decodeResults } from '../threads/result-messages.ts';
import { joinTexts, postBatch, type ResultsMessage } from './writer-messages.ts';

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
  expect(sendCommands(commands).received).toEqual(commands.map((command) => ({ command })));
});

test('a command that cannot be encoded or decoded fails alone', () => {
  const { text } = sendCommands(commands);
  const packed = JSON.parse(text) as { record?: unknown }[];
  packed[0].record = null;
  const decoded = finishSteps(decodeCommands(JSON.stringify(packed), packed.length, []));
  expect(decoded.map((one) => 'failure' in one)).toEqual([true, false, false, false, false]);
  const broken = finishSteps(decodeCommands('[', 2, []));
  expect(broken.map((one) => 'failure' in one)).toEqual([true, true]);
});

test('a committed result that cannot be encoded is in doubt, and the others are answered', () => {
  const circle: Record<string, unknown> = {};
  circle.self = circle;
  const value = circle as unknown as null;
  const results = [true, false].map((changed) => ({
    kind: 'decided' as const,
    result: { ok: true as const, changed, value },
  }));
  const { batch } = sendBatch([], { results: [...results, { kind: 'failed', message: 'x' }], lastSeq: 7 });
  expect(batch.results.map(({ kind }) => kind)).toEqual(['unknown', 'failed', 'failed']);
});

test('no text grows with the records of a customer', () => {
  const long = { type: 16, data: '\u0001'.repeat(65_000), rdata: new Uint8Array(65_000) };
  const records = Array.from({ length: 12 }, (_, at) => newRecord(`r${at}`, 1, long));
  const updates = records.map(({ id }) => ({ id, patch: { data: long.data } }));
  const deletes = Array.from({ length: 8 }, () => 'x'.repeat(600_000));
  const rules = { txtLimitBytes: 65_000, defaultTtlSeconds: null };
  const command: Command = {
    kind: 'changeRecords',
    author,
    domain: name,
    changes: { deletes, updates, creates: records },
    rules,
  };
  const sent = sendCommands([command]);
  expect(isDeepStrictEqual(sent.received, [{ command }])).toBe(true);
  const updated = records.map((before) => ({ before, after: { ...before, ttl: 61 } }));
  const value = { created: [], updated, deleted: records, unchanged: 0 };
  const many: BatchResult = {
    results: Array.from({ length: 3 }, () => ({ kind: 'decided', result: written(value) })),
    lastSeq: 12,
  };
  const { batch, texts, messages } = sendBatch([command, command, command], many);
  expect(isDeepStrictEqual(batch, many)).toBe(true);
  expect(messages.filter(({ batch: summary }) => summary !== undefined)).toHaveLength(1);
  const longest = Math.max(...[...sent.texts, ...texts].map(({ length }) => length));
  expect(longest).toBeLessThan(MAX_PIECE_CHARACTERS);
});

test('results survive encoding and decoding', () => {
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
    lastSeq: 12,
  };
  expect(sendBatch(commands, batch).batch).toEqual(batch);
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
  const pieces: string[] = [];
  const sender = new PieceSender((text) => pieces.push(text));
  const encoding = takeSteps(encodeCommand(zoneImport, sender));
  const decoding = takeSteps(decodeCommands(joinTexts([encoding.value]), 1, pieces));
  expect(decoding.value).toEqual([{ command: zoneImport }]);
  const updated = records.map((before) => ({ before, after: { ...before, ttl: 7 } }));
  const value = { created: records, updated, deleted: records.slice(5), unchanged: 3 };
  const batch: BatchResult = {
    results: [
      { kind: 'decided', result: { ok: true, changed: true, value, difference: { ...value }, serial: 1 } },
      { kind: 'decided', result: { ok: true, changed: true, value, difference: value } },
    ],
    lastSeq: 12,
  };
  const sent = sendBatch([zoneImport, zoneImport], batch);
  expect(sent.batch).toEqual(batch);
  expect([encoding.pauses, decoding.pauses, ...sent.pauses]).toEqual([2, 3, 18, 27]);
  const short = sendBatch([zoneImport], {
    results: [{ kind: 'decided', result: written(null) }],
    lastSeq: 12,
  });
  expect(short.pauses).toEqual([0, 0]);
});

function sendCommands(commands: readonly Command[]) {
  const pieces: string[] = [];
  const sender = new PieceSender((text) => pieces.push(text));
  const text = joinTexts(commands.map((command) => finishSteps(encodeCommand(command, sender))));
  return {
    text,
    texts: [text, ...pieces],
    received: finishSteps(decodeCommands(text, commands.length, pieces)),
  };
}

/** Posts a batch as the writer thread does, and receives it as the main thread does. */
function sendBatch(commands: readonly Command[], batch: BatchResult) {
  let pieces: string[] = [];
  const texts: string[] = [];
  const messages: (ResultsMessage & { readonly pieces: string[] })[] = [];
  const sender = new PieceSender((text) => pieces.push(text));
  const post = (message: ResultsMessage): void => {
    messages.push({ ...message, pieces });
    texts.push(...pieces, message.results);
    pieces = [];
  };
  const encoding = takeSteps(postBatch(commands, batch, 1, sender, post));
  let at = 0;
  const results = messages.map((message) => {
    const step = takeSteps(decodeResults(message.results, message.pieces, (index) => commands[at + index]));
    at += step.value.length;
    return step;
  });
  const received: BatchResult = {
    results: results.flatMap(({ value }) => value),
    lastSeq: messages[0].lastSeq,
  };
  const pauses = results.reduce((sum, step) => sum + step.pauses, 0);
  return { batch: received, texts, messages, pauses: [encoding.pauses, pauses] };
}

function takeSteps<T>(steps: Steps<T>): { readonly value: T; readonly pauses: number } {
  for (let pauses = 0; ; pauses++) {
    const step = steps.next();
    if (step.done === true) return { value: step.value, pauses };
  }
}
