// Checks delegations: missing glue (RFC 9471), DS records without a delegation, and records that are hidden below a zone cut,
// a DNAME or another domain.
import { domainNameAt, formatDomainName } from '../dns/name.ts';
import { rrType } from '../dns/codes.ts';
import { formatRecordType } from '../dns/rdata/record-type-registry.ts';
import type { DomainRecord, OwnerKey } from '../model/record.ts';
import { isDelegation, parents, type IndexedZone } from './indexed-zone.ts';
import { warnOf, type Findings, type WarningCode } from '../model/zone-warning.ts';

export function* checkDelegations(
  index: IndexedZone,
  owner: OwnerKey,
  records: readonly DomainRecord[],
): Findings {
  if (isDelegation(index, owner)) yield* checkGlue(index, owner, records);
  else if (index.has(owner, rrType.DS)) yield* checkDs(owner, records);
  yield* checkHidden(index, owner, records);
  if (owner === '') yield* checkParent(index);
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
  const hiding = findHiding(index, owner);
  if (hiding === undefined) return;
  for (const record of records) {
    yield;
    if (hiding.cut !== undefined && isSeenAtCut(record, owner === hiding.cut, index.glueNames)) continue;
    const message = `The ${formatRecordType(record.type)} record is never served, since ${hiding.reason}`;
    yield warnOf(record, hiding.code, 'warning', message);
  }
}

interface Hiding {
  readonly code: WarningCode;
  readonly reason: string;
  /** The zone cut, at and below which some records are seen. */
  readonly cut: OwnerKey | undefined;
}

/** Finds out what hides the records of a name; undefined if nothing does. */
function findHiding(index: IndexedZone, owner: OwnerKey): Hiding | undefined {
  const { domainsBelow } = index.facts;
  const domain =
    domainsBelow.size === 0 ? undefined : [owner, ...parents(owner)].find((name) => domainsBelow.has(name));
  if (domain !== undefined) {
    const reason = `${domain}.${index.zone} is a domain of its own here; move it there or delete it`;
    return { code: 'hidden_by_domain', reason, cut: domain };
  }
  const cut = isDelegation(index, owner) ? owner : index.above(owner, rrType.NS);
  if (cut !== undefined) return { code: 'hidden_below_delegation', reason: `${cut} is delegated`, cut };
  const dname = index.above(owner, rrType.DNAME);
  if (dname === undefined) return undefined;
  const reason = `the DNAME at ${dname} redirects every name below it`;
  return { code: 'hidden_below_dname', reason, cut };
}

/** Seen from the domain that hides records of the one above it. */
function* checkParent({ facts: { parent } }: IndexedZone): Findings {
  if (parent === undefined || parent.hiddenTypes.length === 0) return;
  const types = parent.hiddenTypes.map((type) => formatRecordType(type)).join(', ');
  const message = `The domain ${parent.name} has records of this name (${types}), which are no longer served since this domain exists; move them here, or delete them there`;
  yield { code: 'hides_records_above', severity: 'warning', name: '', type: null, recordId: null, message };
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
