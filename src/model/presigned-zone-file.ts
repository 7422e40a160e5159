import { assert } from '../base/assert.ts';
import { BIND_SIGNING_TYPE, rrType } from '../dns/codes.ts';
import { formatDomainName, isSubdomain, parseDomainName, type DomainName } from '../dns/name.ts';
import { findRecordType, formatRecordType } from '../dns/rdata/record-type-registry.ts';
import { isProblem, type ZoneFileItem, type ZoneFileRecord } from '../dns/zone-file/read-zone-file.ts';
import type { ZoneName } from './domain.ts';
import { APEX, parseRecordName } from './record-name.ts';
import type { OwnerKey } from './record.ts';
import { MAX_PROBLEMS } from './refusal.ts';
import { ZoneFileRecords, type ZoneFileRules } from './zone-file-records.ts';

/** A record of a signed zone that no customer can create, as the file has it. */
export interface SignerRecord {
  /** The name in lower case, also for NSEC3 records, whose names are hashes. */
  readonly owner: OwnerKey;
  readonly type: number;
  readonly ttl: number;
  readonly rdata: Uint8Array;
  readonly line: number;
  readonly column: number;
}

/**
 * The most records of a signer in one file. A domain of `MAX_CHAINED_NAMES` names has two signatures and an NSEC record for
 * each of them, and twice as many signatures while keys are exchanged.
 */
export const MAX_SIGNER_RECORDS = 600_000;

/** Types whose records at the apex belong to the signer; BIND notes its work there in records of a private type. */
const signerTypesAtApex: ReadonlySet<number> = new Set([
  rrType.DNSKEY,
  rrType.CDS,
  rrType.CDNSKEY,
  rrType.NSEC3PARAM,
  rrType.ZONEMD,
  BIND_SIGNING_TYPE,
]);

/**
 * Sorts the records of a zone file that another signer has signed:
 *
 *     item ─▶ of the signer? ─▶ SOA │ apex: DNSKEY, CDS, … │ RRSIG │ NSEC, NSEC3
 *                  └─ no ─▶ ZoneFileRecords: what a customer could create
 *
 * Does not verify anything.
 */
export class PresignedZoneFile {
  readonly content: ZoneFileRecords;
  soa: SignerRecord | undefined;
  readonly apexRecords: SignerRecord[] = [];
  readonly signatures: SignerRecord[] = [];
  /** NSEC and NSEC3 records. */
  readonly proofs: SignerRecord[] = [];
  private readonly zone: ZoneName;
  private readonly apex: DomainName;
  private readonly rules: ZoneFileRules;

  constructor(zone: ZoneName, rules: ZoneFileRules) {
    const apex = parseDomainName(zone);
    assert(apex.ok, 'a zone name is a name');
    this.zone = zone;
    this.apex = apex.value;
    this.rules = { ...rules, isPresigned: true };
    this.content = new ZoneFileRecords(zone, this.rules);
  }

  /** The number of records of the signer. */
  get count(): number {
    return this.apexRecords.length + this.signatures.length + this.proofs.length;
  }

  /** Returns false after `MAX_PROBLEMS` problems; the caller should stop. */
  take(item: ZoneFileItem): boolean {
    if (isProblem(item) || !isSubdomain(item.owner, this.apex)) return this.content.take(item);
    const isApex = item.owner.length === this.apex.length;
    if (item.type === rrType.SOA && isApex) this.takeSoa(item);
    else if (item.type === rrType.RRSIG) this.add(this.signatures, item);
    else if (item.type === rrType.NSEC || item.type === rrType.NSEC3) this.add(this.proofs, item);
    else if (isApex && signerTypesAtApex.has(item.type)) this.add(this.apexRecords, item);
    else if (findRecordType(item.type)?.serviceOwned === true) {
      this.fail(item, `${formatRecordType(item.type)} records belong to the apex of ${this.zone} only`);
    } else return this.content.take(item);
    return this.content.problems.length < MAX_PROBLEMS;
  }

  private takeSoa(item: ZoneFileRecord): void {
    const soa = this.placed(item);
    if (soa === undefined) return;
    if (this.soa === undefined) this.soa = soa;
    else if (soa.rdata.some((octet, at) => octet !== this.soa?.rdata[at]))
      this.fail(item, 'the zone has two SOA records');
    // From now on, records outside the zone are skipped.
    this.content.take(item);
  }

  private add(records: SignerRecord[], item: ZoneFileRecord): void {
    const record = this.placed(item);
    if (record !== undefined) records.push(record);
  }

  private placed(item: ZoneFileRecord): SignerRecord | undefined {
    const { type, rdata, line, column } = item;
    const ttl = item.ttl ?? this.rules.defaultTtlSeconds;
    if (ttl === null) {
      this.fail(item, 'the record has no TTL, the file has no $TTL, and this service has no default');
      return undefined;
    }
    const isApex = item.owner.length === this.apex.length;
    const name = isApex ? undefined : parseRecordName(formatDomainName(item.owner), this.zone);
    if (name?.ok === false) {
      this.fail(item, name.problem);
      return undefined;
    }
    return { owner: name?.value.owner ?? APEX, type, ttl, rdata, line, column };
  }

  private fail({ line, column }: ZoneFileRecord, message: string): void {
    this.content.problems.push({ line, column, message });
  }
}
