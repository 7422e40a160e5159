import { availableParallelism } from 'node:os';

/** A million domains take about a second. HTTP, with which an operator sees what is wrong, must not wait for ever. */
export const MAX_HEAD_START_MS = 5000;

/**
 * Resolves when the process that speaks HTTP is to be started. On a single processor, that is when the nameserver process
 * answers: two starts at the same time would take turns, and DNS would be away for longer without HTTP being there earlier.
 *
 * @param answering resolves when the nameserver process answers
 */
export async function headStart(
  answering: Promise<void>,
  processors: number = availableParallelism(),
): Promise<void> {
  if (processors > 1) return;
  let timer: NodeJS.Timeout | undefined;
  const overdue = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, MAX_HEAD_START_MS);
  });
  await Promise.race([answering, overdue]);
  clearTimeout(timer);
}
