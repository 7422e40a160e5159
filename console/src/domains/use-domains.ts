import { useQuery } from '@tanstack/react-query';
import type { DomainJson } from '../../../src/contract/response-shapes.ts';
import { collectPages } from '../service/collect-pages.ts';
import { queryClient } from '../service/query-client.ts';
import { service } from '../service/service-client.ts';
import { useSession } from '../service/session.ts';
import { accountOfPages } from '../service/visit.ts';
import { toUnicode } from '../text/name-forms.ts';

export interface ListedDomain extends DomainJson {
  /** With U-labels. */
  readonly shown: string;
}

interface DomainList {
  readonly rows: readonly ListedDomain[];
  /** More are being loaded, or loading has stopped. */
  readonly isPart: boolean;
}

const domainsKey = (account: string) => ['domains', account] as const;

/** A hundred thousand domains are 200 requests; what people do here changes the list at once. */
const KEPT_MS = 300_000;

/** All domains of the account, by name. */
export function useDomains() {
  const account = useSession().account?.id ?? '';
  const query = useQuery({
    queryKey: domainsKey(account),
    queryFn: ({ signal }) => loadDomains(account, signal),
    // A page that was left while it was loading has left a part behind.
    staleTime: ({ state }) => (state.data?.isPart === false ? KEPT_MS : 0),
    refetchOnWindowFocus: false,
  });
  return { ...query, data: query.data?.rows, isPart: query.data?.isPart === true };
}

async function loadDomains(account: string, signal: AbortSignal): Promise<DomainList> {
  const known = queryClient.getQueryData<DomainList>(domainsKey(account));
  const rows = await collectPages(
    service.domains.list(),
    (first) => {
      if (known?.isPart !== false)
        queryClient.setQueryData(domainsKey(account), { rows: first.map(listed), isPart: true });
    },
    signal,
  );
  return { rows: rows.map(listed), isPart: false };
}

function listed(domain: DomainJson): ListedDomain {
  return { ...domain, shown: toUnicode(domain.domain) };
}

/** Call after a domain was added or restored. */
export function listDomain(domain: DomainJson): void {
  // Pages have read the domain that was deleted.
  void queryClient.resetQueries({ predicate: ({ queryKey }) => queryKey[1] === domain.domain });
  editList((rows) =>
    [...rows.filter((row) => row.domain !== domain.domain), listed(domain)].sort((one, other) =>
      one.domain < other.domain ? -1 : 1,
    ),
  );
}

/** Call after a domain itself was changed, such as by signing it. */
export async function relistDomain(name: string): Promise<void> {
  const domain = await service.domains.get(name);
  queryClient.setQueryData(['domain', name], domain);
  editList((rows) => rows.map((row) => (row.domain === name ? listed(domain) : row)));
}

/** Call after a domain was deleted. */
export function unlistDomain(domain: string): void {
  editList((rows) => rows.filter((row) => row.domain !== domain));
}

function editList(edit: (rows: readonly ListedDomain[]) => readonly ListedDomain[]): void {
  const key = domainsKey(accountOfPages() ?? '');
  queryClient.setQueryData<DomainList>(key, (list) => list && { ...list, rows: edit(list.rows) });
  void queryClient.invalidateQueries({ queryKey: [...key, 'deleted'] });
}

/** Finds domains by a part of their name, in either form. */
export function findDomains(domains: readonly ListedDomain[], search: string): readonly ListedDomain[] {
  const wanted = search.trim().toLowerCase();
  if (wanted === '') return domains;
  return domains.filter(({ domain, shown }) => domain.includes(wanted) || shown.includes(wanted));
}
