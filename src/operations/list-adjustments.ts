import { formatRdata } from '../dns/rdata/rdata.ts';
import { formatRecordType } from '../dns/rdata/record-type-registry.ts';
import type { ZoneName } from '../model/domain.ts';
import type { AdjustedRecord, Adjustment } from '../model/import-adjustments.ts';
import { hasPriority } from '../model/priority.ts';
import type { RecordsChanged } from '../model/record-changes.ts';
import { APEX } from '../model/record-name.ts';
import type { DomainRecord } from '../model/record.ts';
import type { ReadContent } from './read-zone-content.ts';

/** Everything that is stored otherwise than it was sent: found while reading, and found beside the existing records. */
export function listAdjustments(
  zone: ZoneName,
  { adjustments, records, places }: ReadContent,
  { otherwise }: RecordsChanged,
): readonly Adjustment[] {
  if (otherwise !== undefined) {
    const describe = (index: number): AdjustedRecord =>
      places === null
        ? { index, record: describeSent(records[index]) }
        : { line: places[index].line, record: describeEntry(records[index], zone) };
    adjustments.addAll('duplicate', otherwise.repeated, describe);
    // Zone files write all data in their own way, so that only differences in DNS count.
    const spelled = places === null ? otherwise.reshown : otherwise.respelled;
    adjustments.addAll('existing_spelling', spelled, describe);
  }
  return adjustments.list();
}

/** As the records of a list are sent. */
function describeSent({ name, ttl, type, priority, data }: DomainRecord): string {
  const words = [name === '' ? '@' : name, ttl, 'IN', formatRecordType(type)];
  return [...words, ...(hasPriority(type) ? [priority] : []), data].join(' ');
}

/** In zone file format. */
function describeEntry({ owner, name, ttl, type, rdata }: DomainRecord, zone: ZoneName): string {
  const full = owner === APEX ? zone : `${name}.${zone}`;
  return `${full}. ${ttl} IN ${formatRecordType(type)} ${formatRdata(type, rdata)}`;
}
