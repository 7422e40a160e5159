import { expect, test } from 'vitest';
import { success } from '../model/result.ts';
import { changeRecords } from './change-records.ts';
import { createDomain } from './create-domain.ts';
import { createRecord } from './create-record.ts';
import { findPathDomain } from './path-domain.ts';
import { openOperationScene } from './operation-scene.test-support.ts';

const { context, caller } = await openOperationScene();

test('malformed parts and conflicts are reported together with their positions, and nothing is changed', async () => {
  const domain = 'problems.example';
  await createDomain(context, caller, { domain });
  const www = { type: 'A', name: 'www', data: '192.0.2.1', ttl: 60 };
  await createRecord(context, caller, domain, www);
  const before = await findPathDomain(context, caller, domain);
  const result = await changeRecords(context, caller, domain, {
    count: 5,
    deletes: [success('nobody')],
    updates: [],
    creates: [
      success({ ...www, name: 'fine' }),
      success({ ...www, data: 'no address' }),
      success({ ...www, name: 'also-fine' }),
      success({ ...www, type: 'CNAME', data: 'target.example' }),
    ],
  });
  const problems = result.ok ? [] : (result.refusal.problems ?? []);
  expect(problems.map(({ list, index, code }) => [list, index, code])).toEqual([
    ['create', 1, 'invalid_request'],
    ['delete', 0, 'unknown_record'],
    ['create', 3, 'record_conflict'],
  ]);
  expect(await findPathDomain(context, caller, domain)).toEqual(before);
});
