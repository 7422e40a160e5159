// What the main thread and the writer thread say to each other. Commands and results travel as one JSON text a message,
// with RDATA as Latin-1 text: copying objects between threads costs twice as much, and copying a small view of a pooled
// buffer copies the whole pool.
import type { Command, CommandOutcome } from '../../model/command.ts';
import type { RecordsChanged } from '../../model/record-changes.ts';
import type { DomainRecord } from '../../model/record.ts';
import type { ZoneUpdate } from '../../model/zone-update.ts';
import type { OkOutcome } from '../kept-outcome.ts';
import type { WriteResult } from '../write-queue.ts';
import type { BatchResult } from './sqlite-writer.ts';

export interface WriterData {
  readonly path: string;
}

export type ToWriter =
  | { readonly kind: 'commands'; readonly text: string }
  | { readonly kind: 'upkeep'; readonly nowMs: number; readonly historyStartMs: number }
  /** Move into the store's file what of the log no reader is in the way of, and say so. */
  | { readonly kind: 'shortenLog' }
  /** After everything sent before: finish, tidy up and end. */
  | { readonly kind: 'close' };

export type FromWriter =
  | { readonly kind: 'ready' }
  /** The next results, in the order in which the commands were sent, and how long their batch took. */
  | { readonly kind: 'results'; readonly text: string; readonly commitMs: number }
  | { readonly kind: 'logShortened' }
  | { readonly kind: 'trouble'; readonly doing: string; readonly message: string };

type Packed<T> = Omit<T, 'rdata'> & { readonly rdata: string };

export function encodeCommands(commands: readonly Command[]): string {
  return JSON.stringify(commands.map(packCommand));
}

export function decodeCommands(text: string): Command[] {
  return (JSON.parse(text) as ReturnType<typeof packCommand>[]).map(unpackCommand);
}

function packCommand(command: Command) {
  switch (command.kind) {
    case 'createRecord':
      return { ...command, record: pack(command.record) };
    case 'createDomain': {
      const address = command.address === null ? null : pack(command.address);
      return { ...command, address, nameservers: command.nameservers.map(pack) };
    }
    case 'changeRecords':
      return { ...command, changes: { ...command.changes, creates: command.changes.creates.map(pack) } };
    case 'declareRecords': {
      const { records, nameservers } = command;
      return { ...command, records: records.map(pack), nameservers: nameservers?.map(pack) };
    }
    default:
      return command;
  }
}

function unpackCommand(packed: ReturnType<typeof packCommand>): Command {
  switch (packed.kind) {
    case 'createRecord':
      return { ...packed, record: unpack(packed.record) };
    case 'createDomain': {
      const address = packed.address === null ? null : unpack(packed.address);
      return { ...packed, address, nameservers: packed.nameservers.map(unpack) };
    }
    case 'changeRecords':
      return { ...packed, changes: { ...packed.changes, creates: packed.changes.creates.map(unpack) } };
    case 'declareRecords': {
      const { records, nameservers } = packed;
      return { ...packed, records: records.map(unpack), nameservers: nameservers?.map(unpack) };
    }
    default:
      return packed;
  }
}

/**
 * @param commands what the results answer: a record that comes back just as it was sent is not sent back.
 */
export function encodeResults(commands: readonly Command[], batch: BatchResult): string {
  const results = batch.results.map((result, index) => packResult(result, commands[index]));
  return JSON.stringify({ results, updates: batch.updates.map(packUpdate) });
}

/** @param commands those sent and not yet answered, oldest first; the results are for the first of them. */
export function decodeResults(text: string, commandAt: (index: number) => Command | undefined): BatchResult {
  const { results, updates } = JSON.parse(text) as {
    results: PackedResult[];
    updates: ReturnType<typeof packUpdate>[];
  };
  return {
    results: results.map((result, index) => unpackResult(result, commandAt(index))),
    updates: updates.map(unpackUpdate),
  };
}

type PackedResult =
  | Exclude<WriteResult, { readonly kind: 'decided' }>
  | { readonly kind: 'refused'; readonly outcome: Extract<CommandOutcome<Command>, { readonly ok: false }> }
  | { readonly kind: 'done'; readonly outcome: PackedOutcome };

type PackedOutcome = Omit<OkOutcome, 'value' | 'difference'> & {
  readonly value: PackedValue;
  readonly difference?: PackedChanges;
};

type PackedValue =
  | { readonly kind: 'plain'; readonly value: Exclude<OkOutcome['value'], DomainRecord | RecordsChanged> }
  | { readonly kind: 'record'; readonly record: SentRecord }
  | { readonly kind: 'changes'; readonly changes: PackedChanges };

