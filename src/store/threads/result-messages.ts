// Results on their way from the writer thread, as JSON text. A record that is returned as it was sent is encoded as its
// position in the command.
import type { Steps } from '../../base/steps.ts';
import type { RecordsChanged } from '../../model/record-changes.ts';
import type { DomainRecord } from '../../model/record.ts';
import type { Refused } from '../../model/result.ts';
import type { Command, CommandSuccess } from '../../writes/command.ts';
import { octetsOfRecord } from '../../writes/record-octets.ts';
import type { CommandReply } from '../../writes/write-queue.ts';
import { packList, unpackList, type PackedList, type PieceSender } from './packed-list.ts';
import { octetsOfUpdated, pack, unpack, type Packed } from './packed-record.ts';

/** Takes one step, except for whole zones. */
export function* encodeResult(
  reply: CommandReply,
  command: Command | undefined,
  pieces: PieceSender,
): Steps<string> {
  try {
    return JSON.stringify(yield* packResult(reply, command, pieces));
  } catch (error) {
    return JSON.stringify(lostReply(reply, error));
  }
}

/** The reply to a command whose result cannot be transferred, which is a bug: it may be committed already. */
function lostReply(reply: CommandReply, error: unknown): CommandReply {
  const message = `the result was lost: ${String(error)}`;
  if (reply.kind !== 'decided') return { kind: reply.kind, message };
  return { kind: reply.result.ok && reply.result.changed ? 'unknown' : 'failed', message };
}

/**
 * Takes one step, except for whole zones.
 *
 * @param text a JSON list of encoded results
 * @param commandAt returns the unanswered commands, oldest first; the results belong to the first of them
 */
export function* decodeResults(
  text: string,
  pieces: string[],
  commandAt: (index: number) => Command | undefined,
): Steps<readonly CommandReply[]> {
  const replies: CommandReply[] = [];
  for (const [index, packed] of (JSON.parse(text) as PackedResult[]).entries())
    replies.push(yield* tryUnpackResult(packed, commandAt(index), pieces));
  return replies;
}

function* tryUnpackResult(
  packed: PackedResult,
  command: Command | undefined,
  pieces: string[],
): Steps<CommandReply> {
  try {
    return yield* unpackResult(packed, command, pieces);
  } catch (error) {
    return { kind: 'unknown', message: `the result was lost: ${String(error)}` };
  }
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

interface PackedUpdated {
  readonly before: Packed<DomainRecord>;
  readonly after: Packed<DomainRecord>;
}

type PackedChanges = Omit<RecordsChanged, 'created' | 'updated' | 'deleted'> & {
  readonly created: PackedList<KnownRecord>;
  readonly updated: PackedList<PackedUpdated>;
  readonly deleted: PackedList<Packed<DomainRecord>>;
};

function* packResult(
  reply: CommandReply,
  command: Command | undefined,
  pieces: PieceSender,
): Steps<PackedResult> {
  if (reply.kind !== 'decided') return reply;
  const { result } = reply;
  if (!result.ok) return { kind: 'refused', result };
  const places = new Map(recordsIn(command).map((record, index) => [record, index]));
  const { value, difference, ...rest } = result;
  const packedValue = yield* packValue(value, places, pieces);
  if (difference === undefined) return { kind: 'done', result: { value: packedValue, ...rest } };
  const packedDifference =
    difference === value ? ('value' as const) : yield* packChanges(difference, places, pieces);
  return { kind: 'done', result: { value: packedValue, difference: packedDifference, ...rest } };
}

function* unpackResult(
  packed: PackedResult,
  command: Command | undefined,
  pieces: string[],
): Steps<CommandReply> {
  if (packed.kind === 'refused') return { kind: 'decided', result: packed.result };
  if (packed.kind !== 'done') return packed;
  const sent = recordsIn(command);
  const { value: packedValue, difference: packedDifference, ...rest } = packed.result;
  const value = yield* unpackValue(packedValue, sent, pieces);
  if (packedDifference === undefined) return { kind: 'decided', result: { value, ...rest } };
  const difference =
    packedDifference === 'value'
      ? (value as RecordsChanged)
      : yield* unpackChanges(packedDifference, sent, pieces);
  return { kind: 'decided', result: { value, difference, ...rest } };
}

function recordsIn(command: Command | undefined): readonly DomainRecord[] {
  if (command?.kind === 'createRecord') return [command.record];
  if (command?.kind === 'changeRecords') return command.changes.creates;
  return command?.kind === 'importZone' ? command.records : [];
}

type Places = ReadonlyMap<DomainRecord, number>;

function* packValue(value: CommandSuccess['value'], places: Places, pieces: PieceSender): Steps<PackedValue> {
  if (value === null) return { kind: 'plain', value };
  if ('rdata' in value) return { kind: 'record', record: packKnown(value, places) };
  if ('unchanged' in value) return { kind: 'changes', changes: yield* packChanges(value, places, pieces) };
  return { kind: 'plain', value };
}

function* unpackValue(
  packed: PackedValue,
  sent: readonly DomainRecord[],
  pieces: string[],
): Steps<CommandSuccess['value']> {
  switch (packed.kind) {
    case 'plain':
      return packed.value;
    case 'record':
      return unpackKnown(packed.record, sent);
    case 'changes':
      return yield* unpackChanges(packed.changes, sent, pieces);
  }
}

function* packChanges(changes: RecordsChanged, places: Places, pieces: PieceSender): Steps<PackedChanges> {
  const packUpdated = ({ before, after }: RecordsChanged['updated'][number]): PackedUpdated => ({
    before: pack(before),
    after: pack(after),
  });
  const packCreated = (record: DomainRecord): KnownRecord => packKnown(record, places);
  return {
    ...changes,
    created: yield* packList(changes.created, packCreated, octetsOfRecord, pieces),
    updated: yield* packList(changes.updated, packUpdated, octetsOfUpdated, pieces),
    deleted: yield* packList(changes.deleted, pack, octetsOfRecord, pieces),
  };
}

function* unpackChanges(
  packed: PackedChanges,
  sent: readonly DomainRecord[],
  pieces: string[],
): Steps<RecordsChanged> {
  const unpackUpdated = ({ before, after }: PackedUpdated): RecordsChanged['updated'][number] => ({
    before: unpack(before),
    after: unpack(after),
  });
  const unpackCreated = (record: KnownRecord): DomainRecord => unpackKnown(record, sent);
  return {
    ...packed,
    created: yield* unpackList(packed.created, unpackCreated, pieces),
    updated: yield* unpackList(packed.updated, unpackUpdated, pieces),
    deleted: yield* unpackList(packed.deleted, unpack<DomainRecord>, pieces),
  };
}

function packKnown(record: DomainRecord, places: Places): KnownRecord {
  return places.get(record) ?? pack(record);
}

function unpackKnown(record: KnownRecord, sent: readonly DomainRecord[]): DomainRecord {
  return typeof record === 'number' ? sent[record] : unpack(record);
}
