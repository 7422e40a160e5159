import { assert } from '../base/assert.ts';
import { decodeCharacterStrings } from '../dns/character-strings.ts';
import { BIND_SIGNING_TYPE, rrType } from '../dns/codes.ts';
import { formatDomainName, isSubdomain, parseDomainName, type DomainName } from '../dns/name.ts';
import { formatRdata } from '../dns/rdata/rdata.ts';
import { findRecordType, formatRecordType } from '../dns/rdata/record-type-registry.ts';
import {
  isProblem,
  type ZoneFileItem,
  type ZoneFileProblem,
  type ZoneFileRecord,
} from '../dns/zone-file/read-zone-file.ts';
import type { ZoneName } from './domain.ts';
import { readSoaNames } from './read-soa-names.ts';
import { hasCapitals, parseRecordName } from './record-name.ts';
import type { RecordRules } from './record-rules.ts';
import type { DomainRecord } from './record.ts';
import { MAX_PROBLEMS } from './refusal.ts';
import { contentKey } from './same-content.ts';
import { showRecordData } from './show-record-data.ts';
import { hasOwnTimes, SOA_TTL_SECONDS } from './soa.ts';
import { ImportAdjustments, type AdjustmentCode } from './import-adjustments.ts';

/**
 * The records that a zone file, often of another provider, has for a zone of this service:
 *
 *     item ─▶ in the zone? ─▶ ours to serve? ─▶ TTL and size by the rules ─▶ duplicate? ─▶ record
 *
 * Records that do not belong here are skipped with a reason; malformed ones are problems with their line and column. Does
 * not know the domain's existing records, and does not check whether records conflict: the write does that.
 */
export interface ZoneFileContent {
  readonly records: readonly PlacedRecord[];
  /** SOA fields to import; null if the service's own apply. */
  readonly soaPrimary: string | null;
  readonly soaEmail: string | null;
  readonly skipped: readonly SkippedRecord[];
  readonly adjustments: ImportAdjustments;
  readonly problems: readonly ZoneFileProblem[];
}

export interface PlacedRecord {
  readonly record: Omit<DomainRecord, 'id'>;
  readonly line: number;
  readonly column: number;
}

export interface SkippedRecord {
  readonly line: number;
  /** In zone file format. */
  readonly record: string;
  /** One sentence. */
  readonly reason: string;
}

export interface ZoneFileRules extends RecordRules {
  /** Host names of this service's nameservers. NS records that name them are imported. */
  readonly nameservers: readonly string[];
  /** The names in the domain's own NS records, which are imported, too. */
  readonly existingNameservers?: readonly string[];
  /** The zone was signed elsewhere and is served as it is: nothing of it is left out. */
  readonly isPresigned?: true;
}

export function readZoneFileRecords(
  items: Iterable<ZoneFileItem>,
  zone: ZoneName,
  rules: ZoneFileRules,
): ZoneFileContent {
  const importing = new ZoneFileRecords(zone, rules);
  for (const item of items) if (!importing.take(item)) break;
  return importing;
}

/** For callers that do other work between two items. */
export class ZoneFileRecords implements ZoneFileContent {
  readonly records: PlacedRecord[] = [];
  readonly skipped: SkippedRecord[] = [];
  readonly problems: ZoneFileProblem[] = [];
  soaPrimary: string | null = null;
  soaEmail: string | null = null;
  private readonly zone: ZoneName;
  private readonly apex: DomainName;
  private readonly rules: ZoneFileRules;
  private readonly ownNameservers: ReadonlySet<string>;
  private readonly keptNameservers: ReadonlySet<string>;
  private hasSoa = false;
  private readonly seen = new Map<string, { readonly line: number; readonly ttl: number }>();
  readonly adjustments = new ImportAdjustments();

  constructor(zone: ZoneName, rules: ZoneFileRules) {
    const apex = parseDomainName(zone);
    assert(apex.ok, 'a zone name is a name');
    this.zone = zone;
    this.apex = apex.value;
    this.rules = rules;
    this.ownNameservers = new Set(rules.nameservers.map((name) => name.toLowerCase()));
    const { existingNameservers = [] } = rules;
    this.keptNameservers = new Set([...this.ownNameservers, ...existingNameservers]);
  }

  /** Returns false after `MAX_PROBLEMS` problems; the caller should stop. */
  take(item: ZoneFileItem): boolean {
    if (isProblem(item)) this.problems.push(item);
    else this.add(item);
    return this.problems.length < MAX_PROBLEMS;
  }