/** A number: the record at that place among those that the command carried. */
type SentRecord = Packed<DomainRecord> | number;

type PackedChanges = Omit<RecordsChanged, 'created' | 'updated' | 'deleted'> & {
  readonly created: readonly SentRecord[];
  readonly updated: readonly {
    readonly before: Packed<DomainRecord>;
    readonly after: Packed<DomainRecord>;
  }[];
  readonly deleted: readonly Packed<DomainRecord>[];
};

function packResult(result: WriteResult, command: Command | undefined): PackedResult {
  if (result.kind !== 'decided') return result;
  const { outcome } = result;
  if (!outcome.ok) return { kind: 'refused', outcome };
  const places = new Map(recordsIn(command).map((record, index) => [record, index]));
  const { value, difference, ...rest } = outcome;
  const packed = difference && { difference: packChanges(difference, places) };
  return { kind: 'done', outcome: { ...rest, value: packValue(value, places), ...packed } };
}

function unpackResult(packed: PackedResult, command: Command | undefined): WriteResult {
  if (packed.kind === 'refused') return { kind: 'decided', outcome: packed.outcome };
  if (packed.kind !== 'done') return packed;
  const sent = recordsIn(command);
  const { value, difference, ...rest } = packed.outcome;
  const unpacked = difference && { difference: unpackChanges(difference, sent) };
  return { kind: 'decided', outcome: { ...rest, value: unpackValue(value, sent), ...unpacked } };
}

function recordsIn(command: Command | undefined): readonly DomainRecord[] {
  if (command?.kind === 'createRecord') return [command.record];
  if (command?.kind === 'changeRecords') return command.changes.creates;
  return command?.kind === 'declareRecords' ? command.records : [];
}

type Places = ReadonlyMap<DomainRecord, number>;

function packValue(value: OkOutcome['value'], places: Places): PackedValue {
  if (value === null) return { kind: 'plain', value };
  if ('rdata' in value) return { kind: 'record', record: packSent(value, places) };
  if ('unchanged' in value) return { kind: 'changes', changes: packChanges(value, places) };
  return { kind: 'plain', value };
}

function unpackValue(packed: PackedValue, sent: readonly DomainRecord[]): OkOutcome['value'] {
  switch (packed.kind) {
    case 'plain':
      return packed.value;
    case 'record':
      return unpackSent(packed.record, sent);
    case 'changes':
      return unpackChanges(packed.changes, sent);
  }
}

function packChanges(changes: RecordsChanged, places: Places): PackedChanges {
  return {
    ...changes,
    created: changes.created.map((record) => packSent(record, places)),
    updated: changes.updated.map(({ before, after }) => ({ before: pack(before), after: pack(after) })),
    deleted: changes.deleted.map(pack),
  };
}

function unpackChanges(packed: PackedChanges, sent: readonly DomainRecord[]): RecordsChanged {
  return {
    ...packed,
    created: packed.created.map((record) => unpackSent(record, sent)),
    updated: packed.updated.map(({ before, after }) => ({ before: unpack(before), after: unpack(after) })),
    deleted: packed.deleted.map(unpack<DomainRecord>),
  };
}

function packSent(record: DomainRecord, places: Places): SentRecord {
  return places.get(record) ?? pack(record);
}

function unpackSent(record: SentRecord, sent: readonly DomainRecord[]): DomainRecord {
  return typeof record === 'number' ? sent[record] : unpack(record);
}

export function packUpdate(update: ZoneUpdate) {
  if (update.kind !== 'changed') return update;
  const owners = update.owners.map(({ owner, records }) => ({ owner, records: records.map(pack) }));
  return { ...update, owners };
}

export function unpackUpdate(packed: ReturnType<typeof packUpdate>): ZoneUpdate {
  if (packed.kind !== 'changed') return packed;
  const owners = packed.owners.map(({ owner, records }) => ({ owner, records: records.map(unpack) }));
  return { ...packed, owners };
}

function pack<T extends { readonly rdata: Uint8Array }>(record: T): Packed<T> {
  const { buffer, byteOffset, byteLength } = record.rdata;
  return { ...record, rdata: Buffer.from(buffer, byteOffset, byteLength).toString('latin1') };
}

function unpack<T extends { readonly rdata: Uint8Array }>(packed: Packed<T>): T {
  const rdata = new Uint8Array(packed.rdata.length);
  for (let index = 0; index < rdata.length; index++) rdata[index] = packed.rdata.charCodeAt(index);
  return { ...packed, rdata } as unknown as T;
}
