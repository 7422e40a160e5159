import type { DomainRecord } from './record.ts';

/** A likely mistake in a zone. Never a reason to refuse a write, since it may be intended. */
export interface ZoneWarning {
  /** Stable, for programs. */
  readonly code: WarningCode;
  readonly severity: Severity;
  /** The record name that the interface shows; `''` for the apex. */
  readonly name: string;
  /** The RR type number; null if the warning is about the name. */
  readonly type: number | null;
  /** The record at fault, if it is a single one. */
  readonly recordId: string | null;
  /** One sentence. */
  readonly message: string;
}

/** The warnings of a check, and undefined for each record read: the caller may pause there. */
export type Findings<Result = void> = Generator<ZoneWarning | undefined, Result, undefined>;

/** `error`: something will not work. `warning`: most likely a mistake. `notice`: worth knowing. */
export type Severity = 'error' | 'warning' | 'notice';

export type WarningCode =
  | 'target_missing'
  | 'target_is_alias'
  | 'target_is_address'
  | 'target_without_domain'
  | 'target_ends_in_zone_twice'
  | 'target_not_a_host_name'
  | 'alias_loop'
  | 'alias_chain_long'
  | 'name_ends_in_zone_twice'
  | 'glue_missing'
  | 'hidden_below_delegation'
  | 'hidden_below_dname'
  | 'hidden_by_domain'
  | 'hides_records_above'
  | 'ds_without_delegation'
  | 'nameserver_single'
  | 'nameserver_placeholder'
  | 'referral_too_large'
  | 'answer_too_large'
  | 'ttls_differ'
  | 'ttl_short'
  | 'host_name_unusual'
  | 'digest_length'
  | 'caa_tag_unknown'
  | 'null_mx_not_alone'
  | 'private_address'
  | 'spf_several'
  | 'spf_lookups'
  | 'spf_malformed'
  | 'spf_allows_all'
  | 'spf_void_lookup'
  | 'spf_type_obsolete'
  | 'dkim_key_broken'
  | 'dkim_key_short'
  | 'dmarc_without_policy'
  | 'dmarc_several'
  | 'mta_sts_without_id'
  | 'mta_sts_several'
  | 'escaped_semicolon'
  | 'domain_withheld';

/** A warning about one record. */
export function warnOf(
  record: Pick<DomainRecord, 'name' | 'type' | 'id'>,
  code: WarningCode,
  severity: Severity,
  message: string,
): ZoneWarning {
  return { code, severity, name: record.name, type: record.type, recordId: record.id, message };
}

/** A warning about an RRset. */
export function warnOfSet(
  record: Pick<DomainRecord, 'name' | 'type'>,
  code: WarningCode,
  severity: Severity,
  message: string,
): ZoneWarning {
  return { code, severity, name: record.name, type: record.type, recordId: null, message };
}
