// Metrics whose values others keep: they are read anew at each scrape.
import { Counter, Gauge, type Registry } from 'prom-client';

/** One line of a metric: its labels' values and the figure. */
export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface WatchedMetric {
  readonly name: string;
  /** A sentence. */
  readonly help: string;
  readonly labelNames?: readonly string[];
  /** The samples at this moment; a metric without labels has one, or none where it means nothing now. */
  readonly read: () => readonly Sample[] | Promise<readonly Sample[]>;
}

/** For totals: what is read may only rise as long as the process lives. */
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
      // Without labels, `reset` leaves a 0 that nobody measured.
      if (samples.length === 0) this.remove();
      for (const { labels, value } of samples) this.set(labels, value);
    },
  });
}

/** The one sample of a metric without labels; none where there is no figure. */
export function oneSample(value: number | null): readonly Sample[] {
  return value === null ? [] : [{ labels: {}, value }];
}
