import { hasPriority } from './priority.ts';
import type { DomainRecord } from './record.ts';

/** `TTL 300`, and on types that have one the priority: what records of the same content can differ in. */
export function describeTerms({
  type,
  ttl,
  priority,
}: Pick<DomainRecord, 'type' | 'ttl' | 'priority'>): string {
  return hasPriority(type) ? `TTL ${ttl} and priority ${priority}` : `TTL ${ttl}`;
}
