// The rows of a chain of NSEC or NSEC3 records, for both engines: which they are, and how slices of them are read.
import { countLabels, type DomainName } from '../dns/name.ts';
import type { Denial } from '../dns/proven-types.ts';
import { generatedPrefix, signaturesId } from '../model/generated-row.ts';
import { formatOrderKey } from '../model/order-key.ts';
import { ownerBelow } from '../model/record-name.ts';
import type { OwnerKey } from '../model/record.ts';

/** The stored rows of one name of a chain. */
export interface ChainRow {
  readonly owner: OwnerKey;
  /** Data of its row of signatures (`decodeOwnerSignatures`); undefined if the name owns nothing. */
  readonly signatures: Uint8Array | undefined;
  /** Data of its row of a hashed name (`decodeHashedName`); undefined in a chain of NSEC records. */
  readonly hashedName: Uint8Array | undefined;
}

/** The columns of a row that are read. */
export const CHAIN_COLUMNS = 'id, owner, rdata';
export type StoredChainRow = [id: string, owner: OwnerKey, rdata: Uint8Array];

/** The ids of the rows that are in the order of the chain: `from` ≤ id < `to`. */
export function chainIds(denial: Denial): { readonly from: string; readonly to: string } {
  const prefix = denial === 'nsec' ? generatedPrefix.signatures : generatedPrefix.hashedName;
  // A tilde sorts after all characters of these ids.
  return { from: prefix, to: `${prefix}~` };
}

/** The least id that can follow in a chain: no character of these ids sorts before an exclamation mark. */
export function nextChainId(id: string): string {
  return `${id}!`;
}

/** The ids of the rows of signatures of these owners. */
export function signaturesIds(owners: readonly OwnerKey[], apex: DomainName): readonly string[] {
  const apexLabels = countLabels(apex);
  return owners.map((owner) => signaturesId(formatOrderKey(ownerBelow(owner, apex), apexLabels)));
}

/** Rows of a chain of NSEC records. */
export function toNamedRows(rows: readonly StoredChainRow[]): readonly ChainRow[] {
  return rows.map(([, owner, rdata]) => ({ owner, signatures: rdata, hashedName: undefined }));
}

/**
 * Rows of a chain of NSEC3 records.
 *
 * @param signaturesAt the data of the row of signatures of the owner at that position
 */
export function toHashedRows(
  rows: readonly StoredChainRow[],
  signaturesAt: (position: number) => Uint8Array | undefined,
): readonly ChainRow[] {
  return rows.map(([, owner, rdata], at) => ({ owner, signatures: signaturesAt(at), hashedName: rdata }));
}
