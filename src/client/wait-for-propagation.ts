import type { PropagationJson } from '../contract/response-shapes.ts';
import { ApiError, UnreachableError } from './api-error.ts';
import { getOne } from './get-one.ts';
import { withQuery } from './list-pages.ts';
import type { Endpoint } from './send-request.ts';

/** What to wait for, and for how long. */
export interface PropagationWait {
  /** Absent: the domain's own when the wait begins. */
  readonly serial?: number | undefined;
  readonly timeoutSeconds: number;
  /** Called with each answer that is not the last. */
  readonly onBehind?: (propagation: PropagationJson) => void;
}

/** One request's share of a wait: short enough to tell a person every time who is behind, and for any proxy between. */
const LONGEST_STEP_SECONDS = 5;

/** @param path of the domain. */
export function getPropagation(
  endpoint: Endpoint,
  path: string,
  { serial, waitSeconds = 0 }: { readonly serial?: number | undefined; readonly waitSeconds?: number } = {},
): Promise<PropagationJson> {
  const wait = waitSeconds === 0 ? undefined : waitSeconds;
  const address = withQuery(`${path}/propagation`, { serial, wait });
  return getOne(endpoint, address, 'propagation', { waitSeconds });
}

/**
 * Waits in steps, always for the serial that the first answer named. Once there was an answer, a service that cannot be
 * reached or is busy is asked again while there is time: behind one address there may be several machines.
 */
export async function waitForPropagation(
  endpoint: Endpoint,
  path: string,
  { serial, timeoutSeconds, onBehind }: PropagationWait,
): Promise<PropagationJson> {
  let leftSeconds = timeoutSeconds;
  let propagation = await getPropagation(endpoint, path, { serial });
  while (!propagation.current && leftSeconds > 0) {
    onBehind?.(propagation);
    const waitSeconds = Math.min(leftSeconds, LONGEST_STEP_SECONDS);
    leftSeconds -= waitSeconds;
    try {
      propagation = await getPropagation(endpoint, path, { serial: propagation.serial, waitSeconds });
    } catch (error) {
      if (leftSeconds === 0 || !isPassing(error)) throw error;
      await endpoint.sleep(waitSeconds * 1000);
    }
  }
  return propagation;
}

function isPassing(error: unknown): boolean {
  return error instanceof UnreachableError || (error instanceof ApiError && error.status === 503);
}
