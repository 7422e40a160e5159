import type { PropagationJson } from '../contract/response-shapes.ts';
import { ApiError, UnreachableError } from './api-error.ts';
import { getOne } from './get-one.ts';
import { withQuery } from './list-pages.ts';
import type { Endpoint } from './send-request.ts';

export interface PropagationWait {
  /** The domain's serial at the beginning of the wait if absent. */
  readonly serial?: number | undefined;
  readonly timeoutSeconds: number;
  /** Called with every answer except the last. */
  readonly onBehind?: (propagation: PropagationJson) => void;
}

/** The longest wait of one request: short enough to report progress, and for proxies. */
const LONGEST_STEP_SECONDS = 5;

/** @param path the domain's path */
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
 * Waits in steps for the serial in the first answer. After the first answer, retries while the service is unreachable or
 * busy, because one address may belong to several machines.
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
