// The resources of one process: memory and open files as reported by Linux, lag and event loop delay as reported by
// the process.

import { readdirSync, readFileSync } from 'node:fs';
import { findValue, readExposition } from '../harness/exposition.ts';
import type { HttpClient } from '../harness/http-client.ts';

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
  const memoryKilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return {
    memoryBytes: Number(memoryKilobytes) * 1024,
    openFiles: readdirSync(`/proc/${pid}/fd`).length,
    lagSeconds: findValue(metrics, 'zonewright_feed_lag_seconds'),
    loopDelayMs: (findValue(metrics, 'nodejs_eventloop_lag_p99_seconds') ?? NaN) * 1000,
  };
}
