/** Types for `npm run bench`: measurements in groups, each group with a new service of its own. */

import type { ServiceUnderTest } from './service-under-test.ts';

/** A task and the rows of figures that it produces. */
export interface Measurement {
  readonly rows: readonly string[];
  /**
   * @param round counts from 0
   * @returns the figures of each row, in the order of the group's column titles
   */
  readonly measure: (service: ServiceUnderTest, round: number) => Promise<readonly Figures[]>;
  /** Absent: it is done once. Otherwise the result is the median of each figure. */
  readonly rounds?: number;
}

export type Figures = readonly string[];

export interface MeasurementGroup {
  readonly title: string;
  /** Column titles. */
  readonly heads: readonly string[];
  readonly measurements: readonly Measurement[];
}
