import { useQuery } from '@tanstack/react-query';
import { queryClient } from '../service/query-client.ts';
import { service } from '../service/service-client.ts';
import { useRole, useSession } from '../service/session.ts';

/** Owners see the users of the account, and decide who belongs to it. */
export function useMayManagePeople(): boolean {
  return useRole() === 'owner';
}

export function useMembers() {
  const account = useSession().account?.id;
  return useQuery({ queryKey: ['people', account, 'members'], queryFn: () => service.users.list() });
}

export function useInvitations() {
  const account = useSession().account?.id;
  return useQuery({
    queryKey: ['people', account, 'invitations'],
    queryFn: () => service.users.invitations(),
  });
}

export async function reloadPeople(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: ['people'] });
}
