/** What became of nameserver threads since the start. */
export interface WorkerFigures {
  /** Threads that there are to be. */
  readonly workers: number;
  /** Those that have their sockets open, and turn. */
  readonly answering: number;
  /** Threads that ended by themselves, through a bug, and were replaced. */
  readonly fell: number;
  /** Threads that gave no sign of life, were ended and replaced. */
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
