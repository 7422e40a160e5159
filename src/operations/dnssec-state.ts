// What may be asked of `dns_sec`. The service does not sign domains.
import { refused, type Outcome } from '../model/refusal.ts';

/** Undefined when the wish can be met. */
export function findDnssecRefusal(wish: string | undefined): Outcome<never> | undefined {
  if (wish === undefined || wish === 'disabled') return undefined;
  return refused(
    'invalid_request',
    'dns_sec can only be "disabled": this service does not sign domains',
    'dns_sec',
  );
}
