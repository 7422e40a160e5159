import type { Logger } from 'pino';
import { expect, test } from 'vitest';
import { createDomain } from '../operations/create-domain.ts';
import { createRecord } from '../operations/create-record.ts';
import { openOperationScene } from '../operations/operation-scene.test-support.ts';
import { warnOfPlaceholders } from './warn-of-placeholders.ts';

const { context, caller } = await openOperationScene();

test('domains with the placeholder of an unset nameserver are named in the log', async () => {
  const lines: unknown[] = [];
  const log = { warn: (...line: unknown[]) => lines.push(line) } as unknown as Logger;
  await createDomain(context, caller, { domain: 'set.example' });
  await createDomain(context, caller, { domain: 'unset.example' });
  await warnOfPlaceholders(context.store, log);
  expect(lines).toEqual([]);
  const placeholder = { type: 'NS', name: '', data: 'ns1.zonewright.invalid.', ttl: 3600 };
  await createRecord(context, caller, 'unset.example', placeholder);
  await warnOfPlaceholders(context.store, log);
  expect(lines).toEqual([
    [expect.objectContaining({ domains: ['unset.example'], count: 1 }), expect.any(String)],
  ]);
});
