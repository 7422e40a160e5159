/** The operator's settings that the record rules depend on. Plain data: it crosses threads with a command. */
export interface RecordRules {
  /** Largest TXT content in octets (contract rule 25). */
  readonly txtLimitBytes: number;
  /** The TTL for requests without one or with 0; null if such requests are refused (contract rule 22). */
  readonly defaultTtlSeconds: number | null;
}
