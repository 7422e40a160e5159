// Commands on their way to the writer thread, as JSON text: structured cloning of objects costs twice as much.
import type { Steps } from '../../base/steps.ts';
import type { DomainRecord, SentRecord } from '../../model/record.ts';
import type { ZoneKey } from '../../dnssec/zone-key.ts';
import type { Command, PresignedPart, SigningDisabled, SigningEnabled } from '../../writes/command.ts';
import { RECORD_FRAME_OCTETS, octetsOfRecord } from '../../writes/record-octets.ts';
import { packList, unpackList, type PieceSender } from './packed-list.ts';
import { pack, unpack } from './packed-record.ts';
import { packZoneKey, unpackZoneKey, type PackedZoneKey } from './packed-zone-key.ts';

/** A command, or the reason why it could not be decoded, which is a bug and fails only this command. */
export type DecodedCommand = { readonly command: Command } | { readonly failure: string };

/** Takes one step, except for whole zones. */
export function* encodeCommand(command: Command, pieces: PieceSender): Steps<string> {
  return JSON.stringify(yield* packCommand(command, pieces));
}

/** Takes one step, except for whole zones. @param text a JSON list of encoded commands */
export function* decodeCommands(
  text: string,
  count: number,
  pieces: string[],
): Steps<readonly DecodedCommand[]> {
  const decoded: DecodedCommand[] = [];
  try {
    for (const packed of JSON.parse(text) as PackedCommand[])
      decoded.push(yield* tryUnpackCommand(packed, pieces));
  } catch (error) {
    while (decoded.length < count) decoded.push({ failure: String(error) });
  }
  return decoded;
}

function* tryUnpackCommand(packed: PackedCommand, pieces: string[]): Steps<DecodedCommand> {
  try {
    return { command: yield* unpackCommand(packed, pieces) };
  } catch (error) {
    return { failure: String(error) };
  }
}

type PackedCommand = ReturnType<typeof packCommand> extends Steps<infer Command> ? Command : never;

function* packCommand(command: Command, pieces: PieceSender) {
  switch (command.kind) {
    case 'createRecord':
      return { ...command, record: pack(command.record) };
    case 'createDomain': {
      const address = command.address === null ? null : pack(command.address);
      const { dnsSec } = command;
      const nameservers = command.nameservers.map(pack);
      return { ...command, address, nameservers, dnsSec: dnsSec && packSigning(dnsSec) };
    }
    case 'updateDomain':
      return { ...command, dnsSec: command.dnsSec && packSigning(command.dnsSec) };
    case 'startRollover':
    case 'addZoneKey':
      return { ...command, key: packZoneKey(command.key) };
    case 'changeRecords': {
      const { deletes, updates, creates } = command.changes;
      const changes = {
        deletes: yield* packList(deletes, (id) => id, octetsOfText, pieces),
        updates: yield* packList(updates, (update) => update, octetsOfPatch, pieces),
        creates: yield* packList(creates, pack, octetsOfRecord, pieces),
      };
      return { ...command, changes };
    }
    case 'importZone': {
      const { records, nameservers, presigned } = command;
      const packed = {
        records: yield* packList(records, pack, octetsOfRecord, pieces),
        presigned: presigned && (yield* packPresigned(presigned, pieces)),
      };
      return { ...command, ...packed, nameservers: nameservers?.map(pack) };
    }
    default:
      return command;
  }
}

function* unpackCommand(packed: PackedCommand, pieces: string[]): Steps<Command> {
  switch (packed.kind) {
    case 'createRecord':
      return { ...packed, record: unpack(packed.record) };
    case 'createDomain': {
      const address = packed.address === null ? null : unpack(packed.address);
      const { dnsSec } = packed;
      const nameservers = packed.nameservers.map(unpack<SentRecord>);
      return { ...packed, address, nameservers, dnsSec: dnsSec && unpackSigning<SigningEnabled>(dnsSec) };
    }
    case 'updateDomain':
      return { ...packed, dnsSec: packed.dnsSec && unpackSigning(packed.dnsSec) };
    case 'startRollover':
    case 'addZoneKey':
      return { ...packed, key: unpackZoneKey(packed.key) };
    case 'changeRecords': {
      const { deletes, updates, creates } = packed.changes;
      const changes = {
        deletes: yield* unpackList(deletes, (id) => id, pieces),
        updates: yield* unpackList(updates, (update) => update, pieces),
        creates: yield* unpackList(creates, unpack<SentRecord>, pieces),
      };
      return { ...packed, changes };
    }
    case 'importZone': {
      const { records, nameservers, presigned } = packed;
      const unpacked = {
        records: yield* unpackList(records, unpack<SentRecord>, pieces),
        presigned: presigned && (yield* unpackPresigned(presigned, pieces)),
      };
      return { ...packed, ...unpacked, nameservers: nameservers?.map(unpack) };
    }
    default:
      return packed;
  }
}

type PackedSigning<T> = T extends { readonly key: ZoneKey }
  ? Omit<T, 'key'> & { readonly key: PackedZoneKey }
  : T;

function packSigning<T extends SigningEnabled | SigningDisabled>(dnsSec: T): PackedSigning<T> {
  const packed = 'key' in dnsSec ? { ...dnsSec, key: packZoneKey(dnsSec.key) } : dnsSec;
  return packed as PackedSigning<T>;
}

function unpackSigning<T extends SigningEnabled | SigningDisabled>(packed: PackedSigning<T>): T {
  const dnsSec = 'key' in packed ? { ...packed, key: unpackZoneKey(packed.key) } : packed;
  return dnsSec as unknown as T;
}

type PackedPresigned = ReturnType<typeof packPresigned> extends Steps<infer Part> ? Part : never;

function* packPresigned(part: PresignedPart, pieces: PieceSender) {
  const rows = yield* packList(part.rows, pack, octetsOfRecord, pieces);
  return { ...part, rows, keys: part.keys.map(packZoneKey) };
}

function* unpackPresigned(part: PackedPresigned, pieces: string[]): Steps<PresignedPart> {
  const rows = yield* unpackList(part.rows, unpack<DomainRecord>, pieces);
  return { ...part, rows, keys: part.keys.map(unpackZoneKey) };
}

function octetsOfText(text: string): number {
  return text.length;
}

function octetsOfPatch({
  id,
  patch,
}: {
  readonly id: string;
  readonly patch: { readonly name?: string; readonly data?: string };
}): number {
  return RECORD_FRAME_OCTETS + id.length + (patch.name?.length ?? 0) + (patch.data?.length ?? 0);
}
