import type { Command, CommandOf } from './command.ts';
import { isRsa, type ZoneKey } from '../dnssec/zone-key.ts';
import { sliceLimits } from './signing/slice-limits.ts';
import { octetsOfRecord, RECORD_FRAME_OCTETS } from './record-octets.ts';

/** How much work a command is, as far as it is known before it is decided. */
export interface CommandWeight {
  /** Rows that are read or written. */
  readonly rows: number;
  /** Octets of these rows. */
  readonly octets: number;
}

/** Reading or writing a row costs as much as copying so many octets. */
const ROW_OCTETS = 512;

/** A command with more rows is large: about 20 ms of work. */
export const LARGE_ROWS = 1000;

/** A command with more octets is large: about 20 ms of work. The longest record is far below. */
export const LARGE_OCTETS = 1024 * 1024;

/** One number for rows and octets, in octets; turns are counted in it. */
export function costOf({ rows, octets }: CommandWeight): number {
  return rows * ROW_OCTETS + octets;
}

/** A large command is prepared outside the writer, so that other writers do not wait for it. */
export function isLarge({ rows, octets }: CommandWeight): boolean {
  return rows > LARGE_ROWS || octets > LARGE_OCTETS;
}

/** The most rows and octets that the writer decides itself: half a second, and memory that its thread has. */
const MAX_WRITER_ROWS = 20 * LARGE_ROWS;
const MAX_WRITER_OCTETS = 16 * LARGE_OCTETS;

/** Whether the writer may decide a large command itself, after preparing it has failed several times. */
export function canWriterDecide({ rows, octets }: CommandWeight): boolean {
  return rows <= MAX_WRITER_ROWS && octets <= MAX_WRITER_OCTETS;
}

/** Signing a name takes as long as writing ten rows, and a record is often the only one of its name. */
export const SIGNED_ROW_COST = 11;

/** The same with an RSA key, whose signatures take twelve times as long; a name needs two. */
export const RSA_SIGNED_ROW_COST = 40;

/** With more rows, a command can be large if its domain is signed. */
export const LARGE_SIGNED_ROWS = Math.floor(LARGE_ROWS / RSA_SIGNED_ROW_COST);

/** The cost of a row in a domain that is signed with these keys. */
export function signedRowCost(keys: readonly Pick<ZoneKey, 'algorithm'>[]): number {
  return keys.some(({ algorithm }) => isRsa(algorithm)) ? RSA_SIGNED_ROW_COST : SIGNED_ROW_COST;
}

/** Whether a command may have a whole domain signed again, or lose its signatures. */
export function mayResign(
  command: Command,
): command is CommandOf<
  'updateDomain' | 'changeDenial' | 'startRollover' | 'moveRollover' | 'cancelRollover' | 'addZoneKey'
> {
  switch (command.kind) {
    case 'updateDomain':
      return command.dnsSec !== undefined;
    case 'moveRollover':
      return command.to === 'next';
    case 'addZoneKey':
      return command.key.origin !== 'foreign';
    case 'changeDenial':
    case 'startRollover':
    case 'cancelRollover':
      return true;
    default:
      return false;
  }
}

/** The rows that a command refers to, as the store counts them without reading them all. */
export interface TouchedRows {
  /** Records of the domain that a command replaces, reverts or lists. */
  readonly records?: number;
  /** Changes of the domain that a revert undoes, up to a limit. */
  readonly changes?: number;
  /** Octets of all these rows, or of the records that a batch of changes names; more than `LARGE_OCTETS` if not all are counted. */
  readonly octets?: number;
  /** The cost of each row in the domain: 1, or more if it is signed (see `signedRowCost`). */
  readonly rowCost?: number;
}

/** Weighs a command: what it carries, and what it touches. */
export function weighCommand(command: Command, touched: TouchedRows = {}): CommandWeight {
  // The signatures of larger domains are made later, in slices.
  const isLater = mayResign(command) && (touched.records ?? 0) > sliceLimits.namesAtOnce;
  const { records = 0, changes = 0, octets = 0, rowCost = 1 } = isLater ? {} : touched;
  const sent = weighSent(command);
  return {
    rows: (sent.rows + records + changes) * Math.max(rowCost, resigningCost(command)),
    octets: sent.octets + octets + (records + changes) * RECORD_FRAME_OCTETS,
  };
}

/** A domain that is signed with this command has no keys yet. */
function resigningCost(command: Command): number {
  if (!mayResign(command)) return 1;
  return command.kind === 'addZoneKey' ? signedRowCost([command.key]) : SIGNED_ROW_COST;
}

/** Two records in each of the two sets, of which one replaces the other. */
const SIGNAL_ROWS = 4;

const lightest: CommandWeight = { rows: 1, octets: RECORD_FRAME_OCTETS };

function weighSent(command: Command): CommandWeight {
  switch (command.kind) {
    case 'createRecord':
      return { rows: 1, octets: octetsOfRecord(command.record) };
    case 'updateRecord':
      return { rows: 1, octets: octetsOfPatch(command.patch) };
    case 'importZone': {
      let octets = RECORD_FRAME_OCTETS;
      for (const record of command.records) octets += octetsOfRecord(record);
      const { rows = [] } = command.presigned ?? {};
      for (const { rdata } of rows) octets += RECORD_FRAME_OCTETS + rdata.length;
      return { rows: 1 + command.records.length + rows.length, octets };
    }
    case 'withholdDomains':
    case 'releaseDomains':
      return { rows: 1 + 2 * command.domains.length, octets: RECORD_FRAME_OCTETS };
    case 'noteTrail':
      return { rows: 1 + command.entries.length, octets: RECORD_FRAME_OCTETS };
    case 'updateSignals':
      return { rows: 1 + command.about.length * SIGNAL_ROWS, octets: RECORD_FRAME_OCTETS };
    case 'changeRecords': {
      const { deletes, updates, creates } = command.changes;
      let octets = RECORD_FRAME_OCTETS;
      for (const id of deletes) octets += id.length;
      for (const { patch } of updates) octets += octetsOfPatch(patch);
      for (const record of creates) octets += octetsOfRecord(record);
      return { rows: 1 + deletes.length + updates.length + creates.length, octets };
    }
    case 'signSlice':
      // Prepared, also if it is the last one and has few names.
      return { rows: SIGNED_ROW_COST * sliceLimits.names, octets: RECORD_FRAME_OCTETS };
    default:
      return lightest;
  }
}

/** Data counts twice: as text and as wire data. */
function octetsOfPatch({ name = '', data = '' }: { readonly name?: string; readonly data?: string }): number {
  return RECORD_FRAME_OCTETS + name.length + data.length * 2;
}
