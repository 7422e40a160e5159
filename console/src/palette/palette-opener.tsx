import { lazy, Suspense, useCallback, useEffect, useRef, useState, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { Dialog } from '../parts/dialog.tsx';
import { Placeholder } from '../parts/placeholder.tsx';
import { loadPart } from '../service/load-part.ts';
import { text } from '../text/en.ts';

// It brings the words about all that it finds, which nobody needs to see the first page.
const Palette = lazy(async () => {
  const loaded = await loadPart('palette', () => import('./palette.tsx'));
  return { default: loaded.Palette };
});

/** The window of the palette, and the way to open it, which Ctrl-K and ⌘-K are as well. @param isOffered whether keys open it */
export function usePalette(isOffered: boolean): { readonly open: () => void; readonly dialog: ReactNode } {
  const [isOpen, setOpen] = useState(false);
  const [, navigate] = useLocation();
  const input = useRef<HTMLInputElement>(null);
  const returnTo = useRef<Element>(null);
  const open = useCallback((): void => {
    returnTo.current = document.activeElement;
    setOpen(true);
  }, []);
  usePaletteKeys(isOffered ? open : undefined);
  const choose = (href: string): void => {
    // The element that had the focus can be gone with its page.
    returnTo.current = null;
    setOpen(false);
    navigate(href);
  };
  const dialog = (
    <Dialog
      title={text.palette.title}
      className="dialog palette"
      isOpen={isOpen}
      onClose={() => setOpen(false)}
      focus={input}
      returnFocus={() => elementToFocus(returnTo.current)}
    >
      <Suspense fallback={<Placeholder />}>
        <Palette ref={input} onChoose={choose} onClose={() => setOpen(false)} />
      </Suspense>
    </Dialog>
  );
  return { open, dialog };
}

function usePaletteKeys(open: (() => void) | undefined): void {
  useEffect(() => {
    if (open === undefined) return undefined;
    const listen = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
      if (event.key.toLowerCase() !== 'k') return;
      // In browsers, it leads to their own search.
      event.preventDefault();
      if (!isAsking()) open();
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, [open]);
}

/** A window or menu stands before the page: leading away from it could lose what is shown once, or what was typed. */
function isAsking(): boolean {
  return document.querySelector('[role=dialog], [role=alertdialog], [role=menu]') !== null;
}

function elementToFocus(before: Element | null): HTMLElement | null {
  return before instanceof HTMLElement && before.isConnected ? before : document.getElementById('main');
}
