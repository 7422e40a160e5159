/**
 * Writes zone files (RFC 1035 section 5) that any nameserver's tools can read: one record per line, with explicit TTL
 * and class. Owners are relative to one $ORIGIN; names in data are absolute.
 */
import { formatDomainName, isSubdomain, type DomainName } from '../name.ts';
import { formatRdata } from '../rdata/rdata.ts';
import { formatRecordType } from '../rdata/record-type-registry.ts';

export interface FormattedRecord {
  /** The whole name, at or below the origin. */
  readonly owner: DomainName;
  readonly ttl: number;
  readonly type: number;
  readonly rdata: Uint8Array;
}

/** Widths to which owners and TTLs are padded; longer ones push the rest to the right. */
const OWNER_COLUMNS = 24;
const TTL_COLUMNS = 7;

/** Each piece ends with a line feed. @param remarks lines written as comments at the top */
export function* formatZoneFile(
  origin: DomainName,
  remarks: readonly string[],
  records: Iterable<FormattedRecord>,
): Generator<string> {
  for (const remark of remarks) yield `; ${printable(remark)}\n`;
  yield `$ORIGIN ${formatDomainName(origin)}\n`;
  yield* formatRecordLines(origin, records);
}

/** The lines of records, for a file with this `$ORIGIN`; each ends with a line feed. */
export function* formatRecordLines(
  origin: DomainName,
  records: Iterable<FormattedRecord>,
): Generator<string> {
  for (const { owner, ttl, type, rdata } of records) {
    const name = formatOwner(owner, origin).padEnd(OWNER_COLUMNS);
    yield `${name} ${String(ttl).padEnd(TTL_COLUMNS)} IN ${formatRecordType(type).padEnd(5)} ${formatRdata(type, rdata)}\n`;
  }
}

function formatOwner(owner: DomainName, origin: DomainName): string {
  const name = formatDomainName(owner);
  if (!isSubdomain(owner, origin)) return name;
  const suffix = formatDomainName(origin);
  if (name.length === suffix.length) return '@';
  // For the root, only the final dot is removed.
  return suffix === '.' ? name.slice(0, -1) : name.slice(0, name.length - suffix.length - 1);
}

/** A comment is one line of printable text. */
function printable(text: string): string {
  return text.replace(/\p{C}/gu, '?');
}
