// Metrics whose values are kept elsewhere and read at each scrape.
import { Counter, Gauge, type Registry } from 'prom-client';

/** One line of a metric: the values of its labels and the figure. */
export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface WatchedMetric {
  readonly name: string;
  /** Help text, a sentence. */
  readonly help: string;
  readonly labelNames?: readonly string[];
  /** The current samples. A metric without labels has one, or none if it has no meaning now. */
  readonly read: () => readonly Sample[] | Promise<readonly Sample[]>;
}

/** For totals: the value must never decrease while the process lives. */
export function watchCounter(registry: Registry, { name, help, labelNames = [], read }: WatchedMetric): void {
  new Counter({
    name,
    help,
    labelNames: [...labelNames],
    registers: [registry],
    async collect() {
      const samples = await read();
      this.reset();
      for (const { labels, value } of samples) this.inc(labels, value);
    },
  });
}

export function watchGauge(registry: Registry, { name, help, labelNames = [], read }: WatchedMetric): void {
  new Gauge({
    name,
    help,
    labelNames: [...labelNames],
    registers: [registry],
    async collect() {
      const samples = await read();
      this.reset();
      // Without labels, `reset` leaves a 0 that was never measured.
      if (samples.length === 0) this.remove();
      for (const { labels, value } of samples) this.set(labels, value);
    },
  });
}

/** The sample of a metric without labels; none if there is no value. */
export function oneSample(value: number | null): readonly Sample[] {
  return value === null ? [] : [{ labels: {}, value }];
}
