import { useQuery } from '@tanstack/react-query';
import type { PropagationJson } from '../../../src/contract/response-shapes.ts';
import { isNewerSerial } from '../../../src/dns/serial.ts';
import { queryClient } from '../service/query-client.ts';
import { service } from '../service/service-client.ts';

/** While a nameserver is behind, and while all are current. */
const BEHIND_MS = 1_000;
const CURRENT_MS = 30_000;

const propagationKey = (domain: string) => ['propagation', domain] as const;

/** Which nameservers have the latest change. */
export function usePropagation(domain: string) {
  return useQuery({
    queryKey: propagationKey(domain),
    queryFn: () => service.domains.propagation(domain),
    refetchInterval: ({ state }) => (state.data?.current === false ? BEHIND_MS : CURRENT_MS),
  });
}

/** Call after a write: what was known is about the serial before. */
export function lookAtPropagation(domain: string): void {
  void queryClient.resetQueries({ queryKey: propagationKey(domain) });
}

/** What is known about a serial; undefined: nothing yet, or only about one before. */
export function propagationOf(
  known: PropagationJson | undefined,
  serial: number | undefined,
): PropagationJson | undefined {
  if (known === undefined || serial === undefined) return undefined;
  return isNewerSerial(serial, known.serial) ? undefined : known;
}
