/**
 * The nameserver of new domains while the operator has named none. `.invalid` resolves nowhere (RFC 6761 section 6.4), so it
 * never points at somebody else's machine.
 */
export const UNSET_NAMESERVER = 'ns1.zonewright.invalid';
