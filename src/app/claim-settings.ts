import { integerBetween, oneOf, optional } from './config-parsers.ts';
import { setting } from './setting.ts';

/** As many as fit into a referral with their addresses (RFC 9471). */
const MAX_SET = 13;

/** Whose a domain is, before it is served. */
export const claimSettings = {
  nameserverSet: setting({
    option: '--nameserver-set <count>',
    environment: 'ZONEWRIGHT_NAMESERVER_SET',
    key: 'nameserver_set',
    fallback: '',
    parse: optional(integerBetween(1, MAX_SET)),
    help: 'how many of the nameservers a domain gets: each account has a set of its own among them, so that a delegation tells whose domain it is; unset: all',
  }),
  claims: setting({
    option: '--claims <open|verified>',
    environment: 'ZONEWRIGHT_CLAIMS',
    key: 'claims',
    fallback: 'open',
    parse: oneOf('open', 'verified'),
    help: "verified: a customer's new domain is served only once the customer has shown control of it, by the delegation or by a TXT record; open: at once",
  }),
} as const;
