import { useEffect } from 'react';

/** F6 and Shift+F6 lead from one region of the page to the next: the places, the page, and a dock below it. */
export function useRegionKey(): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.key !== 'F6' || event.ctrlKey || event.metaKey || event.altKey) return;
      const regions = findRegions();
      // An open dialog keeps the focus.
      if (regions.length === 0 || document.querySelector('[role=dialog]') !== null) return;
      event.preventDefault();
      // The dock is inside of the page.
      const at = regions.findLastIndex((region) => region.contains(document.activeElement));
      const next = event.shiftKey ? Math.max(at, 0) - 1 : at + 1;
      enter(regions.at(next % regions.length));
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);
}

function findRegions(): HTMLElement[] {
  const regions = [...document.querySelectorAll<HTMLElement>('[data-region]')];
  return regions.filter((region) => region.getClientRects().length > 0);
}

/** The page itself takes the focus; in the others, the first control does. */
function enter(region: HTMLElement | undefined): void {
  if (region?.hasAttribute('tabindex') === true) region.focus();
  else region?.querySelector<HTMLElement>('a[href], button:not(:disabled)')?.focus();
}
