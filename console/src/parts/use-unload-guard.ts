import { useEffect } from 'react';

/** Has the browser ask before it reloads or closes the page, while something is typed that would be lost. */
export function useUnloadGuard(isTyped: boolean): void {
  useEffect(() => {
    if (!isTyped) return;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isTyped]);
}
