/** Latencies of answers at a given rate, as dnsperf prints them for each query. */

import { spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServiceUnderTest } from './service-under-test.ts';

/** @returns sorted milliseconds, or undefined if dnsperf is not installed */
export async function dnsperfLatencies(
  ...load: Parameters<typeof dnsperfAnswers>
): Promise<number[] | undefined> {
  return (await dnsperfAnswers(...load))?.latenciesMs;
}

export interface DnsperfAnswers {
  readonly sent: number;
  /** Those of answers without an error, sorted. */
  readonly latenciesMs: number[];
}

/** @returns undefined if dnsperf is not installed */
export async function dnsperfAnswers(
  service: Pick<ServiceUnderTest, 'host' | 'dnsPort'>,
  names: readonly string[],
  perSecond: number,
  seconds: number,
): Promise<DnsperfAnswers | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'zonewright-bench-'));
  const file = join(folder, 'queries');
  writeFileSync(file, names.map((name) => `${name} A\n`).join(''));
  const args = ['-s', service.host, '-p', String(service.dnsPort), '-d', file, '-v'];
  args.push('-l', String(seconds), '-Q', String(perSecond), '-T', '1', '-c', '4');
  // Written to a file, because reading along would take processor time from the measurement.
  const output = join(folder, 'output');
  const into = openSync(output, 'w');
  const child = spawn('dnsperf', args, { stdio: ['ignore', into, 'ignore'] });
  try {
    const succeeded = await new Promise<boolean>((resolve) => {
      child.once('error', () => resolve(false));
      child.once('close', (code) => resolve(code === 0));
    });
    if (!succeeded) return undefined;
    // `> NOERROR host-1.example A 0.000123`
    const text = readFileSync(output, 'utf8');
    const lines = text.matchAll(/^> NOERROR \S+ \S+ ([\d.]+)$/gm);
    const latenciesMs = Array.from(lines, ([, seconds]) => Number(seconds) * 1000).sort((x, y) => x - y);
    return { sent: Number(/Queries sent:\s+(\d+)/.exec(text)?.[1]), latenciesMs };
  } finally {
    closeSync(into);
    rmSync(folder, { recursive: true });
  }
}
