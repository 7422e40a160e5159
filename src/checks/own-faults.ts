import type { WarningCode } from '../model/zone-warning.ts';

/** Warnings that a record causes by itself, whatever else is in the zone. */
export const ownFaults: ReadonlySet<WarningCode> = new Set([
  'target_is_address',
  'target_without_domain',
  'target_ends_in_zone_twice',
  'target_not_a_host_name',
  'name_ends_in_zone_twice',
  'nameserver_placeholder',
  'ttl_short',
  'private_address',
  'host_name_unusual',
  'digest_length',
  'caa_tag_unknown',
  'spf_malformed',
  'spf_allows_all',
  'spf_type_obsolete',
  'dkim_key_broken',
  'dkim_key_short',
  'mta_sts_without_id',
  'escaped_semicolon',
]);
