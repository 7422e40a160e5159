/** Types for `npm run bench`: measurements in groups, each group with a new service of its own. */

import type { ServiceUnderTest } from './service-under-test.ts';

/** A task and the rows of figures that it produces. */
export interface Measurement {
  readonly rows: readonly string[];
  /** @returns the figures of each row, in the order of the group's column titles */
  readonly measure: (service: ServiceUnderTest) => Promise<readonly Figures[]>;
}

export type Figures = readonly string[];

export interface MeasurementGroup {
  readonly title: string;
  /** Column titles. */
  readonly heads: readonly string[];
  readonly measurements: readonly Measurement[];
}
