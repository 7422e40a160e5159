import { generatedType } from './generated-row.ts';
import type { ServedRecord } from './zone-update.ts';

/** Records of one owner and type, as they are served. */
export interface ServedSet {
  readonly type: number;
  /** The lowest TTL of the records (RFC 2181 section 5.2). */
  readonly ttl: number;
  readonly rdatas: readonly Uint8Array[];
}

/** The rows of one owner: its sets in the order of their first records, and what the service has added to sign them. */
export interface OwnerRows<Row> {
  readonly sets: readonly ServedSet[];
  /** Rows of signatures and of hashed names. */
  readonly generated: readonly Row[];
}

/** @param rows of one owner, without that of a signed SOA record */
export function groupRows<Row extends ServedRecord>(rows: readonly Row[]): OwnerRows<Row> {
  const sets: { readonly type: number; ttl: number; readonly rdatas: Uint8Array[] }[] = [];
  const generated: Row[] = [];
  for (const row of rows) {
    const { type, ttl, rdata } = row;
    const set = sets.find((candidate) => candidate.type === type);
    if (type === generatedType.unfinished) continue;
    if (type === generatedType.signatures || type === generatedType.hashedName) generated.push(row);
    else if (set === undefined) sets.push({ type, ttl, rdatas: [rdata] });
    else {
      set.ttl = Math.min(set.ttl, ttl);
      set.rdatas.push(rdata);
    }
  }
  return { sets, generated };
}
