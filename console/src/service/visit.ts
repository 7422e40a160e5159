import { chosenAccount } from './chosen-account.ts';
import { createValueStore } from './value-store.ts';

/** An operator looks into an account that it does not belong to, after saying why. */
export interface Visit {
  /** The operator. */
  readonly userId: string;
  readonly account: { readonly id: string; readonly name: string };
  readonly dateExpires: string;
}

const KEY = 'visit';

/** That of this window; others stay where they are. */
export const currentVisit = createValueStore<Visit | undefined>(read());

export function setVisit(visit: Visit | undefined): void {
  currentVisit.set(visit);
  try {
    if (visit === undefined) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, JSON.stringify(visit));
  } catch {
    // Storage is switched off: it counts until the page is closed.
  }
}

/** The account that the pages of this window are about. */
export function accountOfPages(): string | undefined {
  return currentVisit.get()?.account.id ?? chosenAccount.get();
}

/** The account that a request names. Operators act on other accounts from their own: no account can suspend itself. */
export function accountOfRequest(path: string): string | undefined {
  return /^\/v2\/(?:accounts|nameservers)(?:\/|$)/.test(path) ? chosenAccount.get() : accountOfPages();
}

function read(): Visit | undefined {
  try {
    const visit = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as Visit | null;
    return visit ?? undefined;
  } catch {
    return undefined;
  }
}
