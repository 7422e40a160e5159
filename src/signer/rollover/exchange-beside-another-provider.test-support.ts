import { expect } from 'vitest';
import { showKey } from './key-set-obstacles.ts';
import { DS_TTL_SECONDS, type WatchScene } from './watch-scene.test-support.ts';

const HOUR_SECONDS = 3600;
const DAY_SECONDS = 86_400;

/** Carries a rollover through its steps; none follows before the nameservers of the other provider publish what it needs. */
export async function exchangeBesideAnotherProvider(scene: WatchScene): Promise<void> {
  const { servers, lookAfter, step } = scene;
  const [old] = await scene.keys();
  const foreign = await scene.addForeignKey();
  await scene.start(13);
  const incoming = (await scene.keys()).find(({ rollover }) => rollover !== null);
  if (incoming === undefined) throw new Error('there is no new key');
  const [oldDnskey, newDnskey] = [old, incoming].map(showKey);
  const theirs = { serial: 1, signers: [foreign.tag], keysTtl: 2 * HOUR_SECONDS };
  const publish = (dnskeys: readonly string[], cds: readonly string[] = []): void => {
    const sets = { ...theirs, dnskeys, cds, cdnskeys: [] };
    servers.keySets = [{ name: 'ns.other', address: '192.0.2.2', ...sets }];
  };
  const expectAfter = async (seconds: number, expected: string): Promise<void> => {
    await lookAfter(seconds);
    expect(await step()).toBe(expected);
  };

  await expectAfter(DAY_SECONDS, 'published');
  publish([oldDnskey]);
  await expectAfter(DAY_SECONDS, 'published');
  publish([oldDnskey, newDnskey]);
  await expectAfter(HOUR_SECONDS, 'published, waiting');
  // The other provider has the longer TTL.
  await expectAfter(HOUR_SECONDS + 60, 'published, waiting');
  await expectAfter(HOUR_SECONDS, 'announced');

  servers.ds = [incoming];
  publish([oldDnskey, newDnskey], ['1 13 2 00']);
  await expectAfter(DAY_SECONDS, 'announced');
  publish([oldDnskey, newDnskey]);
  await expectAfter(HOUR_SECONDS, 'announced, waiting');
  publish([oldDnskey]);
  await expectAfter(DAY_SECONDS, 'announced');
  publish([oldDnskey, newDnskey]);
  await expectAfter(HOUR_SECONDS, 'announced, waiting');
  await expectAfter(DS_TTL_SECONDS, 'signed');

  await expectAfter(60, 'signed, waiting');
  await expectAfter(DAY_SECONDS, 'unpublished');
  await expectAfter(DAY_SECONDS, 'unpublished');
  publish([newDnskey]);
  await expectAfter(HOUR_SECONDS, 'unpublished, waiting');
  await expectAfter(HOUR_SECONDS, 'none');
  const left = await scene.keys();
  expect(new Set(left.map(({ id }) => id))).toEqual(new Set([incoming.id, foreign.id]));
}
