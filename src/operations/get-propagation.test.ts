import { expect, test } from 'vitest';
import { rightsOf } from '../model/scope-rights.ts';
import type { Caller } from '../model/account.ts';
import type { ReadResult } from '../model/result.ts';
import { createAccount } from './create-account.ts';
import { createDomain } from './create-domain.ts';
import { createRecord } from './create-record.ts';
import { deleteDomain } from './delete-domain.ts';
import { deleteRecord } from './delete-record.ts';
import { getDomain, getSoa } from './read-domains.ts';
import { getPropagation } from './get-propagation.ts';
import { openOperationScene } from './operation-scene.test-support.ts';
import { updateDomain } from './update-domain.ts';
import { updateRecord } from './update-record.ts';
import { updateSoa } from './update-soa.ts';

const { context, caller: owner } = await openOperationScene();
const stranger = callerOf(await createAccount(context, owner, { name: 'Stranger', email: 'b@example.net' }));
const domain = 'example.com';
const created = await createDomain(context, owner, { domain });
const www = { type: 'A', name: 'www', data: '192.0.2.1', ttl: 300 };
const forEver = (): AbortSignal => new AbortController().signal;

function callerOf(result: Awaited<ReturnType<typeof createAccount>>): Caller {
  if (!result.ok) throw new Error(result.refusal.message);
  const { key } = result.value;
  return { accountId: key.accountId, keyId: key.id, rights: rightsOf(key) };
}

function serialOf(result: ReadResult<unknown>): number | undefined {
  if (!result.ok) throw new Error(result.refusal.message);
  return result.serial;
}

test('every write after which the domain exists returns its serial, and so does reading the domain', async () => {
  const first = serialOf(created)!;
  expect(serialOf(await createDomain(context, owner, { domain }))).toBe(first);
  const record = await createRecord(context, owner, domain, www);
  if (!record.ok) throw new Error(record.refusal.message);
  const { id } = record.value;
  expect(record.serial).toBe(first + 1);
  expect(serialOf(await createRecord(context, owner, domain, www))).toBe(first + 1);
  expect(serialOf(await updateRecord(context, owner, domain, id, { ttl: 60 }))).toBe(first + 2);
  expect(serialOf(await updateRecord(context, owner, domain, id, {}))).toBe(first + 2);
  expect(serialOf(await updateSoa(context, owner, domain, { email: 'b@example.com' }))).toBe(first + 3);
  expect(serialOf(await updateSoa(context, owner, domain, {}))).toBe(first + 3);
  expect(serialOf(await updateDomain(context, owner, domain, {}))).toBe(first + 3);
  expect(serialOf(await deleteRecord(context, owner, domain, id))).toBe(first + 4);
  expect(serialOf(await getDomain(context, owner, domain))).toBe(first + 4);
  expect(serialOf(await getSoa(context, owner, domain))).toBe(first + 4);
});

test('with an embedded store, the only process serves every write immediately', async () => {
  const serial = serialOf(await createRecord(context, owner, domain, { ...www, name: 'at-once' }))!;
  for (const asked of [
    { serial: null, waitSeconds: 0 },
    { serial, waitSeconds: 60 },
    { serial: serial - 1, waitSeconds: 60 },
  ]) {
    const result = await getPropagation(context, owner, 'Example.COM.', asked, forEver);
    expect(result).toMatchObject({
      ok: true,
      value: { domain, serial: asked.serial ?? serial, isCurrent: true },
    });
    if (result.ok) {
      const [only, ...others] = result.value.nameservers;
      expect(only).toMatchObject({ serial, isLive: true, isCurrent: true });
      expect(others).toEqual([]);
    }
  }
});

test('a request can wait for a future serial', async () => {
  const serial = serialOf(await getDomain(context, owner, domain))! + 1;
  expect(await getPropagation(context, owner, domain, { serial, waitSeconds: 0 }, forEver)).toMatchObject({
    value: { serial, isCurrent: false, nameservers: [{ isCurrent: false }] },
  });
  const waiting = getPropagation(context, owner, domain, { serial, waitSeconds: 60 }, forEver);
  await createRecord(context, owner, domain, { ...www, name: 'awaited' });
  expect(await waiting).toMatchObject({ value: { serial, isCurrent: true, nameservers: [{ serial }] } });
});

test('domains of other accounts, malformed names and deleted domains are unknown', async () => {
  await createDomain(context, owner, { domain: 'gone.example' });
  await deleteDomain(context, owner, 'gone.example');
  for (const [caller, name] of [
    [stranger, domain],
    [owner, 'a..b'],
    [owner, 'gone.example'],
  ] as const) {
    const asked = { serial: null, waitSeconds: 60 };
    expect(await getPropagation(context, caller, name, asked, forEver)).toMatchObject({
      ok: false,
      refusal: { code: 'unknown_domain' },
    });
  }
});
