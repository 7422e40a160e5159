import { expect, test } from 'vitest';
import type { TrailEntry } from '../../model/trail-entry.ts';
import type { Author } from '../../writes/command.ts';
import { TRAIL_OCTETS } from '../trail-columns.ts';
import { newKey, START_MS, type StoreFixture, type StoreScene } from './store-scene.test-support.ts';

/** Entries that commands leave in the trail. */
export function trailSuite(scene: () => StoreScene, fixture: () => StoreFixture): void {
  noteSuite(scene, fixture);
  undoneSuite(scene, fixture);
}

/** The entries of an account, in the order of writing. */
async function trailOf(fixture: StoreFixture, accountId: string): Promise<readonly unknown[][]> {
  const columns = 'action, actor, actor_name, address, object, detail, at, count';
  const rows = await fixture.query(
    `SELECT ${columns} FROM trail WHERE account_id = '${accountId}' ORDER BY id`,
  );
  return rows.map((row) => Object.values(row as object) as unknown[]);
}

function noteSuite(scene: () => StoreScene, fixture: () => StoreFixture): void {
  test('an entry says who did what, when and from where', async () => {
    const { account, key } = await scene().newAccount();
    const maker = { ...newKey(account.id), label: 'the owner’s laptop' };
    await scene().must({ kind: 'createKey', key: maker });
    const author: Author = {
      accountId: account.id,
      keyId: maker.id,
      atMs: START_MS + 7,
      address: '192.0.2.1',
    };
    await scene().must({ kind: 'revokeKey', author, accountId: account.id, keyId: key.id });
    expect(await trailOf(fixture(), account.id)).toEqual([
      [
        'key.revoke' satisfies TrailEntry['action'],
        maker.id,
        maker.label,
        '192.0.2.1',
        key.id,
        JSON.stringify({ label: '', scope: 'full' }),
        START_MS + 7,
        1,
      ],
    ]);
  });

  test('the octets of the trail are counted for each action', async () => {
    const tenant = await scene().newAccount();
    const { account } = tenant;
    const keys = [newKey(account.id), newKey(account.id)];
    await Promise.all(keys.map((key) => scene().must({ kind: 'createKey', author: tenant.author, key })));
    const [usage] = await fixture().query(
      `SELECT octets FROM trail_usage WHERE account_id = '${account.id}' AND action = 'key.create'`,
    );
    const [counted] = await fixture().query(
      `SELECT sum(${TRAIL_OCTETS}) AS octets FROM trail WHERE account_id = '${account.id}'`,
    );
    expect(Number(Object.values(usage as object)[0])).toBe(Number(Object.values(counted as object)[0]));
  });
}

function undoneSuite(scene: () => StoreScene, fixture: () => StoreFixture): void {
  test('a command that is refused or tried leaves nothing', async () => {
    const tenant = await scene().newAccount();
    const { account, author, key } = tenant;
    const about = { author, accountId: account.id };
    await scene().must({ kind: 'revokeKey', ...about, keyId: key.id, dryRun: true });
    await scene().must({ kind: 'createKey', author, key: newKey(account.id), dryRun: true });
    expect(await scene().store.write({ kind: 'revokeKey', ...about, keyId: 'nobody' })).toMatchObject({
      ok: false,
    });
    await scene().must({ kind: 'updateLimits', ...about, overrides: { keys: 1 } });
    const before = await trailOf(fixture(), account.id);
    expect(await scene().store.write({ kind: 'createKey', author, key: newKey(account.id) })).toMatchObject({
      refusal: { code: 'quota_exceeded' },
    });
    expect(await trailOf(fixture(), account.id)).toEqual(before);
    expect(before.map((row) => row[0])).not.toContain('key.create');
  });

  test('a repeat of a request leaves nothing', async () => {
    const tenant = await scene().newAccount();
    const { account, author } = tenant;
    const key = newKey(account.id);
    const repeated = { ...author, idempotency: { key: `once ${key.id}`, hash: 'same' } };
    for (let attempt = 0; attempt < 3; attempt++)
      await scene().must({ kind: 'createKey', author: repeated, key });
    expect(await trailOf(fixture(), account.id)).toHaveLength(1);
  });
}
