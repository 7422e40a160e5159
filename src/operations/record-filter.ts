import { parseRecordType } from '../dns/rdata/record-type-registry.ts';
import type { ZoneName } from '../model/domain.ts';
import { quoteText } from '../model/quote-text.ts';
import { parseRecordName } from '../model/record-name.ts';
import { accepted, refused, type Accepted } from '../model/refusal.ts';
import type { RecordFilter } from '../store/record-filter.ts';

/** Which records are wanted, as it was asked for; `''` as name is the apex. */
export interface RecordWish {
  readonly type?: string | undefined;
  readonly name?: string | undefined;
  readonly data?: { readonly text: string; readonly match: 'exact' | 'prefix' | 'contains' } | undefined;
  readonly search?: string | undefined;
}

/** @param zone null: of all domains, where a name means the same below each */
export function parseRecordWish(wish: RecordWish, zone: ZoneName | null): Accepted<RecordFilter> {
  const { type: typeText, name, data, search } = wish;
  const type = typeText === undefined ? undefined : parseRecordType(typeText);
  if (typeText !== undefined && type === undefined) {
    return refused('invalid_request', `Record type ${quoteText(typeText)} is unknown`, 'type');
  }
  if (name === undefined) return accepted({ type, data, search });
  const owner = parseRecordName(name, zone ?? ANY_ZONE);
  if (!owner.ok) return refused('invalid_request', owner.problem, 'name');
  return accepted({ type, owner: owner.value.owner, data, search });
}

/** Names that end in it are found nowhere (RFC 6761 section 6.4). */
const ANY_ZONE = 'invalid' as ZoneName;
