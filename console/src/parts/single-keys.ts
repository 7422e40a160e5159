// The keys `/` and `?`, which act without a modifier: they are in the way of people who speak to their computer (WCAG 2.1.4).
import { createValueStore } from '../service/value-store.ts';

const KEY = 'single-keys';

/** Whether they act. */
export const singleKeys = createValueStore<boolean>(readSingleKeys());

export function switchSingleKeys(isOn: boolean): void {
  singleKeys.set(isOn);
  try {
    if (isOn) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, 'off');
  } catch {
    // Storage is switched off: it counts until the page is closed.
  }
}

function readSingleKeys(): boolean {
  try {
    return localStorage.getItem(KEY) !== 'off';
  } catch {
    return true;
  }
}
