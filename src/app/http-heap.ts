import type { Config } from './config-settings.ts';

const MEBIBYTE = 2 ** 20;

/** Code, 4096 connections, queues and caches, and room for garbage. */
const BASE_MB = 256;

/** On PostgreSQL the main thread also decides large writes, which the embedded store does on other threads. */
const DECIDING_SHARE = 1.5;

/**
 * The heap limit of the main thread of the process that speaks HTTP. Node's own limit is some gigabytes, and it collects
 * garbage late below it. Beyond the limit the process ends and is started again, so the budget for large work is smaller.
 */
export function httpHeapMb({ workMemory, database }: Pick<Config, 'workMemory' | 'database'>): number {
  const share = database.kind === 'postgres' ? 1 + DECIDING_SHARE : 1;
  return Math.ceil(BASE_MB + (share * workMemory) / MEBIBYTE);
}
