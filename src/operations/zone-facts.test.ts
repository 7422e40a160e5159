import { expect, test } from 'vitest';
import type { ZoneName } from '../model/domain.ts';
import type { DomainRecord } from '../model/record.ts';
import { rrType } from '../dns/codes.ts';
import { noFacts } from '../checks/zone-facts.ts';
import { openOperationScene } from './operation-scene.test-support.ts';
import { readZoneFacts } from './zone-facts.ts';

const { context, caller } = await openOperationScene();

test('no further name is looked up when the client has gone', async () => {
  const client = new AbortController();
  const asked: string[] = [];
  const store = Object.assign(Object.create(context.store) as typeof context.store, {
    findDomain: (accountId: string, name: ZoneName) => {
      asked.push(name);
      client.abort();
      return context.store.findDomain(accountId, name);
    },
  });
  const policy = {
    type: rrType.TXT,
    data: '"v=spf1 include:first.example include:second.example include:third.example -all"',
  } as DomainRecord;
  const { accountId } = caller;
  const request = { accountId, name: 'left.example' as ZoneName, records: [policy] };
  const facts = await readZoneFacts(store, { ...request, getSignal: () => client.signal });
  expect(asked).toEqual(['first.example']);
  expect(facts).toBe(noFacts);
});
