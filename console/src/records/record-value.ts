import type { RecordJson } from '../../../src/contract/response-shapes.ts';

/** The parts of a record that people edit. */
export interface RecordValue {
  readonly type: string;
  /** Relative to the domain; `''` is the domain itself. */
  readonly name: string;
  /** In presentation format. That of MX and SRV begins with the priority, which the interface has apart (contract rule 23). */
  readonly data: string;
  /** Seconds. */
  readonly ttl: number;
}

const withPriority: ReadonlySet<string> = new Set(['MX', 'SRV']);

export function valueOf({ type, name, data, ttl, priority }: RecordJson): RecordValue {
  return { type, name, data: withPriority.has(type) ? `${priority} ${data}` : data, ttl };
}

export function isSameValue(one: RecordValue, other: RecordValue): boolean {
  return (
    one.type === other.type && one.name === other.name && one.data === other.data && one.ttl === other.ttl
  );
}

/** The members `data` and `priority` of a request. */
export function dataMembers({ type, data }: RecordValue): {
  readonly data: string;
  readonly priority?: number;
} {
  const match = withPriority.has(type) ? /^(\d{1,5})\s+(.+)$/s.exec(data) : null;
  return match === null ? { data } : { priority: Number(match[1]), data: match[2] };
}

/** `@` for the domain itself, as in zone files. */
export function shownName(name: string): string {
  return name === '' ? '@' : name;
}
