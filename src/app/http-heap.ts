import type { Config } from './config-settings.ts';

const MEBIBYTE = 2 ** 20;

/**
 * 120 MiB for the small shares of work memory, which are not part of the setting (see work-memory.ts); the rest for code,
 * 4096 connections, queues and caches, and garbage.
 */
const BASE_MB = 256;

/**
 * The heap limit of the main thread of the process that speaks HTTP. Node's own limit is some gigabytes, and it collects
 * garbage late below it. Beyond the limit the process ends and is started again, so the budget for large work is smaller.
 */
export function httpHeapMb({ workMemory }: Pick<Config, 'workMemory'>): number {
  return Math.ceil(BASE_MB + workMemory / MEBIBYTE);
}
