import { assert } from '../base/assert.ts';
import { decodeCharacterStrings, encodeCharacterStrings } from '../dns/character-strings.ts';
import { rrType } from '../dns/codes.ts';
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
import { parseRecordName } from './record-name.ts';
import type { RecordRules } from './record-rules.ts';
import type { DomainRecord } from './record.ts';
import { contentKey } from './same-content.ts';
import { showRecordData } from './show-record-data.ts';

/**
 * What a master file of another provider becomes here:
 *
 *     item ─▶ in the zone? ─▶ ours to serve? ─▶ TTL and size by the rules ─▶ double? ─▶ record
 *
 * What is not taken over is set aside with a reason; what is wrong is a problem with its place. Never looks at what the
 * domain holds, nor at whether the records can stand beside each other: the store does, where it decides.
 */
export interface ImportedZone {
  readonly records: readonly ImportedRecord[];
  /** What is taken of the SOA; null: nothing. */
  readonly soaPrimary: string | null;
  readonly soaEmail: string | null;
  readonly setAside: readonly SetAside[];
  readonly problems: readonly ZoneFileProblem[];
}

export interface ImportedRecord {
  readonly record: Omit<DomainRecord, 'id'>;
  readonly line: number;
  readonly column: number;
}

export interface SetAside {
  readonly line: number;
  /** As a master file has it. */
  readonly record: string;
  /** One sentence. */
  readonly reason: string;
}

export interface ImportRules extends RecordRules {
  /** Host names of this service's nameservers: NS records that name them are ours already. */
  readonly nameservers: readonly string[];
}

/** The reading ends here: more of them say nothing new. */
export const MAX_IMPORT_PROBLEMS = 100;

export function importZone(items: Iterable<ZoneFileItem>, zone: ZoneName, rules: ImportRules): ImportedZone {
  const importing = new ZoneImport(zone, rules);
  for (const item of items) if (!importing.take(item)) break;
  return importing;
}

/** For callers that have other work to do between two items. */
export class ZoneImport implements ImportedZone {
  readonly records: ImportedRecord[] = [];
  readonly setAside: SetAside[] = [];
  readonly problems: ZoneFileProblem[] = [];
  soaPrimary: string | null = null;
  soaEmail: string | null = null;
  private readonly zone: ZoneName;
  private readonly apex: DomainName;
  private readonly rules: ImportRules;
  private readonly ownNameservers: ReadonlySet<string>;
  private hasSoa = false;
  private readonly seen = new Map<string, ZoneFileRecord>();

  constructor(zone: ZoneName, rules: ImportRules) {
    const apex = parseDomainName(zone);
    assert(apex.ok, 'a zone name is a name');
    this.zone = zone;
    this.apex = apex.value;
    this.rules = rules;
    this.ownNameservers = new Set(rules.nameservers.map((name) => name.toLowerCase()));
  }

  /** False: there are problems enough, and no more should come. */
  take(item: ZoneFileItem): boolean {
    if (isProblem(item)) this.problems.push(item);
    else this.add(item);
    return this.problems.length < MAX_IMPORT_PROBLEMS;
  }

  private add(item: ZoneFileRecord): void {
    const isApex = item.owner.length === this.apex.length;
    if (!isSubdomain(item.owner, this.apex)) {
      // The zone's own SOA record says that the file is this zone's: then nameservers leave such records out.
      if (this.hasSoa && item.type !== rrType.SOA) this.putAside(item, `it lies outside of ${this.zone}`);
      else this.fail(item, `the name ${formatDomainName(item.owner)} lies outside of ${this.zone}`);
    } else if (item.type === rrType.SOA) {
      if (isApex) this.takeSoa(item);
      else this.fail(item, 'a SOA record stands below the apex');
    } else {
      const reason = this.whyNotTaken(item, isApex);
      if (reason === undefined) this.takeRecord(item);
      else this.putAside(item, reason);
    }
  }

  private takeSoa(item: ZoneFileRecord): void {
    this.hasSoa = true;
    const { primary, email } = readSoaNames(item.rdata);
    if (primary !== undefined && this.ownNameservers.has(primary)) this.soaPrimary = primary;
    else this.putAside(item, 'its primary nameserver, serial and times are the old provider’s');
    if (email !== undefined && email !== `hostmaster@${this.zone}`) this.soaEmail = email;
  }

  private whyNotTaken({ type, rdata }: ZoneFileRecord, isApex: boolean): string | undefined {
    if (findRecordType(type)?.serviceOwned === true || (isApex && SIGNED_BY_OLD_PROVIDER.has(type))) {
      return 'DNSSEC data of the old provider is not valid here';
    }
    if (isApex && type === rrType.NS) {
      const { data } = showRecordData(type, rdata);
      if (!this.ownNameservers.has(data.toLowerCase()))
        return 'NS records of the zone itself name the old provider';
    }
    return undefined;
  }

  private takeRecord(item: ZoneFileRecord): void {
    const name = parseRecordName(formatDomainName(item.owner), this.zone);
    if (!name.ok) {
      this.fail(item, name.problem);
      return;
    }
    const rdata = this.wireForm(item);
    const ttl = item.ttl === null || item.ttl === 0 ? (this.rules.defaultTtlSeconds ?? item.ttl) : item.ttl;
    if (rdata === undefined) return;
    if (ttl === null) {
      this.fail(item, 'the record has no TTL, the file has no $TTL, and this service has no default');
      return;
    }
    if (this.isDouble(item, name.value.owner, rdata)) return;
    const { data, priority } = showRecordData(item.type, rdata);
    const content = {
      owner: name.value.owner,
      name: name.value.name,
      type: item.type,
      data,
      priority,
      rdata,
    };
    const { line, column } = item;
    this.records.push({ record: { ...content, ttl: Math.max(ttl, 1) }, line, column });
  }

  /** TXT content is cut anew into character-strings, as it would be if it came through the interface. */
  private wireForm(item: ZoneFileRecord): Uint8Array | undefined {
    if (item.type !== rrType.TXT) return item.rdata;
    const content = decodeCharacterStrings(item.rdata);
    const { txtLimitBytes } = this.rules;
    if (content.length <= txtLimitBytes) return encodeCharacterStrings(content);
    this.fail(
      item,
      `TXT data has ${content.length} bytes of content, more than the limit of ${txtLimitBytes}`,
    );
    return undefined;
  }

  /** The first of equal records counts, as with every other reader of master files. */
  private isDouble(item: ZoneFileRecord, owner: string, rdata: Uint8Array): boolean {
    const key = `${owner} ${contentKey({ type: item.type, rdata })}`;
    const first = this.seen.get(key);
    if (first === undefined) {
      this.seen.set(key, item);
      return false;
    }
    if (first.ttl !== item.ttl) {
      this.putAside(item, `the same record stands in line ${first.line} with TTL ${first.ttl}`);
    }
    return true;
  }

  private putAside(item: ZoneFileRecord, reason: string): void {
    const { owner, ttl, type, rdata, line } = item;
    const words = [
      formatDomainName(owner),
      ttl ?? '',
      'IN',
      formatRecordType(type),
      formatRdata(type, rdata),
    ];
    this.setAside.push({ line, reason, record: words.filter((word) => word !== '').join(' ') });
  }

  private fail({ line, column }: ZoneFileRecord, message: string): void {
    this.problems.push({ line, column, message });
  }
}

/** At the apex these speak of keys that stay behind. */
const SIGNED_BY_OLD_PROVIDER: ReadonlySet<number> = new Set([
  rrType.DS,
  rrType.CDS,
  rrType.CDNSKEY,
  rrType.ZONEMD,
]);
