import type { NewRecord } from '../../client/record-batches.ts';
import type { RecordJson } from '../../contract/response-shapes.ts';
import { toAscii } from '../names/zone-names.ts';
import { formatRecord } from '../terminal/record-columns.ts';

/** One sentence if the service stores a record otherwise than it was given, for example because it exists already. */
export function describeStored(domain: string, given: NewRecord, stored: RecordJson): string | undefined {
  const isSame =
    relativeName(given.name, domain) === stored.name &&
    (given.ttl === undefined || given.ttl === stored.ttl) &&
    spellings(stored).includes(given.data.trim());
  return isSame ? undefined : `note: stored otherwise than given: ${formatRecord(stored)}`;
}

/** The domain is cut off a full name (contract rule 21). */
function relativeName(given: string, domain: string): string {
  const name = given.trim();
  const full = `.${name}`.replace(/\.$/, '').toLowerCase();
  const ending = [domain.toLowerCase(), toAscii(domain).toLowerCase()].find((suffix) =>
    full.endsWith(`.${suffix.replace(/\.$/, '')}`),
  );
  if (name === '@' || ending === undefined) return name === '@' ? '' : name;
  return name.slice(0, Math.max(0, full.length - ending.replace(/\.$/, '').length - 2));
}

/** The ways to write its data: with its priority in front, and text without quotes. */
function spellings({ type, priority, data }: RecordJson): readonly string[] {
  if (type === 'TXT') return [data, data.slice(1, -1).replaceAll('\\"', '"')];
  return [data, `${priority} ${data}`];
}
