import { expect, test } from 'vitest';
import { finishSteps } from '../base/steps.ts';
import { rrType } from '../dns/codes.ts';
import type { DomainRecord, OwnerKey } from '../model/record.ts';
import { OwnerRecords } from './owner-records.ts';
import { planRecords } from './plan-import.ts';

test('a damaged text that gets other character-strings keeps nothing but its id', () => {
  const sent: DomainRecord = {
    id: 'sent',
    owner: 'txt' as OwnerKey,
    name: 'txt',
    type: rrType.TXT,
    data: 'ab',
    priority: 0,
    ttl: 60,
    rdata: Uint8Array.of(1, 97, 1, 98),
  };
  const damaged = { ...sent, id: 'held', name: 'TXT', data: 'cd', rdata: Uint8Array.of(2, 97, 98) };
  const kept = new Set<string>();
  const existing = new OwnerRecords([damaged], kept);
  const plan = finishSteps(planRecords([sent], kept, () => existing, true));
  expect(plan.updated).toEqual([[0, { before: damaged, after: { ...sent, id: 'held' } }]]);
});
