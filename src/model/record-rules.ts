/** The operator's choices that the record rules depend on. Plain data: it crosses threads with a command. */
export interface RecordRules {
  /** Largest TXT content in octets (contract rule 25). */
  readonly txtLimitBytes: number;
  /** TTL taken when a request has none or 0, in seconds; null: such a request is refused (contract rule 22). */
  readonly defaultTtlSeconds: number | null;
}
