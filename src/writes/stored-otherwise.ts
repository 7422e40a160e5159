import { hasCapitals } from '../model/record-name.ts';
import type { DomainRecord, SentRecord } from '../model/record.ts';
import type { SentIndexes, StoredOtherwise } from '../model/record-changes.ts';
import { MAX_ADJUSTMENT_EXAMPLES } from '../model/import-adjustments.ts';

/** Counts the records of an import that are stored otherwise than they were sent. */
export class StoredOtherwiseCount implements StoredOtherwise {
  readonly repeated = new CountedIndexes();
  readonly respelled = new CountedIndexes();
  readonly reshown = new CountedIndexes();

  /** @param existing keeps its spelling */
  compare(index: number, sent: SentRecord, existing: DomainRecord): void {
    const hasOtherName = sent.name !== existing.name;
    // Text that is sent as it is shown does not say which octets it means (contract rule 25).
    const hasOtherOctets = sent.asShown === undefined && !isEqual(sent.rdata, existing.rdata);
    const isRespelled = hasOtherOctets || (hasOtherName && hasCapitals(sent.name));
    if (isRespelled) this.respelled.add(index);
    if (isRespelled || hasOtherName || sent.data !== existing.data) this.reshown.add(index);
  }
}

class CountedIndexes implements SentIndexes {
  count = 0;
  readonly first: number[] = [];

  add(index: number): void {
    this.count++;
    if (this.first.length < MAX_ADJUSTMENT_EXAMPLES) this.first.push(index);
  }
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((octet, at) => octet === b[at]);
}
