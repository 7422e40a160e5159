// The limits of what a key can have; requests and answers show them.

/** Each request of a limited key compares its grants; a key for more hosts can cover them with patterns. */
export const MAX_GRANTS = 10;
/** In all grants of a key together: a list of its domains reads them one by one. */
export const MAX_NAMED_DOMAINS = 100;
export const MAX_GRANT_NAMES = 50;
export const MAX_GRANT_TYPES = 20;

/** Machines of one customer are in few networks, and each request of the key is compared with all of them. */
export const MAX_NETWORKS = 50;
