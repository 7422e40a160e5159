import { useQuery } from '@tanstack/react-query';
import type { AccountJson } from '../../../src/contract/account-shape.ts';
import { collectPages } from '../service/collect-pages.ts';
import { queryClient } from '../service/query-client.ts';
import { service } from '../service/service-client.ts';
import { useSession } from '../service/session.ts';

interface AccountList {
  readonly rows: readonly AccountJson[];
  /** More are being loaded, or loading has stopped. */
  readonly isPart: boolean;
}

/** Ten thousand accounts are 20 requests; what the operator does here loads the list again. */
const KEPT_MS = 60_000;
/** How often the page looks while domains are being withheld or served again. */
const PROGRESS_MS = 2000;

const listKey = ['operator', 'accounts'] as const;
const accountKey = (id: string) => ['operator', 'account', id] as const;

/** Operators manage all accounts. */
export function useIsOperator(): boolean {
  return useSession().session.user.operator;
}

/** All accounts of the service, in creation order. */
export function useAccounts() {
  const query = useQuery({
    queryKey: listKey,
    queryFn: ({ signal }) => loadAccounts(signal),
    enabled: useIsOperator(),
    // A page that was left while it was loading has left a part behind.
    staleTime: ({ state }) => (state.data?.isPart === false ? KEPT_MS : 0),
  });
  return { ...query, data: query.data?.rows, isPart: query.data?.isPart === true };
}

async function loadAccounts(signal: AbortSignal): Promise<AccountList> {
  const known = queryClient.getQueryData<AccountList>(listKey);
  const rows = await collectPages(
    service.accounts.list(),
    (first) => {
      if (known?.isPart !== false) queryClient.setQueryData(listKey, { rows: first, isPart: true });
    },
    signal,
  );
  return { rows, isPart: false };
}

export function useAccount(id: string) {
  return useQuery({
    queryKey: accountKey(id),
    queryFn: () => service.accounts.get(id),
    enabled: useIsOperator(),
    refetchInterval: ({ state }) => (isGoingOn(state.data) ? PROGRESS_MS : false),
  });
}

function isGoingOn(account: AccountJson | undefined): boolean {
  return account !== undefined && account.progress !== null;
}

export function useLimits(id: string) {
  return useQuery({
    queryKey: [...accountKey(id), 'limits'],
    queryFn: () => service.accounts.limits(id),
    enabled: useIsOperator(),
  });
}

/** The operators who look into the account now. */
export function useAccesses(id: string) {
  return useQuery({
    queryKey: [...accountKey(id), 'accesses'],
    queryFn: () => service.accesses.list(id),
    enabled: useIsOperator(),
  });
}

/** How often the list is looked at: an access ends by itself, also when its session ends. */
const ACCESS_MS = 30_000;

/** The accounts that this operator looks into now, in all its sessions. */
export function useOwnAccesses() {
  return useQuery({
    queryKey: ['operator', 'accesses'],
    queryFn: () => service.accesses.listOwn(),
    enabled: useIsOperator(),
    refetchInterval: ACCESS_MS,
  });
}

/** As often as nameserver processes report, with time to spare. */
const REPORT_MS = 5_000;

/** The nameservers of the whole service. */
export function useServiceNameservers() {
  return useQuery({
    queryKey: ['operator', 'nameservers'],
    queryFn: () => service.accounts.nameservers(),
    enabled: useIsOperator(),
    refetchInterval: REPORT_MS,
  });
}

/** Call after each write. */
export async function reloadAccounts(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: ['operator'] });
}
