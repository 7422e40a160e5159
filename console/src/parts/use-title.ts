import { useEffect } from 'react';
import { text } from '../text/en.ts';

/** The title of the page in tabs and histories. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} – ${text.product}`;
  }, [title]);
}
