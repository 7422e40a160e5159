/** Answer latencies at a given rate, as dnsperf prints them query by query. */

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { ServiceUnderTest } from './service-under-test.ts';

/** @returns milliseconds, sorted; undefined when dnsperf is not installed */
export async function dnsperfLatencies(
  service: Pick<ServiceUnderTest, 'host' | 'dnsPort'>,
  names: readonly string[],
  perSecond: number,
  seconds: number,
): Promise<number[] | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'zonewright-bench-'));
  const file = join(folder, 'queries');
  writeFileSync(file, names.map((name) => `${name} A\n`).join(''));
  const args = ['-s', service.host, '-p', String(service.dnsPort), '-d', file, '-v'];
  args.push('-l', String(seconds), '-Q', String(perSecond), '-T', '1', '-c', '4');
  const child = spawn('dnsperf', args, { stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    const latenciesMs: number[] = [];
    const ended = new Promise<boolean>((resolve) => {
      child.once('error', () => resolve(false));
      child.once('close', (code) => resolve(code === 0));
    });
    // `> NOERROR host-1.example A 0.000123`
    createInterface({ input: child.stdout }).on('line', (line) => {
      const latency = /^> NOERROR \S+ \S+ ([\d.]+)$/.exec(line);
      if (latency !== null) latenciesMs.push(Number(latency[1]) * 1000);
    });
    return (await ended) ? latenciesMs.sort((a, b) => a - b) : undefined;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
