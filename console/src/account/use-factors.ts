import { useQuery } from '@tanstack/react-query';
import { queryClient } from '../service/query-client.ts';
import { service } from '../service/service-client.ts';

const factorsKey = ['user', 'factors'] as const;
export const sessionsKey = ['user', 'sessions'] as const;

/** How the user can prove who it is. */
export function useFactors() {
  return useQuery({ queryKey: factorsKey, queryFn: () => service.factors.get() });
}

export async function reloadFactors(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: factorsKey });
}
