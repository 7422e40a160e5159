import { expect, test } from 'vitest';
import type { Log } from '../base/log.ts';
import { openKeySecrets } from '../dnssec/key-secrets.ts';
import { createZoneKey } from '../dnssec/private-key.ts';
import type { ZoneName } from '../model/domain.ts';
import type { SigningReads } from '../store/signing-reads.ts';
import { StoreUnavailable } from '../writes/store-errors.ts';
import { warnOfLostSecret } from './warn-of-lost-secret.ts';

const [ours, others] = ['a'.repeat(32), 'b'.repeat(32)].map((master) => openKeySecrets([master]));
const key = createZoneKey({ id: 'k', algorithm: 13, createdAtSeconds: 0 }, ours);
const signing: SigningReads = {
  zoneKeys: () => Promise.resolve([key]),
  domainsDueForRenewal: () =>
    Promise.resolve([{ id: 1, name: 'example.com' as ZoneName, renewAtSeconds: 1_800_000_000 }]),
  domainsInRollover: () => Promise.resolve([]),
  domainsAwaitingDs: () => Promise.resolve([]),
  findAnyDomain: () => Promise.resolve(undefined),
  domainsInSigning: () => Promise.resolve([]),
  longestTtl: () => Promise.resolve({ seconds: 0, lastId: null }),
  countDueForRenewal: () => Promise.resolve(1),
};
const running = new AbortController().signal;

async function look(secrets: typeof ours | undefined, reads = signing): Promise<readonly object[]> {
  const logged: object[] = [];
  const note = (fields: object): void => void logged.push(fields);
  const log: Log = { debug: note, info: note, warn: note, error: note };
  await warnOfLostSecret({ signing: reads }, secrets, log, running);
  return logged;
}

test.each([
  ['another secret', others],
  ['no secret', undefined],
])('with %s, the log names domains whose keys cannot be opened', async (_, secrets) => {
  expect(await look(secrets)).toEqual([{ domains: ['example.com'], count: 1 }]);
});

test('nothing is logged while the keys can be opened, no domain is signed, or the store is away', async () => {
  expect(await look(ours)).toEqual([]);
  expect(await look(undefined, { ...signing, domainsDueForRenewal: () => Promise.resolve([]) })).toEqual([]);
  const away = { ...signing, domainsDueForRenewal: () => Promise.reject(new StoreUnavailable('away')) };
  expect(await look(ours, away)).toEqual([]);
});
