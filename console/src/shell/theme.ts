import { createValueStore } from '../service/value-store.ts';

/** `system` follows the settings of the device. `/theme.js` reads the same item before the page is painted. */
export type Theme = 'system' | 'light' | 'dark';

const KEY = 'theme';

export const theme = createValueStore<Theme>(readTheme());

export function chooseTheme(chosen: Theme): void {
  theme.set(chosen);
  if (chosen === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = chosen;
  try {
    if (chosen === 'system') localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, chosen);
  } catch {
    // Storage is switched off: it counts until the page is closed.
  }
}

function readTheme(): Theme {
  const chosen = document.documentElement.dataset['theme'];
  return chosen === 'light' || chosen === 'dark' ? chosen : 'system';
}
