/** What `npm run bench` is made of: measurements in groups, each group with a fresh service of its own. */

import type { ServiceUnderTest } from './service-under-test.ts';

/** A piece of work and the rows of figures that come of it. */
export interface Measurement {
  readonly rows: readonly string[];
  /** @returns the figures of each row, in the order of the group's heads */
  readonly measure: (service: ServiceUnderTest) => Promise<readonly Figures[]>;
}

export type Figures = readonly string[];

export interface MeasurementGroup {
  readonly title: string;
  /** What stands above the figures. */
  readonly heads: readonly string[];
  readonly measurements: readonly Measurement[];
}
