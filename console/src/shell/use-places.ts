import { useSession } from '../service/session.ts';
import { useStored } from '../service/value-store.ts';
import { currentVisit } from '../service/visit.ts';
import { text } from '../text/en.ts';

export interface Place {
  readonly href: string;
  readonly label: string;
}

/**
 * The places of the account that the rail leads to. Users of single domains, and operators who
 * look into the account, see nothing of the account as such.
 */
export function usePlaces(): readonly Place[] {
  const { account } = useSession();
  const domains = { href: '/domains', label: text.domains };
  const isVisiting = useStored(currentVisit) !== undefined;
  if (account === undefined || account.role === null) return [domains];
  const search = { href: '/search', label: text.search.title };
  if (isVisiting) return [domains, search];
  return [
    domains,
    search,
    { href: '/keys', label: text.keys.title },
    { href: '/people', label: text.people.title },
    { href: '/trail', label: text.trail.title },
  ];
}

/** The places of operators, about all accounts. */
export function useOperatorPlaces(): readonly Place[] {
  const { operator } = useSession().session.user;
  if (!operator) return [];
  return [
    { href: '/operator/accounts', label: text.accounts.title },
    { href: '/operator/nameservers', label: text.serviceNameservers.title },
    { href: '/operator/health', label: text.health.title },
    { href: '/operator/accesses', label: text.accesses.title },
    { href: '/operator/trail', label: text.trail.allTitle },
  ];
}
