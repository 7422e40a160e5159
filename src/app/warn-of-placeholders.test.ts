import type { Logger } from 'pino';
import { expect, test } from 'vitest';
import { createDomain } from '../operations/create-domain.ts';
import { createRecord } from '../operations/create-record.ts';
import { openOperationScene } from '../operations/operation-scene.test-support.ts';
import type { Store } from '../store/store.ts';
import { silentLog } from '../base/log.ts';
import { warnOfPlaceholders } from './warn-of-placeholders.ts';

const { context, caller } = await openOperationScene();
const running = new AbortController().signal;

test('domains with the placeholder of an unset nameserver are named in the log', async () => {
  const lines: unknown[] = [];
  const log = { warn: (...line: unknown[]) => lines.push(line) } as unknown as Logger;
  await createDomain(context, caller, { domain: 'set.example' });
  await createDomain(context, caller, { domain: 'unset.example' });
  await warnOfPlaceholders(context.store, log, running);
  expect(lines).toEqual([]);
  const placeholder = { type: 'NS', name: '', data: 'ns1.zonewright.invalid.', ttl: 3600 };
  await createRecord(context, caller, 'unset.example', placeholder);
  await warnOfPlaceholders(context.store, log, running);
  expect(lines).toEqual([
    [expect.objectContaining({ domains: ['unset.example'], count: 1 }), expect.any(String)],
  ]);
});

test('a store that is closed meanwhile ends it without an error', async () => {
  const stopping = new AbortController();
  const listRecords: Store['listRecords'] = () => {
    stopping.abort();
    return Promise.reject(new Error('the store is closed'));
  };
  const store = Object.create(context.store, { listRecords: { value: listRecords } }) as Store;
  await createDomain(context, caller, { domain: 'stopped.example' });
  await warnOfPlaceholders(store, silentLog as unknown as Logger, stopping.signal);
  expect(stopping.signal.aborted).toBe(true);
});
