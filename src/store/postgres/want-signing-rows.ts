import type { DomainName } from '../../dns/name.ts';
import type { Domain } from '../../model/domain.ts';
import { generatedPrefix, hashedNameId, SOA_ID } from '../../model/generated-row.ts';
import { APEX } from '../../model/record-name.ts';
import type { OwnerKey } from '../../model/record.ts';
import type { BatchSigning } from '../../writes/signing/batch-signing.ts';
import { OwnerIds } from '../../writes/signing/owner-ids.ts';
import { ownersAbove } from '../../writes/signing/owners-above.ts';
import { joinRange, type BatchRows } from './batch-rows.ts';

/** See `ZoneSigner`. */
export type HashName = (name: DomainName) => Uint8Array;

export function hashNameOf(signing: BatchSigning | undefined): HashName | undefined {
  return signing && ((name) => signing.signer.hashName(name));
}

/**
 * Requests the rows that signing needs where these owners change, so that deciding finds them at once: keys, the SOA record,
 * and for each owner the rows of the names above and its neighbours in the chain.
 */
export function wantSigningRows(
  rows: BatchRows,
  { id: domainId, name, denial, signingWork }: Pick<Domain, 'id' | 'name' | 'denial' | 'signingWork'>,
  owners: Iterable<OwnerKey>,
  hashName: HashName,
): void {
  const ids = new OwnerIds(name);
  const wantRow = (id: string): void => rows.generatedBetween.want(rowRange(domainId, id));
  const wantNeighbours = (prefix: string, id: string): void => {
    wantRow(id);
    rows.generatedBefore.want(joinRange(domainId, prefix, id));
    rows.generatedAfter.want(joinRange(domainId, prefix, id));
  };
  /** The chain is a ring. */
  const wantEnds = (prefix: string): void => {
    wantRow(endOf(prefix));
    rows.generatedBefore.want(joinRange(domainId, prefix, endOf(prefix)));
    rows.generatedAfter.want(joinRange(domainId, prefix, prefix));
  };
  rows.zoneKeys.want(String(domainId));
  wantRow(SOA_ID);
  wantEnds(generatedPrefix.signatures);
  const hasHashes = denial === 'nsec3' || signingWork?.denial === 'nsec3';
  if (hasHashes) wantEnds(generatedPrefix.hashedName);
  for (const owner of owners) {
    wantNeighbours(generatedPrefix.signatures, ids.idOf(owner));
    const names = [owner, ...ownersAbove(owner)];
    for (const above of names) wantRow(ids.idOf(above));
    if (!hasHashes) continue;
    for (const hashed of names) {
      // It tells whether an empty non-terminal stays.
      rows.generatedAfter.want(joinRange(domainId, generatedPrefix.signatures, ids.idOf(hashed)));
      if (hashed === APEX && owner !== APEX) continue;
      wantNeighbours(generatedPrefix.hashedName, hashedNameId(hashName(ids.nameOf(hashed))));
    }
  }
}

/**
 * Notes what the rows that were found tell besides: they are known by their ids, and nothing stands between the row before a
 * place and that place. The writer asks for both, because the row before a changed name is signed again.
 */
export function noteFoundRows(rows: BatchRows): void {
  for (const [found, place] of rows.placesBehind) {
    const { domainId, prefix, id } = place;
    const last = id === endOf(prefix);
    const isKnown = last || rows.generatedAfter.knows(joinRange(domainId, prefix, id));
    const at = rows.generatedBetween.peek(rowRange(domainId, id))?.at(0);
    const after = at ?? rows.generatedAfter.peek(joinRange(domainId, prefix, id));
    if (after !== undefined) rows.generatedAfter.put(found, after);
    else if (isKnown && rows.generatedBetween.knows(rowRange(domainId, id)))
      rows.generatedAfter.putAbsent(found);
  }
  rows.placesBehind.clear();
  for (const { domainId, record } of rows.foundRows) {
    const key = rowRange(domainId, record.id);
    if (!rows.generatedBetween.knows(key)) rows.generatedBetween.put(key, [record]);
  }
  rows.foundRows.length = 0;
}

/** The key of a single row among ranges. */
function rowRange(domainId: number, id: string): string {
  return joinRange(domainId, id, `${id} `, 1);
}

/** Sorts after all ids with the prefix. */
function endOf(prefix: string): string {
  return `${prefix}~`;
}
