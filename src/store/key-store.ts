import type { Store } from './store.ts';

/**
 * What making a key asks of a store. Opened beside the services that run on it, by whoever can write to the store
 * itself: it takes no lock for life, changes no tables, and does no upkeep.
 */
export type KeyStore = Pick<Store, 'write' | 'findKeyByHash' | 'findAccount' | 'listAccounts' | 'close'>;
