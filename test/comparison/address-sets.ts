// The address sets of a zone in the form in which answers are compared: the allowed contents of an additional section.

import { Buffer } from 'node:buffer';
import { rdataOf } from './own-answers.ts';
import type { TestZone } from './test-zone.ts';

const known = new WeakMap<TestZone, ReadonlySet<string>>();

/** Address sets, one line each, in the format of `setsOf`. */
export function addressSetsOf(zone: TestZone): ReadonlySet<string> {
  const ready = known.get(zone);
  if (ready !== undefined) return ready;
  const byKey = new Map<string, string[]>();
  for (const record of zone.records.filter(({ type }) => type === 'A' || type === 'AAAA')) {
    const key = `${record.owner.toLowerCase()} ${record.type} ${record.ttl}`;
    byKey.set(key, [...(byKey.get(key) ?? []), Buffer.from(rdataOf(record)).toString('hex')]);
  }
  const sets = new Set([...byKey].map(([key, data]) => `${key} ${data.sort().join(' ')}`));
  known.set(zone, sets);
  return sets;
}
