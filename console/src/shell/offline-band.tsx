import { useSyncExternalStore } from 'react';
import { Band } from '../parts/band.tsx';
import { text } from '../text/en.ts';

function subscribe(listener: () => void): () => void {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
}

export function useIsOnline(): boolean {
  return useSyncExternalStore(subscribe, () => navigator.onLine);
}

export function OfflineBand() {
  if (useIsOnline()) return null;
  return (
    <Band kind="warning" title={text.errors.offline}>
      <p>{text.errors.offlineWhy}</p>
    </Band>
  );
}
