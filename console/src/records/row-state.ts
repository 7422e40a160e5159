import type { RecordJson } from '../../../src/contract/response-shapes.ts';
import type { Draft, StagedChange } from './draft.ts';
import type { RecordValue } from './record-value.ts';
import type { Row } from './record-rows.ts';

export type RowState = 'same' | 'created' | 'changed' | 'deleted';

export interface ShownRow {
  readonly state: RowState;
  /** As it is staged. */
  readonly value: RecordValue;
}

/** Returns a row as the draft leaves it. */
export function showRow({ key, record, value }: Row, draft: Draft): ShownRow {
  if (record === undefined) return { state: 'created', value };
  if (key in draft.deleted) return { state: 'deleted', value };
  const change = draft.changed[key] as StagedChange | undefined;
  return change === undefined ? { state: 'same', value } : { state: 'changed', value: change.after };
}

/** The records among rows, for changes of many: new ones have none. */
export function recordsOf(rows: readonly Row[]): readonly RecordJson[] {
  return rows.flatMap(({ record }) => record ?? []);
}