  private add(item: ZoneFileRecord): void {
    const isApex = item.owner.length === this.apex.length;
    if (!isSubdomain(item.owner, this.apex)) {
      // After the zone's own SOA record the file is known to be this zone's; nameservers then ignore such records.
      if (this.hasSoa && item.type !== rrType.SOA) this.skip(item, `it is outside ${this.zone}`);
      else this.fail(item, `the name ${formatDomainName(item.owner)} is outside ${this.zone}`);
    } else if (item.type === rrType.SOA) {
      if (isApex) this.takeSoa(item);
      else this.fail(item, 'an SOA record must be at the apex');
    } else {
      const reason = this.findSkipReason(item, isApex);
      if (reason === undefined) this.takeRecord(item);
      else this.skip(item, reason);
    }
  }

  private takeSoa(item: ZoneFileRecord): void {
    this.hasSoa = true;
    const { primary, email } = readSoaNames(item.rdata);
    if (this.rules.isPresigned === true) {
      this.soaPrimary = primary ?? null;
      this.soaEmail = email ?? null;
      return;
    }
    if (primary !== undefined && this.ownNameservers.has(primary)) {
      this.soaPrimary = primary;
      if (item.ttl !== SOA_TTL_SECONDS || !hasOwnTimes(item.rdata)) this.adjust(item, 'soa_times');
    } else this.skip(item, 'its primary nameserver, serial and times are the old provider’s');
    if (email === undefined) this.skip(item, 'its mailbox is not a mail address');
    else this.soaEmail = email;
  }

  private findSkipReason({ type, rdata }: ZoneFileRecord, isApex: boolean): string | undefined {
    if (this.rules.isPresigned === true) return undefined;
    if (findRecordType(type)?.serviceOwned === true || (isApex && signedByOldProvider.has(type))) {
      return 'DNSSEC data of the old provider is not valid here';
    }
    if (isApex && type === rrType.NS) {
      const { data } = showRecordData(type, rdata);
      if (!this.keptNameservers.has(data.toLowerCase()))
        return 'NS records of the zone itself name the old provider; to have this one, create it in the domain';
    }
    return undefined;
  }

  private takeRecord(item: ZoneFileRecord): void {
    const name = parseRecordName(item.ownerText ?? formatDomainName(item.owner), this.zone);
    if (!name.ok) {
      this.fail(item, name.problem);
      return;
    }
    const { rdata } = item;
    const ttl = item.ttl ?? this.rules.defaultTtlSeconds;
    if (this.isTooLong(item)) return;
    if (ttl === null) {
      this.fail(item, 'the record has no TTL, the file has no $TTL, and this service has no default');
      return;
    }
    if (this.isDuplicate(item, name.value.owner, ttl)) return;
    const { data, priority } = showRecordData(item.type, rdata, item.hasULabels);
    const content = {
      owner: name.value.owner,
      name: name.value.name,
      type: item.type,
      data,
      priority,
      rdata,
    };
    const { line, column } = item;
    if (item.ttl === null) this.adjust(item, 'default_ttl');
    if (hasCapitals(name.value.name)) this.adjust(item, 'owner_case');
    this.records.push({ record: { ...content, ttl }, line, column });
  }

  private isTooLong(item: ZoneFileRecord): boolean {
    if (item.type !== rrType.TXT) return false;
    const { length } = decodeCharacterStrings(item.rdata);
    const { txtLimitBytes } = this.rules;
    if (length <= txtLimitBytes) return false;
    this.fail(item, `TXT data has ${length} bytes of content, more than the limit of ${txtLimitBytes}`);
    return true;
  }

  /** The first of several duplicate records counts, as in other software that reads zone files. */
  private isDuplicate(item: ZoneFileRecord, owner: string, ttl: number): boolean {
    const key = `${owner} ${contentKey(item)}`;
    const first = this.seen.get(key);
    if (first === undefined) {
      this.seen.set(key, { line: item.line, ttl });
      return false;
    }
    if (first.ttl === ttl) this.adjust(item, 'duplicate');
    else this.skip(item, `line ${first.line} has the same record with TTL ${first.ttl}`);
    return true;
  }

  private skip(item: ZoneFileRecord, reason: string): void {
    this.skipped.push({ line: item.line, reason, record: describe(item) });
  }

  private adjust(item: ZoneFileRecord, code: AdjustmentCode): void {
    this.adjustments.add(code, () => ({ line: item.line, record: describe(item) }));
  }

  private fail({ line, column }: ZoneFileRecord, message: string): void {
    this.problems.push({ line, column, message });
  }
}

function describe({ owner, ownerText, ttl, type, rdata }: ZoneFileRecord): string {
  const words = [
    ownerText ?? formatDomainName(owner),
    ttl ?? '',
    'IN',
    formatRecordType(type),
    formatRdata(type, rdata),
  ];
  return words.filter((word) => word !== '').join(' ');
}

/** At the apex, these refer to keys that remain with the old provider. */
const signedByOldProvider: ReadonlySet<number> = new Set([
  rrType.DS,
  rrType.CDS,
  rrType.CDNSKEY,
  rrType.ZONEMD,
  BIND_SIGNING_TYPE,
]);
