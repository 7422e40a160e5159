import type { Store } from './store.ts';

/**
 * The part of a store that is needed to create an API key. It can be opened while services run on the store: it takes no
 * lifetime lock, migrates no tables and does no upkeep.
 */
export type KeyStore = Pick<Store, 'write' | 'findKeyByHash' | 'findAccount' | 'listAccounts' | 'close'>;
