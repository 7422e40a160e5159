import type { DomainName } from '../../dns/name.ts';
import { formatZoneFile, type FormattedRecord } from '../../dns/zone-file/format-zone-file.ts';
import { isProblem, readZoneFile, type ZoneFileProblem } from '../../dns/zone-file/read-zone-file.ts';
import { uLabelsToAscii } from '../names/zone-names.ts';

/**
 * Splits a zone file of any size into pieces that are zone files themselves. Only one piece is held in memory. A
 * mistake in the file is returned in place, with its line in the file.
 */
export interface ZonePiece {
  readonly text: string;
  readonly recordCount: number;
  /** The file's line number for each line of the text, which is counted from 1. */
  readonly sourceLines: readonly number[];
}

/** @param recordsPerPiece maximum */
export function* readZonePieces(
  lines: Iterable<string>,
  origin: DomainName,
  recordsPerPiece: number,
): Generator<ZonePiece | ZoneFileProblem> {
  let records: FormattedRecord[] = [];
  // Each piece begins with a $ORIGIN line.
  let sourceLines = [0, 1];
  for (const item of readZoneFile(lines, origin, uLabelsToAscii)) {
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
