import { createValueStore } from './value-store.ts';

const KEY = 'account';

/** The account in which the user acts, if it belongs to several; undefined: not chosen. */
export const chosenAccount = createValueStore<string | undefined>(read());

export function chooseAccount(id: string | undefined): void {
  chosenAccount.set(id);
  try {
    if (id === undefined) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, id);
  } catch {
    // Storage is switched off: it counts until the page is closed.
  }
}

function read(): string | undefined {
  try {
    return localStorage.getItem(KEY) ?? undefined;
  } catch {
    return undefined;
  }
}
