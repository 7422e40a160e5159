import { expect, test } from 'vitest';
import type { ZoneName } from '../model/domain.ts';
import { MAX_WITHHELD_AT_ONCE } from '../writes/decide-withholding.ts';
import { createDomain } from './create-domain.ts';
import { openOperationScene } from './operation-scene.test-support.ts';
import { releaseAccount, withholdAccount } from './serve-account.ts';

const { context, caller } = await openOperationScene();
const { accountId } = caller;
const author = { accountId: '', keyId: '', atMs: context.clock.nowMs() };
const COUNT = MAX_WITHHELD_AT_ONCE + 5;

test('all domains of an account are withheld and released in slices, and only where there is something to change', async () => {
  const names = Array.from({ length: COUNT }, (_, index) => `d${index}.example`);
  await Promise.all(names.map((domain) => createDomain(context, caller, { domain })));
  const suspended = { accountId, reason: 'suspended', author } as const;
  const name = 'unverified.example' as ZoneName;
  const by = { ...author, accountId };
  const about = { author: by, name, address: null, nameservers: [] } as const;
  await context.store.write({ kind: 'createDomain', ...about, claim: 'unverified' });
  expect(await withholdAccount(context, suspended)).toEqual({ ok: true, value: COUNT + 1 });
  expect(await withholdAccount(context, suspended)).toEqual({ ok: true, value: 0 });
  expect(await countWithheld()).toBe(COUNT + 1);
  expect(await releaseAccount(context, suspended)).toEqual({ ok: true, value: COUNT + 1 });
  expect(await countWithheld()).toBe(1);
  expect(await withholdAccount(context, { ...suspended, signal: AbortSignal.abort() })).toEqual({
    ok: true,
    value: 0,
  });
});

async function countWithheld(): Promise<number> {
  const page = { direction: 'after', key: null, limit: 500 } as const;
  const { rows } = await context.store.listDomains(accountId, page);
  return rows.filter(({ withheld }) => withheld.length > 0).length;
}
