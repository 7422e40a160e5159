import { setTimeout as sleep } from 'node:timers/promises';
import { newApiKey } from '../operations/new-api-key.ts';
import type { OperationContext } from '../operations/operation-context.ts';
import { bootstrapAdmin, type AdminKey } from './bootstrap-admin.ts';
import type { ServiceOptions } from './service-options.ts';
import { CommitInDoubt, StoreUnavailable } from '../writes/store-errors.ts';

/** Pause before another attempt while the database is unavailable. */
const RETRY_MS = 1_000;

/**
 * Creates the first account as soon as the store accepts writes.
 *
 * @param storeReady resolves when the store does; rejects if it never will
 * @throws the signal's reason if a stop signal comes first
 */
export async function openFirstAccount(
  { config, log, stopping }: ServiceOptions,
  context: OperationContext,
  storeReady: Promise<void> = Promise.resolve(),
): Promise<AdminKey> {
  await unlessStopped(storeReady, stopping);
  const newKey = newApiKey();
  const bootstrap = { context, keyFile: config.adminKeyFile, email: config.hostmaster, newKey, log };
  for (;;) {
    try {
      return await unlessStopped(bootstrapAdmin(bootstrap), stopping);
    } catch (error) {
      if (!(error instanceof StoreUnavailable) && !(error instanceof CommitInDoubt)) throw error;
    }
    await sleep(RETRY_MS, undefined, { signal: stopping });
  }
}

async function unlessStopped<T>(awaited: Promise<T>, stopping: AbortSignal): Promise<T> {
  let stop: (() => void) | undefined;
  const stopped = new Promise<never>((_, reject) => {
    stop = () => reject(stopping.reason as Error);
    if (stopping.aborted) stop();
    else stopping.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([awaited, stopped]);
  } finally {
    if (stop !== undefined) stopping.removeEventListener('abort', stop);
  }
}
