import type { DomainRecord, SentRecord } from '../model/record.ts';

/** Reduces a sent record to what is stored. */
export function withoutAsShown(sent: SentRecord): DomainRecord {
  if (sent.asShown === undefined) return sent;
  const { id, owner, name, type, data, priority, ttl, rdata } = sent;
  return { id, owner, name, type, data, priority, ttl, rdata };
}
