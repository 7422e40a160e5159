import { Worker, type WorkerOptions } from 'node:worker_threads';
import { entryModule } from './entry-module.ts';

/**
 * Starts a worker thread from a module beside the caller's. If that is a TypeScript source, as in benchmarks, the thread
 * gets tsx as its loader.
 *
 * @param module see `entryModule`
 */
export function startWorker(module: URL, options: WorkerOptions = {}): Worker {
  const entry = entryModule(module);
  if (import.meta.url.endsWith('.js')) return new Worker(entry, options);
  // The flags of a test's process are about its own script, such as --input-type.
  const loader = entry.pathname.endsWith('.ts') ? ['--import', registerTsx()] : [];
  return new Worker(entry, { ...options, execArgv: loader });
}

/** A module that makes the thread load TypeScript; `--import tsx` would do so only on the main thread. */
function registerTsx(): string {
  const tsx = import.meta.resolve('tsx/esm/api');
  return `data:text/javascript,import { register } from '${tsx}'; register();`;
}
