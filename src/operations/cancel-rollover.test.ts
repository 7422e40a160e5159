import { expect, test } from 'vitest';
import type { Rollover } from '../dnssec/rollover.ts';
import type { ZoneName } from '../model/domain.ts';
import type { WriteResult } from '../model/result.ts';
import { askingParent } from './asking-parent.test-support.ts';
import { cancelRollover } from './cancel-rollover.ts';
import { createDomain } from './create-domain.ts';
import { createRecord } from './create-record.ts';
import { getSigningStatus } from './get-signing-status.ts';
import { openOperationScene } from './operation-scene.test-support.ts';
import { startRollover } from './start-rollover.ts';

const { context, caller } = await openOperationScene('nsec');
const forEver = (): AbortSignal => new AbortController().signal;
let counter = 0;

function valueOf<T>(result: WriteResult<T>): T {
  if (!result.ok) throw new Error(result.refusal.message);
  return result.value;
}

/** A signed domain whose rollover waits for the DS record of the new key at the parent zone `test.example`. */
async function announce(parent = 'test.example') {
  counter++;
  const domain = `d${counter}.${parent}` as ZoneName;
  valueOf(await createDomain(context, caller, { domain, dns_sec: 'enabled' }));
  const { id, step } = valueOf(await startRollover(context, caller, domain, {}));
  const move = { kind: 'moveRollover', domain, id, step, to: 'next' } as const;
  expect(valueOf(await context.store.write(move))).toEqual({ moved: true });
  const [wanted] = await wantedOf(domain);
  return { domain, id, wanted };
}

async function wantedOf(domain: string): Promise<readonly string[]> {
  const status = await getSigningStatus(context, caller, domain, forEver);
  if (!status.ok) throw new Error(status.refusal.message);
  return status.value.wanted;
}

const OTHER_DS = `4711 13 2 ${'AB'.repeat(32)}`;

test('a rollover is cancelled while no server of the parent zone has the DS record of the new key', async () => {
  const { domain, id } = await announce();
  const asking = await askingParent(context, domain, [OTHER_DS], []);
  expect(await cancelRollover(asking, caller, domain, id)).toMatchObject({ ok: true, changed: true });
  expect(
    await context.store.signing.zoneKeys((await context.store.findDomain(caller.accountId, domain))!),
  ).toHaveLength(1);
});

test('a rollover is not cancelled if one server of the parent zone has the new DS record', async () => {
  const { domain, id, wanted } = await announce();
  const asking = await askingParent(context, domain, [OTHER_DS], [OTHER_DS, wanted], undefined);
  for (const dryRun of [undefined, true] as const) {
    expect(await cancelRollover(asking, { ...caller, terms: { dryRun } }, domain, id)).toEqual({
      ok: false,
      refusal: {
        code: 'dnssec_conflict',
        message: `The rollover of "${domain}" cannot be cancelled, because b.servers.net has the DS record of the new key: have it replaced by the old one first, or let the rollover go on`,
      },
    });
  }
  // The rollover is in progress as before.
  expect(await wantedOf(domain)).toEqual([wanted]);
});

test('a parent zone of the account counts as it is stored', async () => {
  const { name: parent } = valueOf(await createDomain(context, caller, { domain: 'above.example' }));
  const { domain, id, wanted } = await announce(parent);
  const name = domain.slice(0, -parent.length - 1);
  const record = { name, ttl: 300 };
  valueOf(await createRecord(context, caller, parent, { ...record, type: 'NS', data: 'ns1.example.net' }));
  valueOf(await createRecord(context, caller, parent, { ...record, type: 'DS', data: wanted }));
  expect(await cancelRollover(context, caller, domain, id)).toMatchObject({
    ok: false,
    refusal: { message: expect.stringContaining(`because your domain ${parent} has the DS`) as string },
  });
});

test('where the parent zone cannot be asked, a rollover is cancelled unless it was seen to have the DS record', async () => {
  const { domain, id } = await announce();
  const silent = await askingParent(context, domain, undefined);
  expect(await cancelRollover(silent, caller, domain, id)).toMatchObject({ ok: true });
  const seen = await announce();
  const step: Rollover['step'] = 'announced';
  const to = { untilSeconds: Math.floor(context.clock.nowMs() / 1000) + 3600 };
  const move = { kind: 'moveRollover', domain: seen.domain, id: seen.id, step, to } as const;
  expect(valueOf(await context.store.write(move))).toEqual({ moved: true });
  expect(await cancelRollover(context, caller, seen.domain, seen.id)).toMatchObject({
    ok: false,
    refusal: { code: 'dnssec_conflict', message: expect.stringContaining('any more') as string },
  });
});
