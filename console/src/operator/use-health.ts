import { useQuery } from '@tanstack/react-query';
import { readReadiness, type Readiness } from './read-readiness.ts';
import { useIsOperator } from './use-accounts.ts';

/** For supervisors, and the same for everybody: it is no part of `/v2`, and needs no key. */
export const READINESS_PATH = '/readyz';

/** As often as load balancers ask. */
const LOOK_MS = 5_000;

/** Something before the service has answered, or nothing. */
export class HiddenHealthError extends Error {
  override readonly name = 'HiddenHealthError';
}

/** The state of the process that answers this page. */
export function useHealth() {
  return useQuery({
    queryKey: ['operator', 'health'],
    queryFn: ({ signal }) => loadHealth(signal),
    enabled: useIsOperator(),
    refetchInterval: LOOK_MS,
    staleTime: 0,
  });
}

async function loadHealth(signal: AbortSignal): Promise<Readiness> {
  const reply = await fetch(READINESS_PATH, { cache: 'no-store', credentials: 'omit', signal });
  const readiness = readReadiness(reply.status, await reply.json().catch(() => undefined));
  if (readiness === undefined) throw new HiddenHealthError();
  return readiness;
}
