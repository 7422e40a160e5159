/** Zone files for the other servers, named by `zoneFileName` of the comparison tests. */

import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { formatRecordLines, type FormattedRecord } from '../../src/dns/zone-file/format-zone-file.ts';
import type { ZoneName } from '../../src/model/domain.ts';
import { generatedType, SOA_ID } from '../../src/model/generated-row.ts';
import type { DomainRecord, OwnerKey } from '../../src/model/record.ts';
import {
  chainNameOf,
  chainRecords,
  openSignedZone,
  ownerRecords,
  type ChainName,
  type SignedZone,
} from '../../src/operations/signed-zone-records.ts';
import { createWireCache } from './fill-store.ts';
import { generatedRows, type GeneratedRow, type RowSigning } from './signed-rows.ts';
import { BENCH_NAMESERVER, type BenchZone } from './zones.ts';

const PIECE_CHARACTERS = 2 ** 20;
const SERVED_TTL = 300;

/** Writes a file for each zone, signed ones as the service exports them; returns the apexes. */
export function writeZoneFiles(folder: string, zones: Iterable<BenchZone>, signing: RowSigning): string[] {
  mkdirSync(folder, { recursive: true });
  const apexes: string[] = [];
  for (const zone of zones) {
    const path = join(folder, `${zone.apex}.zone`);
    apexes.push(zone.apex);
    if (zone.denial === undefined) writeFileSync(path, unsignedText(zone));
    else writePieces(path, signedLines(zone, apexes.length, signing));
  }
  return apexes;
}

function unsignedText({ apex, records }: BenchZone): string {
  const soa = `@ 3600 IN SOA ${BENCH_NAMESERVER}. hostmaster.${apex}. 1 7200 3600 1209600 300`;
  const lines = records.map(
    ({ owner, type, data }) => `${owner === '' ? '@' : owner} ${SERVED_TTL} IN ${type} ${data}`,
  );
  return `$ORIGIN ${apex}.\n${[soa, ...lines].join('\n')}\n`;
}

/** @param domainId as in the store, because the times of the signatures follow from it */
function* signedLines(zone: BenchZone, domainId: number, signing: RowSigning): Generator<string> {
  const rows = [...generatedRows(zone, domainId, signing)];
  const soaRow = rows.find(({ id }) => id === SOA_ID);
  const signed = openSignedZone(zone.apex as ZoneName, soaRow && servedRow(soaRow));
  yield `$ORIGIN ${zone.apex}.\n`;
  for (const records of signedParts(zone, signed, rows)) yield* formatRecordLines(signed.apex, records);
}

function* signedParts(
  zone: BenchZone,
  signed: SignedZone,
  rows: readonly GeneratedRow[],
): Generator<Iterable<FormattedRecord>> {
  yield signed.soa;
  const byOwner = rowsByOwner(zone, rows);
  for (const [owner, ofOwner] of byOwner) yield ownerRecords(signed, owner, ofOwner);
  const chainType = zone.denial === 'nsec3' ? generatedType.hashedName : generatedType.signatures;
  const names = rows
    .filter(({ type }) => type === chainType)
    .map((row) => chainName(signed, row, byOwner.get(row.owner)));
  for (const [i, name] of names.entries()) yield chainRecords(signed, name, names[(i + 1) % names.length]);
}

function chainName(
  signed: SignedZone,
  { owner, type, rdata }: GeneratedRow,
  ofOwner: readonly DomainRecord[] | undefined,
): ChainName {
  const hashedName = type === generatedType.hashedName ? rdata : undefined;
  const signatures = ofOwner?.find((row) => row.type === generatedType.signatures)?.rdata;
  const name = chainNameOf(signed, { owner, signatures, hashedName });
  if (name === undefined) throw new Error(`${owner} is not in the chain`);
  return name;
}

/** The rows of each owner that has records. */
function rowsByOwner(zone: BenchZone, rows: readonly GeneratedRow[]): Map<OwnerKey, DomainRecord[]> {
  const wireOf = createWireCache();
  const byOwner = new Map<OwnerKey, DomainRecord[]>();
  const add = (row: DomainRecord): void => {
    const known = byOwner.get(row.owner);
    if (known === undefined) byOwner.set(row.owner, [row]);
    else known.push(row);
  };
  for (const record of zone.records) {
    const owner = record.owner as OwnerKey;
    add(servedRow({ id: '', owner, ttl: SERVED_TTL, ...wireOf(record) }));
  }
  for (const row of rows) {
    if (row.id !== SOA_ID && row.type !== generatedType.hashedName) add(servedRow(row));
  }
  return byOwner;
}

function servedRow({ id, owner, type, ttl, rdata }: GeneratedRow): DomainRecord {
  return { id, owner, name: '', type, data: '', priority: -1, ttl, rdata };
}

/** A text of a million names is longer than a string can be. */
function writePieces(path: string, lines: Iterable<string>): void {
  const file = openSync(path, 'w');
  let piece = '';
  for (const line of lines) {
    piece += line;
    if (piece.length < PIECE_CHARACTERS) continue;
    writeSync(file, piece);
    piece = '';
  }
  writeSync(file, piece);
  closeSync(file);
}
