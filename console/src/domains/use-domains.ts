import { useQuery } from '@tanstack/react-query';
import type { DomainJson } from '../../../src/contract/response-shapes.ts';
import { collectPages } from '../service/collect-pages.ts';
import { queryClient } from '../service/query-client.ts';
import { service } from '../service/service-client.ts';
import { useSession } from '../service/session.ts';
import { toUnicode } from '../text/name-forms.ts';

export interface ListedDomain extends DomainJson {
  /** With U-labels. */
  readonly shown: string;
}

const domainsKey = (account: string) => ['domains', account] as const;

/** All domains of the account, by name. */
export function useDomains() {
  const account = useSession().account?.id ?? '';
  return useQuery({
    queryKey: domainsKey(account),
    queryFn: async ({ signal }) => {
      const isFirstLoad = queryClient.getQueryData(domainsKey(account)) === undefined;
      const rows = await collectPages(
        service.domains.list(),
        (first) => {
          if (isFirstLoad) queryClient.setQueryData(domainsKey(account), first.map(listed));
        },
        signal,
      );
      return rows.map(listed);
    },
  });
}

function listed(domain: DomainJson): ListedDomain {
  return { ...domain, shown: toUnicode(domain.domain) };
}

/** Call after domains were added, deleted or restored. */
export function reloadDomains(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: ['domains'] });
}

/** Finds domains by a part of their name, in either form. */
export function findDomains(domains: readonly ListedDomain[], search: string): readonly ListedDomain[] {
  const wanted = search.trim().toLowerCase();
  if (wanted === '') return domains;
  return domains.filter(({ domain, shown }) => domain.includes(wanted) || shown.includes(wanted));
}
