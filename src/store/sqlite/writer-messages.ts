// Messages between the main thread and the writer thread. Commands and results are sent as JSON text (one text per message,
// apart from long lists) with RDATA as Latin-1 text: structured cloning of objects costs twice as much, and cloning a small
// view of a pooled buffer copies the whole pool.
import type { Steps } from '../../base/steps.ts';
import type { Command, CommandSuccess } from '../../writes/command.ts';
import type { RecordsChanged } from '../../model/record-changes.ts';
import type { DomainRecord, SentRecord } from '../../model/record.ts';
import type { Refused } from '../../model/result.ts';
import type { ZoneUpdate } from '../../model/zone-update.ts';
import type { CommandReply } from '../../writes/write-queue.ts';
import type { UpkeepPlan } from '../deletion-time.ts';
import { packList, unpackList, type LongLists, type PackedList } from './packed-list.ts';
import type { BatchResult } from './sqlite-writer.ts';

export interface WriterData {
  readonly path: string;
}

export type ToWriter =
  | { readonly kind: 'commands'; readonly encoded: EncodedMessage }
  /** Write the kept time, remove expired data, then send `upkeepEnded`. */
  | { readonly kind: 'upkeep'; readonly plan: UpkeepPlan; readonly wallMs: number }
  /** Move everything that no reader needs out of the log, then send `logShortened`. */
  | { readonly kind: 'shortenLog' }
  /** Finish everything sent before, then end. */
  | { readonly kind: 'close' };

export type FromWriter =
  | { readonly kind: 'ready' }
  /** The next results, in the order in which the commands were sent, and the duration of their batch. */
  | { readonly kind: 'results'; readonly encoded: EncodedMessage; readonly commitMs: number }
  | { readonly kind: 'logShortened' }
  /** A run of upkeep has ended that served this many requests, oldest first. */
  | { readonly kind: 'upkeepEnded'; readonly requests: number }
  | { readonly kind: 'trouble'; readonly doing: string; readonly message: string };

/** A JSON text and the long lists that belong to it. */
export interface EncodedMessage {
  readonly text: string;
  readonly long: LongLists;
}

type Packed<T> = Omit<T, 'rdata'> & { readonly rdata: string };

/** Takes one step, except for whole zones. */
export function* encodeCommands(commands: readonly Command[]): Steps<EncodedMessage> {
  const long: string[][] = [];
  const packed: PackedCommand[] = [];
  for (const command of commands) packed.push(yield* packCommand(command, long));
  return { text: JSON.stringify(packed), long };
}

/** Takes one step, except for whole zones. */
export function* decodeCommands({ text, long }: EncodedMessage): Steps<readonly Command[]> {
  const commands: Command[] = [];
  for (const packed of JSON.parse(text) as PackedCommand[]) commands.push(yield* unpackCommand(packed, long));
  return commands;
}

type PackedCommand = ReturnType<typeof packCommand> extends Steps<infer Command> ? Command : never;

function* packCommand(command: Command, long: string[][]) {
  switch (command.kind) {
    case 'createRecord':
      return { ...command, record: pack(command.record) };
    case 'createDomain': {
      const address = command.address === null ? null : pack(command.address);
      return { ...command, address, nameservers: command.nameservers.map(pack) };
    }
    case 'changeRecords':
      return { ...command, changes: { ...command.changes, creates: command.changes.creates.map(pack) } };
    case 'importZone': {
      const { records, nameservers } = command;
      const packed = yield* packList(records, pack, long);
      return { ...command, records: packed, nameservers: nameservers?.map(pack) };
    }
    default:
      return command;
  }
}

function* unpackCommand(packed: PackedCommand, long: LongLists): Steps<Command> {
  switch (packed.kind) {
    case 'createRecord':
      return { ...packed, record: unpack(packed.record) };
    case 'createDomain': {
      const address = packed.address === null ? null : unpack(packed.address);
      return { ...packed, address, nameservers: packed.nameservers.map(unpack) };
    }
    case 'changeRecords':
      return { ...packed, changes: { ...packed.changes, creates: packed.changes.creates.map(unpack) } };
    case 'importZone': {
      const { records, nameservers } = packed;
      const unpacked = yield* unpackList(records, unpack<SentRecord>, long);
      return { ...packed, records: unpacked, nameservers: nameservers?.map(unpack) };
    }
    default:
      return packed;
  }
}

/**
 * Takes one step, except for whole zones.
 *
 * @param commands commands of the results; a record that is returned as it was sent is encoded as its index
 */
export function* encodeResults(commands: readonly Command[], batch: BatchResult): Steps<EncodedMessage> {
  const long: string[][] = [];
  const results: PackedResult[] = [];
  for (const [index, result] of batch.results.entries())
    results.push(yield* packResult(result, commands[index], long));
  return { text: JSON.stringify({ results, updates: batch.updates.map(packUpdate) }), long };
}

/**
 * Takes one step, except for whole zones.
 *
 * @param commandAt returns the unanswered commands, oldest first; the results belong to the first of them
 */
export function* decodeResults(
  { text, long }: EncodedMessage,
  commandAt: (index: number) => Command | undefined,
): Steps<BatchResult> {
  const packed = JSON.parse(text) as {
    results: PackedResult[];
    updates: ReturnType<typeof packUpdate>[];
  };
  const results: CommandReply[] = [];
  for (const [index, result] of packed.results.entries())
    results.push(yield* unpackResult(result, commandAt(index), long));
  return { results, updates: packed.updates.map(unpackUpdate) };
}

