import { parseRecordType } from '../dns/rdata/record-type-registry.ts';
import type { ZoneName } from '../model/domain.ts';
import { quoteText } from '../model/quote-text.ts';
import { parseRecordName } from '../model/record-name.ts';
import { refused, success, type Result } from '../model/result.ts';
import type { RecordFilter } from '../store/record-filter.ts';

/** A filter as the client sent it. */
export interface RecordFilterInput {
  readonly type?: string | undefined;
  /** `''` is the apex. */
  readonly name?: string | undefined;
  readonly data?: { readonly text: string; readonly match: 'exact' | 'prefix' | 'contains' } | undefined;
  readonly search?: string | undefined;
}

/** @param zone null for a search in all domains, where a name is relative to each of them */
export function parseRecordFilterInput(
  input: RecordFilterInput,
  zone: ZoneName | null,
): Result<RecordFilter> {
  const { type: typeText, name, data, search } = input;
  const type = typeText === undefined ? undefined : parseRecordType(typeText);
  if (typeText !== undefined && type === undefined) {
    return refused('invalid_request', `Record type ${quoteText(typeText)} is unknown`, 'type');
  }
  if (name === undefined) return success({ type, data, search });
  const owner = parseRecordName(name, zone ?? ANY_ZONE);
  if (!owner.ok) return refused('invalid_request', owner.problem, 'name');
  return success({ type, owner: owner.value.owner, data, search });
}

/** No domain has this name (RFC 6761 section 6.4), so every name is read as relative. */
const ANY_ZONE = 'invalid' as ZoneName;
