import { expect, test } from 'vitest';
import { defaultLimits } from '../model/account-limits.ts';
import type { AccountPart, AccountParts } from './account-parts.ts';
import { createDomain } from './create-domain.ts';
import { exportAccount } from './export-account.ts';
import { exportZone } from './export-zone.ts';
import { importZone } from './import-zone.ts';
import { openOperationScene } from './operation-scene.test-support.ts';
import type { Requester } from './requester.ts';
import { SMALL_EXPORT_RECORDS } from './stream-zone.ts';
import { WorkBudget } from './work-budget.ts';

const { context, caller } = await openOperationScene();

/** Begins an export, which must not be refused. */
async function begin(requester: Requester = caller): Promise<AccountParts> {
  const opened = await exportAccount(context, requester);
  expect(opened).toMatchObject({ ok: true });
  return (opened as { value: { parts: AccountParts } }).value.parts;
}

/** Reads an export to its end; zone files become texts. */
async function readAll(parts: AccountParts) {
  const read: (AccountPart & { content?: string })[] = [];
  for await (const part of parts) {
    let content = '';
    if (part.kind === 'zoneFile') for await (const piece of part.text) content += piece;
    read.push(part.kind === 'zoneFile' ? { ...part, content } : part);
  }
  return read;
}

async function textOf(domain: string): Promise<string> {
  const exported = await exportZone(context, caller, domain);
  let text = '';
  if (exported.ok) for await (const piece of exported.value.text) text += piece;
  return text;
}

test('a domain that is read while it is sent has the size that was told before', async () => {
  await createDomain(context, caller, { domain: 'large.test' });
  const lines = Array.from(
    { length: SMALL_EXPORT_RECORDS + 500 },
    (_, n) => `é${n} 60 TXT "ü${'x'.repeat(n % 99)}"`,
  );
  const zone = { mode: 'merge', content: lines.join('\n'), isCreating: false } as const;
  expect(await importZone(context, caller, 'large.test', zone)).toMatchObject({ ok: true });
  const parts = await readAll(await begin());
  const file = parts.find(({ kind }) => kind === 'zoneFile');
  expect(file?.content).toBe(await textOf('large.test'));
  expect(file?.kind === 'zoneFile' ? file.sizeBytes : 0).toBe(Buffer.byteLength(file?.content ?? ''));
  const records = parts.flatMap((part) => (part.kind === 'records' ? part.rows : []));
  expect(records).toHaveLength(lines.length + 1);
});

test('an account has one export at a time, until that is read or its client has gone', async () => {
  const gone = new AbortController();
  const parts = await begin({ ...caller, getSignal: () => gone.signal });
  expect(await exportAccount(context, caller)).toMatchObject({ refusal: { code: 'busy' } });
  gone.abort();
  const second = await begin();
  await second.next();
  expect(await exportAccount(context, caller)).toMatchObject({ refusal: { code: 'busy' } });
  await second.return();
  await readAll(await begin());
  await parts.return();
  expect(context.accountExports.heldBy(caller.accountId)).toBe(0);
});

test('an export ends soon after its client has gone, and leaves no view open', async () => {
  const gone = new AbortController();
  const parts = await begin({ ...caller, getSignal: () => gone.signal });
  for await (const part of parts) if (part.kind === 'records') break;
  const again = await begin({ ...caller, getSignal: () => gone.signal });
  gone.abort();
  await expect(readAll(again)).rejects.toThrow('The client has gone away');
  // All views can be opened: none is held.
  const views = await Promise.all(
    Array.from({ length: 4 }, () => context.zoneViews.open(caller.accountId, 'large.test' as never)),
  );
  for (const view of views) if (view.ok) await view.value.close();
  expect(views.every(({ ok }) => ok)).toBe(true);
});

test('an export costs work, twice for each record', async () => {
  const limits = await context.store.findQuota(caller.accountId);
  // Its time stands still.
  const work = new WorkBudget(() => 0);
  const frozen = { ...context, work };
  const opened = await exportAccount(frozen, caller);
  if (opened.ok) await readAll(opened.value.parts);
  const used = work.used(caller.accountId, 10_000_000);
  expect(used).toBeGreaterThan((limits?.usage.records ?? 0) * 1.5);
  const { costPerMinute } = defaultLimits;
  expect(work.take(caller.accountId, costPerMinute - used, costPerMinute)).toBe(0);
  expect(await exportAccount(frozen, caller)).toMatchObject({ refusal: { code: 'cost_exceeded' } });
  expect(context.accountExports.heldBy(caller.accountId)).toBe(0);
});
