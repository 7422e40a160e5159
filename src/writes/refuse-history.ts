import type { Domain } from '../model/domain.ts';
import { quoteText } from '../model/quote-text.ts';
import { refused, type Refused } from '../model/result.ts';
import { MAX_REWOUND_CHANGES, type LaterChanges } from './rewind-records.ts';
import { MAX_ZONE_RECORDS } from '../model/write-limits.ts';

/**
 * Says why a domain's content at an earlier moment is not available; undefined if it is.
 *
 * @param then the moment in words, such as `serial 7`
 */
export function findHistoryRefusal(
  { name, serial, recordCount }: Pick<Domain, 'name' | 'serial' | 'recordCount'>,
  then: string,
  { changes, reachesBack }: LaterChanges,
): Refused | undefined {
  const domain = quoteText(name);
  if (!reachesBack) {
    return gone(`The history of ${domain}, now at serial ${serial}, does not reach back to ${then}`);
  }
  if (changes.length > MAX_REWOUND_CHANGES) {
    return gone(`More than ${MAX_REWOUND_CHANGES} changes of ${domain} lie between now and ${then}`);
  }
  return recordCount > MAX_ZONE_RECORDS ? refuseTooLarge(name, 'brought back') : undefined;
}

export function refuseTooLarge(name: string, done: string) {
  const message = `Domain ${quoteText(name)} has more than the ${MAX_ZONE_RECORDS} records that can be ${done} at once`;
  return refused('invalid_request', message);
}

function gone(message: string) {
  return refused('history_gone', message);
}
