import { expect, test } from 'vitest';
import type { RecordFilter } from '../store/record-filter.ts';
import { createDomain } from './create-domain.ts';
import { listRecords } from './read-records.ts';
import { openOperationScene } from './operation-scene.test-support.ts';
import type { RecordFilterInput } from './record-filter.ts';

const { context, caller } = await openOperationScene();
const page = { direction: 'after', key: null, limit: 10 } as const;

test.each<[what: string, input: RecordFilterInput, isFiltered: boolean]>([
  ['nothing', {}, false],
  ['undefined members', { type: undefined, name: undefined, data: undefined, search: undefined }, false],
  ['a type', { type: 'NS', search: undefined }, true],
  ['the apex', { name: '' }, true],
])('the store gets a filter only if the request has one: %s', async (_, input, isFiltered) => {
  const domain = 'lists.example';
  await createDomain(context, caller, { domain });
  const asked: (RecordFilter | undefined)[] = [];
  const store = Object.assign(Object.create(context.store) as typeof context.store, {
    listRecords: (...[found, at, filter]: Parameters<typeof context.store.listRecords>) => {
      asked.push(filter);
      return context.store.listRecords(found, at, filter);
    },
  });
  const result = await listRecords({ ...context, store }, caller, domain, page, input);
  expect(result).toMatchObject({ ok: true, value: { total: 1 } });
  expect(asked.map((filter) => filter !== undefined)).toEqual([isFiltered]);
});
