import type { Store } from './store.ts';

/**
 * The part of a store that is needed to create an API key or an invitation. It can be opened while services run on the store: it takes no
 * lifetime lock, migrates no tables and does no upkeep.
 */
export type KeyStore = Pick<
  Store,
  'write' | 'people' | 'findKeyByHash' | 'findAccount' | 'listAccounts' | 'close'
>;
