// What the main thread and the writer thread say to each other. Commands and results travel as one JSON text a message,
// with RDATA as Latin-1 text: copying objects between threads costs twice as much, and copying a small view of a pooled
// buffer copies the whole pool.
import type { Command } from '../../model/command.ts';
import type { DomainRecord } from '../../model/record.ts';
import type { ZoneUpdate } from '../../model/zone-update.ts';
import type { WriteResult } from '../write-queue.ts';
import type { BatchResult } from './sqlite-writer.ts';

export interface WriterData {
  readonly path: string;
}

export type ToWriter =
  | { readonly kind: 'commands'; readonly text: string }
  | { readonly kind: 'upkeep'; readonly nowMs: number; readonly historyStartMs: number }
  /** After everything sent before: finish, tidy up and end. */
  | { readonly kind: 'close' };

export type FromWriter =
  | { readonly kind: 'ready' }
  /** The next results, in the order in which the commands were sent, and how long their batch took. */
  | { readonly kind: 'results'; readonly text: string; readonly commitMs: number }
  | { readonly kind: 'trouble'; readonly doing: string; readonly message: string };

type Packed<T> = Omit<T, 'rdata'> & { readonly rdata: string };

export function encodeCommands(commands: readonly Command[]): string {
  return JSON.stringify(commands.map(packCommand));
}

export function decodeCommands(text: string): Command[] {
  return (JSON.parse(text) as ReturnType<typeof packCommand>[]).map(unpackCommand);
}

function packCommand(command: Command) {
  if (command.kind === 'createRecord') return { ...command, record: pack(command.record) };
  if (command.kind !== 'createDomain') return command;
  const address = command.address === null ? null : pack(command.address);
  return { ...command, address, nameservers: command.nameservers.map(pack) };
}

function unpackCommand(packed: ReturnType<typeof packCommand>): Command {
  if (packed.kind === 'createRecord') return { ...packed, record: unpack(packed.record) };
  if (packed.kind !== 'createDomain') return packed;
  const address = packed.address === null ? null : unpack(packed.address);
  return { ...packed, address, nameservers: packed.nameservers.map(unpack) };
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

type PackedResult = PackedRecord | WriteResult;

interface PackedRecord {
  readonly kind: 'record';
  readonly outcome: { readonly ok: true; readonly created: boolean; readonly serial?: number };
  /** Null: just as it was sent. */
  readonly record: Packed<DomainRecord> | null;
}

function packResult(result: WriteResult, command: Command | undefined): PackedResult {
  if (result.kind !== 'decided' || !result.outcome.ok) return result;
  const { value, ...outcome } = result.outcome;
  if (value === null || !('rdata' in value)) return result;
  const isAsSent = command?.kind === 'createRecord' && value === command.record;
  return { kind: 'record', outcome, record: isAsSent ? null : pack(value) };
}

function unpackResult(packed: PackedResult, command: Command | undefined): WriteResult {
  if (packed.kind !== 'record') return packed;
  const { outcome, record } = packed;
  if (record !== null) return { kind: 'decided', outcome: { ...outcome, value: unpack(record) } };
  if (command?.kind !== 'createRecord') return { kind: 'failed', message: 'the answer fits no command' };
  return { kind: 'decided', outcome: { ...outcome, value: command.record } };
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

function unpack<T>(packed: Packed<T>): T & { readonly rdata: Uint8Array } {
  const rdata = new Uint8Array(packed.rdata.length);
  for (let index = 0; index < rdata.length; index++) rdata[index] = packed.rdata.charCodeAt(index);
  return { ...packed, rdata } as unknown as T & { readonly rdata: Uint8Array };
}
