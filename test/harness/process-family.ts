import { readFileSync } from 'node:fs';

/* The processes of a service: the one that was started, and its children (Linux). */

export type ChildName = 'http' | 'nameserver';

/** Ids of the process and of everything that it has started. */
export function processFamily(pid: number): number[] {
  return [pid, ...childrenOf(pid).flatMap(processFamily)];
}

/** The child with that name; undefined while there is none. */
export function findChild(pid: number, name: ChildName): number | undefined {
  return childrenOf(pid).find((child) => readProc(child, 'cmdline').split('\0').includes(name));
}

/** User and system time of one process so far, in seconds (a clock tick is 10 ms). */
export function processorSeconds(pid: number): number {
  const fields = readProc(pid, 'stat').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / 100;
}

/** Sums the time of the process and its children. */
export function familyProcessorSeconds(pid: number): number {
  return processFamily(pid).reduce((sum, each) => sum + processorSeconds(each), 0);
}

export function residentMb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readProc(pid, 'status'))?.[1] ?? 0) / 1024;
}

/**
 * Resident memory in which a page counts for each of the processes that share it by its part (the kernel's PSS), so that the
 * sum over a family counts each page once.
 */
export function proportionalMb(pid: number): number {
  return Number(/^Pss:\s+(\d+)/m.exec(readProc(pid, 'smaps_rollup'))?.[1] ?? 0) / 1024;
}

function childrenOf(pid: number): number[] {
  return readProc(pid, `task/${pid}/children`).split(' ').filter(Boolean).map(Number);
}

/** Empty if the process has ended. */
function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8').trim();
  } catch {
    return '';
  }
}
