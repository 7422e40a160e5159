/** Counts of nameserver threads since the start. */
export interface WorkerFigures {
  /** Configured number of threads. */
  readonly workers: number;
  /** Threads that have their sockets open and respond. */
  readonly answering: number;
  /** Threads that crashed because of a bug and were replaced. */
  readonly fell: number;
  /** Threads that stopped responding and were terminated and replaced. */
  readonly hung: number;
}

type OneWorker = Omit<WorkerFigures, 'workers' | 'answering'> & { readonly isAnswering: boolean };

export function sumWorkers(workers: readonly OneWorker[]): WorkerFigures {
  return {
    workers: workers.length,
    answering: workers.filter(({ isAnswering }) => isAnswering).length,
    fell: workers.reduce((sum, { fell }) => sum + fell, 0),
    hung: workers.reduce((sum, { hung }) => sum + hung, 0),
  };
}
