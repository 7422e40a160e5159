import type { PropagationJson } from '../contract/response-shapes.ts';
import { ApiError, UnreachableError } from './api-error.ts';
import { sendRequest, type Endpoint } from './send-request.ts';

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
export async function getPropagation(
  endpoint: Endpoint,
  path: string,
  { serial, waitSeconds = 0 }: { readonly serial?: number | undefined; readonly waitSeconds?: number } = {},
): Promise<PropagationJson> {
  const query = new URLSearchParams({
    ...(serial === undefined ? {} : { serial: String(serial) }),
    ...(waitSeconds === 0 ? {} : { wait: String(waitSeconds) }),
  });
  const address = query.size === 0 ? `${path}/propagation` : `${path}/propagation?${query.toString()}`;
  const { body } = await sendRequest(endpoint, 'GET', address, { waitSeconds });
  return (body as { propagation: PropagationJson }).propagation;
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
