/** The members of a PATCH of a record, unparsed; members that were not sent are absent. `applyPatch` parses them. */
export interface RecordPatch {
  readonly type?: string;
  readonly name?: string;
  readonly data?: string;
  readonly ttl?: number | string;
  readonly priority?: number | string;
}
