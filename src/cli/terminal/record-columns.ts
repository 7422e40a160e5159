import type { RecordJson } from '../../contract/response-shapes.ts';
import type { Columns } from './print-list.ts';

/** A record without its id. */
export const contentColumns: Columns<Omit<RecordJson, 'id'>> = {
  name: (record) => formatName(record.name),
  ttl: (record) => String(record.ttl),
  type: (record) => record.type,
  priority: (record) => (record.priority < 0 ? '-' : String(record.priority)),
  data: (record) => record.data,
};

export const recordColumns: Columns<RecordJson> = { id: (record) => record.id, ...contentColumns };

/** The domain itself has no name of its own. */
export function formatName(name: string): string {
  return name === '' ? '@' : name;
}

/** On one line, as in a master file. */
export function formatRecord(record: Omit<RecordJson, 'id'>): string {
  const { name, ttl, type, priority, data } = record;
  const words = [
    formatName(name),
    String(ttl),
    type,
    ...(hasPriority(record) ? [String(priority)] : []),
    data,
  ];
  return words.join(' ');
}

/** Elsewhere it is without meaning (contract rule 23). */
function hasPriority({ type, priority }: Omit<RecordJson, 'id'>): boolean {
  return priority >= 0 && (type === 'MX' || type === 'SRV');
}
