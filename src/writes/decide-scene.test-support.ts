import { assert } from '../base/assert.ts';
import { finishSteps } from '../base/steps.ts';
import type { Domain, ZoneName } from '../model/domain.ts';
import { parseRecord, type RecordInput } from '../model/parse-record.ts';
import type { RecordPatch } from '../model/record-patch.ts';
import type { RecordRules } from '../model/record-rules.ts';
import type { DomainRecord } from '../model/record.ts';
import { authorOf, type Command, type CommandResult } from './command.ts';
import { decide } from './decide.ts';
import { PendingBatch } from './pending-batch.ts';
import { noCounters, readMemoryRows, type MemoryRows } from './row-reader.test-support.ts';

export const zone = 'example.com' as ZoneName;
export const rules: RecordRules = { txtLimitBytes: 4096, defaultTtlSeconds: null };
export const author = { accountId: 'account-1', keyId: 'key-1', atMs: 1_795_000_000_123 };
export const stranger = { accountId: 'account-2', keyId: 'key-2', atMs: 1_795_000_000_456 };

/** Parses `name type data` into a record; TTL 300 and no priority by default. */
export function record(id: string, text: string, more: Partial<RecordInput> = {}): DomainRecord {
  const [name, type, ...data] = text.split(' ');
  const parsed = parseRecord({ name, type, data: data.join(' '), ttl: 300, ...more }, zone, rules);
  assert(parsed.ok, `the test's record is well-formed: ${text}`);
  return { id, ...parsed.value };
}

/** The domain of the scene, as it is stored. */
export const storedZone: Domain = {
  id: 1,
  accountId: author.accountId,
  name: zone,
  createdAtSeconds: 1_794_000_000,
  serial: 7,
  soaPrimary: null,
  soaEmail: null,
  recordCount: 1,
  octets: 0,
  denial: null,
  renewAtSeconds: null,
  withdrawnAtSeconds: null,
  awaitsDsSinceSeconds: null,
  presignedUntilSeconds: null,
  revisedSerial: 7,
  signingWork: null,
  withheld: [],
  withheldSeq: null,
  claim: null,
};

/**
 * A batch over committed rows: the domain `example.com` of `author` with one nameserver (id `ns`) and a record for each
 * line (ids `r1`, `r2` …).
 */
export function scene(...lines: readonly string[]) {
  const stored = [
    record('ns', '@ NS ns1.example.net'),
    ...lines.map((line, at) => record(`r${at + 1}`, line)),
  ];
  const batch = openBatch({
    domains: [{ ...storedZone, recordCount: stored.length }],
    records: { [storedZone.id]: stored },
  });
  let ids = lines.length;
  const create = (text: string, more: Partial<RecordInput> = {}, by = author) =>
    decideAtOnce(
      { kind: 'createRecord', author: by, domain: zone, record: record(`r${++ids}`, text, more) },
      batch,
    );
  const patch = (recordId: string, patch: RecordPatch, by = author, ruled = rules) =>
    decideAtOnce({ kind: 'updateRecord', author: by, domain: zone, recordId, patch, rules: ruled }, batch);
  const remove = (recordId: string, by = author) =>
    decideAtOnce({ kind: 'deleteRecord', author: by, domain: zone, recordId }, batch);
  return { batch, create, patch, remove };
}

/** A scene whose domain has that many records by its row, though none can be read. */
export function sceneOfCount(recordCount: number): PendingBatch {
  return openBatch({ domains: [{ ...storedZone, recordCount }] });
}

export function openBatch(rows: MemoryRows = {}): PendingBatch {
  return new PendingBatch(readMemoryRows(rows), { ...noCounters, lastDomainId: rows.domains?.length ?? 0 });
}

export function domainOf(batch: PendingBatch): Domain {
  const domain = batch.findDomain(zone);
  assert(domain !== undefined, 'the scene has its domain');
  return domain;
}

/** All records of `example.com` in creation order; none if it is gone. */
export function allRecords(batch: PendingBatch): readonly DomainRecord[] {
  const domain = batch.findDomain(zone);
  return domain === undefined ? [] : batch.recordsOf(domain);
}

/** The number of entries that the batch has added to the feed. */
export function feedLength(batch: PendingBatch): number {
  return batch.finish().changes.length;
}

/** Runs `decide` through all its steps, then keeps or undoes the writes as `runBatch` does. */
export function decideAtOnce<C extends Command>(command: C, batch: PendingBatch): CommandResult<C>;
export function decideAtOnce(command: Command, batch: PendingBatch): CommandResult<Command> {
  batch.begin(authorOf(command));
  const result = finishSteps(decide(command, batch));
  if (result.ok) batch.keep();
  else batch.undo();
  return result;
}
