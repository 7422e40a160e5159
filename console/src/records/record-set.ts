import type { RecordJson } from '../../../src/contract/response-shapes.ts';

/** All records of a domain. */
export interface RecordSet {
  /** A revision that is not later than what was read: a write with it is refused if anybody has changed something since. */
  readonly revision: string;
  /** The serial that includes the revision; undefined: the service has not said it. */
  readonly serial: number | undefined;
  readonly records: readonly RecordJson[];
  /** More are being loaded, or loading has stopped half-way. */
  readonly isPart: boolean;
}

/** Without the mark of a domain that is withheld, which changes by itself. */
export function plainTag(tag: string | undefined): string {
  return (tag ?? '').replace(/\.[^".]*"$/, '"');
}
