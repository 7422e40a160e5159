// What may be asked of `dns_sec`. The service does not sign domains.
import { refused, type Refused } from '../model/result.ts';

/** Undefined when the wish can be met. */
export function findDnssecRefusal(wish: string | undefined): Refused | undefined {
  if (wish === undefined || wish === 'disabled') return undefined;
  return refused(
    'invalid_request',
    'dns_sec can only be "disabled": this service does not sign domains',
    'dns_sec',
  );
}
