import { quoteText } from './quote-text.ts';
import { refused, type Refused } from './result.ts';

/**
 * Refusals of things that do not exist or belong to another account. The two cases give the same sentence for every
 * request, so that clients cannot distinguish them (contract rule 8).
 */
export function refuseUnknownDomain(name: string): Refused {
  return refused('unknown_domain', `Invalid domain: there is no domain ${quoteText(name)} in this account`);
}

/** @param id the former id, if the request names one */
export function refuseUnknownDeleted(name: string, id?: number | string): Refused {
  const which = id === undefined ? '' : ` with id ${quoteText(String(id))}`;
  const what = `no deleted domain ${quoteText(name)}${which} that could be restored`;
  return refused('unknown_domain', `Invalid domain: there is ${what} in this account`);
}

export function refuseUnknownRecord(id: string, domain: string): Refused {
  return refused(
    'unknown_record',
    `Invalid record: there is no record ${quoteText(id)} in ${quoteText(domain)}`,
  );
}

export function refuseUnknownAccount(id: string): Refused {
  return refused('unknown_account', `Invalid account: there is no account ${quoteText(id)}`, 'account');
}

export function refuseUnknownKey(id: string): Refused {
  return refused('unknown_key', `Invalid key: there is no key ${quoteText(id)}`);
}
