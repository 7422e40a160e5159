import type { Domain } from '../model/domain.ts';
import { quoteText } from '../model/quote-text.ts';
import { refused, type Refused } from '../model/result.ts';

/** Refuses a change of signing while another one is carried out in slices. @param field the member of the request */
export function refuseUnfinished({ name }: Pick<Domain, 'name'>, field?: string): Refused {
  return refused(
    'dnssec_conflict',
    `Signatures of domain ${quoteText(name)} are still being made or removed: wait until that is done`,
    field,
  );
}
