// Checks delegations: missing glue (RFC 9471), DS records without a delegation, and records that are hidden below a zone cut
// or a DNAME.
import { domainNameAt, formatDomainName } from '../dns/name.ts';
import { rrType } from '../dns/codes.ts';
import { formatRecordType } from '../dns/rdata/record-type-registry.ts';
import type { DomainRecord, OwnerKey } from '../model/record.ts';
import { isDelegation, parents, type IndexedZone } from './indexed-zone.ts';
import { warnOf, type Findings } from '../model/zone-warning.ts';

export function* checkDelegations(
  index: IndexedZone,
  owner: OwnerKey,
  records: readonly DomainRecord[],
): Findings {
  if (isDelegation(index, owner)) yield* checkGlue(index, owner, records);
  else if (index.has(owner, rrType.DS)) yield* checkDs(owner, records);
  yield* checkHidden(index, owner, records);
}

function* checkGlue(index: IndexedZone, owner: OwnerKey, records: readonly DomainRecord[]): Findings {
  for (const { type, rdata, name, id: recordId } of records) {
    yield;
    if (type !== rrType.NS) continue;
    const host = domainNameAt(rdata, 0);
    const hostOwner = host && index.ownerOf(host);
    if (host === undefined || hostOwner === undefined) continue;
    if (hostOwner !== owner && !parents(hostOwner).includes(owner)) continue;
    if (hasAddress(index, hostOwner)) continue;
    const message = `The NS record names ${formatDomainName(host)} inside the delegated zone, but there is no address record (glue) for it`;
    yield { code: 'glue_missing', severity: 'error', name, type, recordId, message };
  }
}

/** RFC 4035 section 2.4. */
function* checkDs(owner: OwnerKey, records: readonly DomainRecord[]): Findings {
  for (const record of records) {
    yield;
    if (record.type !== rrType.DS) continue;
    const message =
      owner === ''
        ? 'The DS record of the domain itself belongs to the parent zone; give it to your registrar (RFC 4035 section 2.4)'
        : 'The DS record is at a name that is not delegated: add the NS records, or delete it (RFC 4035 section 2.4)';
    yield warnOf(record, 'ds_without_delegation', 'error', message);
  }
}

function* checkHidden(index: IndexedZone, owner: OwnerKey, records: readonly DomainRecord[]): Findings {
  const cut = isDelegation(index, owner) ? owner : index.above(owner, rrType.NS);
  const dname = index.above(owner, rrType.DNAME);
  if (cut === undefined && dname === undefined) return;
  for (const record of records) {
    yield;
    const { name, type, id: recordId } = record;
    if (cut !== undefined && isSeenAtCut(record, owner === cut, index.glueNames)) continue;
    const reason =
      cut === undefined ? `the DNAME at ${dname} redirects every name below it` : `${cut} is delegated`;
    yield {
      code: cut === undefined ? 'hidden_below_dname' : 'hidden_below_delegation',
      severity: 'warning',
      name,
      type,
      recordId,
      message: `The ${formatRecordType(type)} record is never served, since ${reason}`,
    };
  }
}

/** NS and DS at the cut belong to the parent zone (RFC 4035 section 3.1.4.1), as does glue at and below it. */
function isSeenAtCut(
  { type, owner }: DomainRecord,
  isCut: boolean,
  glueNames: ReadonlySet<OwnerKey>,
): boolean {
  if (isCut && (type === rrType.NS || type === rrType.DS)) return true;
  return (type === rrType.A || type === rrType.AAAA) && glueNames.has(owner);
}

function hasAddress(index: IndexedZone, owner: OwnerKey): boolean {
  return index.has(owner, rrType.A) || index.has(owner, rrType.AAAA);
}