type PackedResult =
  | Exclude<CommandReply, { readonly kind: 'decided' }>
  | { readonly kind: 'refused'; readonly result: Refused }
  | { readonly kind: 'done'; readonly result: PackedSuccess };

type PackedSuccess = Omit<CommandSuccess, 'value' | 'difference'> & {
  readonly value: PackedValue;
  /** `value` if both are the same object, as in a dry run. */
  readonly difference?: PackedChanges | 'value';
};

type PackedValue =
  | {
      readonly kind: 'plain';
      readonly value: Exclude<CommandSuccess['value'], DomainRecord | RecordsChanged>;
    }
  | { readonly kind: 'record'; readonly record: KnownRecord }
  | { readonly kind: 'changes'; readonly changes: PackedChanges };

/** A number is the index of a record in the command. */
type KnownRecord = Packed<DomainRecord> | number;

interface PackedUpdate {
  readonly before: Packed<DomainRecord>;
  readonly after: Packed<DomainRecord>;
}

type PackedChanges = Omit<RecordsChanged, 'created' | 'updated' | 'deleted'> & {
  readonly created: PackedList<KnownRecord>;
  readonly updated: PackedList<PackedUpdate>;
  readonly deleted: PackedList<Packed<DomainRecord>>;
};

function* packResult(
  reply: CommandReply,
  command: Command | undefined,
  long: string[][],
): Steps<PackedResult> {
  if (reply.kind !== 'decided') return reply;
  const { result } = reply;
  if (!result.ok) return { kind: 'refused', result };
  const places = new Map(recordsIn(command).map((record, index) => [record, index]));
  const { value, difference, ...rest } = result;
  const packed = {
    value: yield* packValue(value, places, long),
    ...(difference && {
      difference: difference === value ? ('value' as const) : yield* packChanges(difference, places, long),
    }),
  };
  return { kind: 'done', result: { ...rest, ...packed } };
}

function* unpackResult(
  packed: PackedResult,
  command: Command | undefined,
  long: LongLists,
): Steps<CommandReply> {
  if (packed.kind === 'refused') return { kind: 'decided', result: packed.result };
  if (packed.kind !== 'done') return packed;
  const sent = recordsIn(command);
  const { value: packedValue, difference: packedDifference, ...rest } = packed.result;
  const value = yield* unpackValue(packedValue, sent, long);
  if (packedDifference === undefined) return { kind: 'decided', result: { ...rest, value } };
  const difference =
    packedDifference === 'value'
      ? (value as RecordsChanged)
      : yield* unpackChanges(packedDifference, sent, long);
  return { kind: 'decided', result: { ...rest, value, difference } };
}

function recordsIn(command: Command | undefined): readonly DomainRecord[] {
  if (command?.kind === 'createRecord') return [command.record];
  if (command?.kind === 'changeRecords') return command.changes.creates;
  return command?.kind === 'importZone' ? command.records : [];
}

type Places = ReadonlyMap<DomainRecord, number>;

function* packValue(value: CommandSuccess['value'], places: Places, long: string[][]): Steps<PackedValue> {
  if (value === null) return { kind: 'plain', value };
  if ('rdata' in value) return { kind: 'record', record: packKnown(value, places) };
  if ('unchanged' in value) return { kind: 'changes', changes: yield* packChanges(value, places, long) };
  return { kind: 'plain', value };
}

function* unpackValue(
  packed: PackedValue,
  sent: readonly DomainRecord[],
  long: LongLists,
): Steps<CommandSuccess['value']> {
  switch (packed.kind) {
    case 'plain':
      return packed.value;
    case 'record':
      return unpackKnown(packed.record, sent);
    case 'changes':
      return yield* unpackChanges(packed.changes, sent, long);
  }
}

function* packChanges(changes: RecordsChanged, places: Places, long: string[][]): Steps<PackedChanges> {
  const packUpdated = ({ before, after }: RecordsChanged['updated'][number]): PackedUpdate => ({
    before: pack(before),
    after: pack(after),
  });
  return {
    ...changes,
    created: yield* packList(changes.created, (record) => packKnown(record, places), long),
    updated: yield* packList(changes.updated, packUpdated, long),
    deleted: yield* packList(changes.deleted, pack, long),
  };
}

function* unpackChanges(
  packed: PackedChanges,
  sent: readonly DomainRecord[],
  long: LongLists,
): Steps<RecordsChanged> {
  const unpackUpdated = ({ before, after }: PackedUpdate): RecordsChanged['updated'][number] => ({
    before: unpack(before),
    after: unpack(after),
  });
  return {
    ...packed,
    created: yield* unpackList(packed.created, (record) => unpackKnown(record, sent), long),
    updated: yield* unpackList(packed.updated, unpackUpdated, long),
    deleted: yield* unpackList(packed.deleted, unpack<DomainRecord>, long),
  };
}

function packKnown(record: DomainRecord, places: Places): KnownRecord {
  return places.get(record) ?? pack(record);
}

function unpackKnown(record: KnownRecord, sent: readonly DomainRecord[]): DomainRecord {
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
