import type { ZoneWarning } from '../model/zone-warning.ts';
import type { WithholdReason, WithholdReasons } from '../model/withholding.ts';

const sentences: Readonly<Record<WithholdReason, string>> = {
  suspended:
    'No nameserver serves the domain, because the account is suspended: ask the operator of this service',
  unverified:
    'No nameserver serves the domain before control of it is shown: zonewright domain verify says how (GET /v2/domains/{domain}/claim)',
};

/** Reports why a domain is not served; none if it is. */
export function checkServing(withheld: WithholdReasons): readonly ZoneWarning[] {
  return withheld.map((reason) => ({
    code: 'domain_withheld',
    severity: 'error',
    name: '',
    type: null,
    recordId: null,
    message: sentences[reason],
  }));
}
