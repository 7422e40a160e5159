import type { Domain } from '../model/domain.ts';
import { quoteText } from '../model/quote-text.ts';
import { refused, type Refused } from '../model/result.ts';
import { MAX_REWOUND_CHANGES, type LaterChanges, type PastChange } from './rewind-records.ts';
import { MAX_ZONE_OCTETS, MAX_ZONE_RECORDS } from '../model/write-limits.ts';

type LaterKinds = Pick<LaterChanges, 'reachesBack' | 'isTooLong'> & {
  readonly changes: readonly Pick<PastChange, 'kind'>[];
};

/**
 * Says why a domain's content at an earlier moment is not available; undefined if it is.
 *
 * @param then the moment in words, such as `serial 7`
 */
export function findHistoryRefusal(
  { name, serial, recordCount, octets }: Pick<Domain, 'name' | 'serial' | 'recordCount' | 'octets'>,
  then: string,
  { changes, reachesBack, isTooLong }: LaterKinds,
): Refused | undefined {
  const domain = quoteText(name);
  if (!reachesBack) {
    return gone(`The history of ${domain}, now at serial ${serial}, does not reach back to ${then}`);
  }
  // Between a deletion and the restoration that follows it, a domain has no changes.
  if (changes.at(0)?.kind === 'domainRestore') {
    return refused(
      'domain_deleted',
      `Domain ${domain} did not exist at ${then}: it was deleted before, and restored later`,
    );
  }
  if (changes.length > MAX_REWOUND_CHANGES) {
    return gone(`More than ${MAX_REWOUND_CHANGES} changes of ${domain} lie between now and ${then}`);
  }
  if (isTooLong === true) {
    return gone(`The changes of ${domain} between now and ${then} have more than ${MAX_ZONE_OCTETS} octets`);
  }
  if (recordCount > MAX_ZONE_RECORDS) return refuseTooLarge(name, 'brought back');
  return octets > MAX_ZONE_OCTETS ? refuseTooLong({ name, octets }, 'brought back') : undefined;
}

/** @param done what was to be done with the domain */
export function refuseTooLong({ name, octets }: Pick<Domain, 'name' | 'octets'>, done: string) {
  const message = `Domain ${quoteText(name)} has records of ${octets} octets, more than the ${MAX_ZONE_OCTETS} that can be ${done} at once`;
  return refused('invalid_request', message);
}

export function refuseTooLarge(name: string, done: string) {
  const message = `Domain ${quoteText(name)} has more than the ${MAX_ZONE_RECORDS} records that can be ${done} at once`;
  return refused('invalid_request', message);
}

function gone(message: string) {
  return refused('history_gone', message);
}
