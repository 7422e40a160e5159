/** What a check of a zone found; nothing of it is refused, since it may be meant. */
export interface ZoneWarning {
  /** Stable, for programmes. */
  readonly code: WarningCode;
  readonly severity: Severity;
  /** As the interface shows it; `''` is the apex. */
  readonly name: string;
  /** RR type number; null where it is about the name. */
  readonly type: number | null;
  /** The record at fault, where it is one. */
  readonly recordId: string | null;
  /** One sentence. */
  readonly message: string;
}

/** What a check finds, and undefined for each record that it looks at: there it may be left for a while. */
export type Findings<Result = void> = Generator<ZoneWarning | undefined, Result, undefined>;

/** `error`: something will not work. `warning`: most likely a slip. `notice`: worth knowing. */
export type Severity = 'error' | 'warning' | 'notice';

export type WarningCode =
  | 'target_missing'
  | 'target_is_alias'
  | 'target_is_address'
  | 'target_without_domain'
  | 'target_ends_in_zone_twice'
  | 'alias_loop'
  | 'name_ends_in_zone_twice'
  | 'glue_missing'
  | 'hidden_below_delegation'
  | 'hidden_below_dname'
  | 'ttls_differ'
  | 'private_address'
  | 'spf_several'
  | 'spf_lookups'
  | 'spf_malformed'
  | 'dkim_key_broken'
  | 'dkim_key_short'
  | 'dmarc_without_policy'
  | 'dmarc_several'
  | 'escaped_semicolon';
