import { closeSync, openSync, readSync } from 'node:fs';
import { parseDomainName, type DomainName } from '../dns/name.ts';
import { formatZoneFile, type FormattedRecord } from '../dns/zone-file/format-zone-file.ts';
import { isProblem, readZoneFile, type ZoneFileProblem } from '../dns/zone-file/read-zone-file.ts';
import { unreadableFile } from './read-input-file.ts';

/**
 * A master file of any size in pieces that are master files of their own. No more than one piece of it is held in memory;
 * a mistake in the file is a problem of its own, with the file's line.
 */
export interface ZonePiece {
  readonly text: string;
  readonly recordCount: number;
  /** The file's line of each line of the text, by its number from 1. */
  readonly sourceLines: readonly number[];
}

/** @param recordsPerPiece how many at most */
export function* readZonePieces(
  path: string,
  origin: DomainName,
  recordsPerPiece: number,
): Generator<ZonePiece | ZoneFileProblem> {
  let records: FormattedRecord[] = [];
  // A piece begins with its $ORIGIN.
  let sourceLines = [0, 1];
  for (const item of readZoneFile(linesOfFile(path), origin)) {
    if (isProblem(item)) {
      yield item;
      continue;
    }
    const { owner, type, rdata, line, column } = item;
    if (item.ttl === null) {
      yield { line, column, message: 'the record has no TTL, and the file none before it' };
      continue;
    }
    records.push({ owner, type, ttl: item.ttl, rdata });
    sourceLines.push(line);
    if (records.length < recordsPerPiece) continue;
    yield pieceOf(origin, records, sourceLines);
    records = [];
    sourceLines = [0, 1];
  }
  if (records.length > 0) yield pieceOf(origin, records, sourceLines);
}

function pieceOf(
  origin: DomainName,
  records: readonly FormattedRecord[],
  sourceLines: readonly number[],
): ZonePiece {
  const text = [...formatZoneFile(origin, [], records)].join('');
  return { text, recordCount: records.length, sourceLines };
}

/** What is read from the disk at once. */
const CHUNK_BYTES = 256 * 1024;

/** @throws CommandFailure when it cannot be read */
export function* linesOfFile(path: string): Generator<string> {
  const chunk = Buffer.alloc(CHUNK_BYTES);
  const decoder = new TextDecoder();
  const descriptor = openForReading(path);
  try {
    let rest = '';
    for (let size = readChunk(path, descriptor, chunk); size > 0; size = readChunk(path, descriptor, chunk)) {
      const lines = (rest + decoder.decode(chunk.subarray(0, size), { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
    if (rest !== '') yield rest;
  } finally {
    closeSync(descriptor);
  }
}

function openForReading(path: string): number {
  try {
    return openSync(path, 'r');
  } catch (error) {
    throw unreadableFile(path, error);
  }
}

function readChunk(path: string, descriptor: number, chunk: Buffer): number {
  try {
    return readSync(descriptor, chunk);
  } catch (error) {
    throw unreadableFile(path, error);
  }
}

/** Undefined: it is no domain name. */
export function originOf(domain: string): DomainName | undefined {
  const name = parseDomainName(domain);
  return name.ok ? name.value : undefined;
}
