// `npm run soak [-- --minutes 5]` puts a steady mixed load on the service and checks the figures that must stay level.
//
//   embedded:  one process          ◀─ writes, deletes, short-lived domains, queries, scrapes of /metrics
//   postgres:  api, nameserver      ◀─ the same
//
// Prints a table of memory, open files, lag and event loop delay by process and third of the time. Exits with 1 if memory
// or open files rise steadily, if a request or answer was wrong, or if a nameserver is still behind after the last write.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { checkLevel, splitThirds } from './check-level.ts';
import { startInstallations, type Installation } from './installations.ts';
import { runLoad, type LoadResult } from './load.ts';
import { sampleProcess, type ProcessSample, type WatchedProcess } from './sample-process.ts';

const DEFAULT_MINUTES = 5;
/** Longer runs are not useful. */
const MOST_MINUTES = 720;
const SAMPLE_INTERVAL_MS = 1_000;
/** Warm-up, while code is compiled and caches and heaps fill: this share of the time, but at most this long. */
const WARM_UP_PART = 0.2;
const LONGEST_WARM_UP_MS = 300_000;
const CURRENT_WITHIN_MS = 10_000;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { minutes: { type: 'string', default: String(DEFAULT_MINUTES) } },
  });
  const minutes = Number(values.minutes);
  if (!(minutes > 0 && minutes <= MOST_MINUTES)) {
    print(`--minutes must be over 0 and at most ${MOST_MINUTES}, and is ${values.minutes}`);
    return 1;
  }
  const folder = mkdtempSync(join(tmpdir(), 'zonewright-soak-'));
  const { installations, stop } = await startInstallations(folder);
  try {
    return await soak(installations, minutes * 60_000);
  } finally {
    await stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function soak(installations: readonly Installation[], lengthMs: number): Promise<number> {
  const end = AbortSignal.timeout(lengthMs);
  const processes = installations.flatMap((each) => each.processes);
  const samples = new Map<WatchedProcess, ProcessSample[]>(processes.map((process) => [process, []]));
  const loads = Promise.all(installations.map((installation) => runLoad(installation, end)));
  const warmUntilMs = performance.now() + Math.min(lengthMs * WARM_UP_PART, LONGEST_WARM_UP_MS);
  while (!end.aborted) {
    await sleep(SAMPLE_INTERVAL_MS);
    for (const process of processes) {
      const sample = await sampleProcess(process);
      if (performance.now() > warmUntilMs) samples.get(process)?.push(sample);
    }
  }
  const results = await loads;
  const problems = results.flatMap((result) => result.problems);
  problems.push(...(await waitUntilCurrent(processes)));
  printTable(samples);
  for (const [i, result] of results.entries()) print(formatLoad(installations[i], result));
  for (const [process, taken] of samples) problems.push(...checkLevel(process.name, taken));
  for (const problem of problems) print(`FAILED  ${problem}`);
  if (problems.length === 0) print('Memory and open files stayed level, and all nameservers are current.');
  return problems.length === 0 ? 0 : 1;
}

/** The lag of every process is zero soon after the last write. */
async function waitUntilCurrent(processes: readonly WatchedProcess[]): Promise<string[]> {
  const deadlineMs = performance.now() + CURRENT_WITHIN_MS;
  for (;;) {
    const samples = await Promise.all(processes.map(sampleProcess));
    const behind = processes.filter((_, i) => (samples[i]?.lagSeconds ?? 0) > 0);
    if (behind.length === 0) return [];
    if (performance.now() > deadlineMs)
      return behind.map(
        ({ name }) => `${name} is still behind ${CURRENT_WITHIN_MS / 1000} s after the last write`,
      );
    await sleep(100);
  }
}

function printTable(samples: ReadonlyMap<WatchedProcess, readonly ProcessSample[]>): void {
  print('\nMedians of the first, second and last third, after the warm-up; the highest of all.\n');
  print('| process | memory, MB | most | open files | most | lag, s: most | event loop p99, ms | most |');
  print('| --- | --- | ---: | --- | ---: | ---: | --- | ---: |');
  for (const [{ name }, taken] of samples) {
    const column = (value: (sample: ProcessSample) => number, digits = 0): [string, string] => [
      splitThirds(taken.map(value))
        .map((third) => third.toFixed(digits))
        .join(' → '),
      Math.max(...taken.map(value)).toFixed(digits),
    ];
    const [, mostLag] = column(({ lagSeconds }) => lagSeconds ?? 0, 2);
    const memory = column(({ memoryBytes }) => memoryBytes / 2 ** 20);
    const files = column(({ openFiles }) => openFiles);
    const delay = column(({ loopDelayMs }) => loopDelayMs, 1);
    print(`| ${[name, ...memory, ...files, mostLag, ...delay].join(' | ')} |`);
  }
  print('');
}

function formatLoad({ name }: Installation, { writes, domains, queries, scrapes }: LoadResult): string {
  return `${name}: ${writes} writes to records, ${domains} domains created and deleted, ${queries} queries, ${scrapes} scrapes`;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

process.exitCode = await main();
