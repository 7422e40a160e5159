/** What a PATCH of a record may carry, as it came: members not given are absent. `applyPatch` judges it. */
export interface RecordPatch {
  readonly type?: string;
  readonly name?: string;
  readonly data?: string;
  readonly ttl?: number | string;
  readonly priority?: number | string;
}
