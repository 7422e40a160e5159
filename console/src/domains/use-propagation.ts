import { useQuery } from '@tanstack/react-query';
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

/** Call after a write. */
export function lookAtPropagation(domain: string): void {
  void queryClient.invalidateQueries({ queryKey: propagationKey(domain) });
}
