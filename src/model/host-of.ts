import type { DomainRecord } from './record.ts';

/** Returns the host name in the data of an NS record, without a final dot, in lower case. */
export function hostOf({ data }: Pick<DomainRecord, 'data'>): string {
  return data.toLowerCase().replace(/\.$/, '');
}
