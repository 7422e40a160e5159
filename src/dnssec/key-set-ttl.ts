/** The TTL of the sets DNSKEY, CDS and CDNSKEY: an hour, so that a change of keys takes hours and not days. */
export const KEY_SET_TTL_SECONDS = 3600;
