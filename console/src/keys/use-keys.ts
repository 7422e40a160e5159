import { useQuery } from '@tanstack/react-query';
import { collectPages } from '../service/collect-pages.ts';
import { queryClient } from '../service/query-client.ts';
import { service } from '../service/service-client.ts';
import { useRole, useSession } from '../service/session.ts';

/** Whether the role of the user lets it see the keys of the account. */
export function useMaySeeKeys(): boolean {
  const role = useRole();
  return role === 'owner' || role === 'editor';
}

/** Whether it lets the user create and revoke them. */
export function useMayManageKeys(): boolean {
  return useRole() === 'owner';
}

export function useKeys() {
  const account = useSession().account?.id;
  return useQuery({
    queryKey: ['keys', account],
    queryFn: ({ signal }) => collectPages(service.keys.list(), () => undefined, signal),
    enabled: useMaySeeKeys(),
  });
}

export async function reloadKeys(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: ['keys'] });
}
