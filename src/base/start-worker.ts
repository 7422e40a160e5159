import { Worker, type WorkerOptions } from 'node:worker_threads';

/**
 * Starts a worker thread from a module beside the caller's. Built code runs directly; for TypeScript sources (tests,
 * benchmarks) the thread gets tsx as its loader.
 *
 * @param module `new URL('./thing-worker.ts', import.meta.url)`; `.ts` becomes `.js` if the caller is built code
 */
export function startWorker(module: URL, options: WorkerOptions = {}): Worker {
  const built = import.meta.url.endsWith('.js');
  if (built) return new Worker(new URL(module.href.replace(/\.ts$/, '.js')), options);
  return new Worker(module, { ...options, execArgv: ['--import', registerTsx()] });
}

/** A module that makes the thread load TypeScript; `--import tsx` would do so only on the main thread. */
function registerTsx(): string {
  const tsx = import.meta.resolve('tsx/esm/api');
  return `data:text/javascript,import { register } from '${tsx}'; register();`;
}
