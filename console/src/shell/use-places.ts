import { useSession } from '../service/session.ts';
import { text } from '../text/en.ts';

export interface Place {
  readonly href: string;
  readonly label: string;
}

/** The places of the account that the rail leads to. Users of single domains see nothing of the account as such. */
export function usePlaces(): readonly Place[] {
  const { account } = useSession();
  const domains = { href: '/domains', label: text.domains };
  if (account === undefined || account.role === null) return [domains];
  return [
    domains,
    { href: '/keys', label: text.keys.title },
    { href: '/people', label: text.people.title },
    { href: '/trail', label: text.trail.title },
  ];
}

/** The places of operators, about all accounts. */
export function useOperatorPlaces(): readonly Place[] {
  const { operator } = useSession().session.user;
  return operator ? [{ href: '/operator/trail', label: text.trail.allTitle }] : [];
}
