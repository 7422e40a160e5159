// The resources of a service and its children: memory and open files as reported by Linux, lag and event loop delay as
// reported by the process that speaks HTTP.

import { readdirSync } from 'node:fs';
import { findValue, readExposition } from '../harness/exposition.ts';
import type { HttpClient } from '../harness/http-client.ts';
import { processFamily, residentMb } from '../harness/process-family.ts';

export interface WatchedProcess {
  readonly name: string;
  readonly pid: number;
  readonly http: HttpClient;
}

export interface ProcessSample {
  readonly memoryBytes: number;
  readonly openFiles: number;
  /** Undefined if the process serves no DNS. */
  readonly lagSeconds: number | undefined;
  /** 99th percentile since the last scrape. */
  readonly loopDelayMs: number;
}

export async function sampleProcess({ name, pid, http }: WatchedProcess): Promise<ProcessSample> {
  const { status, text } = await http.get('/metrics');
  if (status !== 200) throw new Error(`${name}: /metrics was answered ${status} ${text}`);
  const metrics = readExposition(text);
  const family = processFamily(pid);
  const sum = (read: (each: number) => number): number => family.map(read).reduce((a, b) => a + b, 0);
  return {
    memoryBytes: sum(residentMb) * 2 ** 20,
    openFiles: sum((each) => readdirSync(`/proc/${each}/fd`).length),
    lagSeconds: findValue(metrics, 'zonewright_feed_lag_seconds'),
    loopDelayMs: (findValue(metrics, 'nodejs_eventloop_lag_p99_seconds') ?? NaN) * 1000,
  };
}
