// Checks `dns_sec`. The service does not sign domains.
import { refused, type Refused } from '../model/result.ts';

/** Returns undefined if the requested state is supported. */
export function findDnssecRefusal(requested: string | undefined): Refused | undefined {
  if (requested === undefined || requested === 'disabled') return undefined;
  return refused(
    'invalid_request',
    'dns_sec can only be "disabled": this service does not sign domains',
    'dns_sec',
  );
}
