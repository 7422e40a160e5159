import { expect, test } from 'vitest';
import { finishSteps } from '../base/steps.ts';
import { defaultLimits, noUsage, type AccountLimits, type AccountUsage } from '../model/account-limits.ts';
import type { ZoneName } from '../model/domain.ts';
import { recordOctets } from '../model/stored-octets.ts';
import { MAX_WRITTEN_OCTETS } from '../model/write-limits.ts';
import type { Command } from './command.ts';
import { author, record, stranger, zone } from './decide-scene.test-support.ts';
import { findSizeRefusal } from './check-quotas.ts';
import { PendingBatch } from './pending-batch.ts';
import { PendingFeed } from './pending-feed.ts';
import { PendingUsage } from './pending-usage.ts';
import { noCounters, readMemoryRows } from './row-reader.test-support.ts';
import { runBatch } from './run-batch.ts';

const stored = [record('ns', '@ NS ns1.example.net'), record('r1', 'www A 192.0.2.1')];
const octets = stored.reduce((sum, one) => sum + recordOctets(one), 0);
const domain = {
  id: 1,
  accountId: author.accountId,
  name: zone,
  createdAtSeconds: 0,
  serial: 7,
  soaPrimary: null,
  soaEmail: null,
  recordCount: 2,
  octets,
  denial: null,
  renewAtSeconds: null,
  withdrawnAtSeconds: null,
  awaitsDsSinceSeconds: null,
  presignedUntilSeconds: null,
  revisedSerial: 7,
  signingWork: null,
  withheld: [],
  withheldSeq: null,
  claim: null,
};
const used: AccountUsage = { ...noUsage, domains: 1, records: 2, octets, keys: 1 };

/** A batch of an account with one domain of two records, under these limits. */
function open(limits: Partial<AccountLimits>, usage: Partial<AccountUsage> = {}, hostedDomains = Infinity) {
  const account = { id: author.accountId, name: '', email: '', createdAtSeconds: 0 };
  const rows = readMemoryRows({
    accounts: [account],
    domains: [domain],
    records: { 1: stored },
    quotas: { [author.accountId]: { usage: { ...used, ...usage }, overrides: {} } },
  });
  const counters = { ...noCounters, lastDomainId: 1, domainCount: 1 };
  const batch = new PendingBatch(rows, counters, { limits: { ...defaultLimits, ...limits }, hostedDomains });
  const run = (...commands: Command[]) =>
    finishSteps(runBatch(commands, batch, () => false)).map((decision) => {
      if (decision.kind === 'failed') throw new Error(decision.message);
      return decision.result.ok ? 'done' : decision.result.refusal.message;
    });
  return { batch, run };
}

let made = 0;
const createDomain = (name: string, more = {}): Command => ({
  kind: 'createDomain',
  author,
  name: name as ZoneName,
  address: null,
  nameservers: [],
  ...more,
});
const createRecord = (text: string, more = {}): Command => ({
  kind: 'createRecord',
  author,
  domain: zone,
  record: record(`new${++made}`, text),
  ...more,
});
const createKey = (): Command => ({
  kind: 'createKey',
  author: stranger,
  key: {
    id: `key-${++made}`,
    accountId: author.accountId,
    hash: '',
    scope: 'full',
    label: '',
    createdAtSeconds: 0,
  },
});
const hasAccount = 'This account would have';

test.each<[string, Partial<AccountLimits>, () => Command, string]>([
  ['domains', { domains: 1 }, () => createDomain('b.test'), `${hasAccount} 2 domains, and its limit is 1`],
  [
    'records',
    { records: 2 },
    () => createRecord('x A 192.0.2.9'),
    `${hasAccount} 3 records, and its limit is 2`,
  ],
  [
    'records of a domain',
    { recordsPerDomain: 2 },
    () => createRecord('x A 192.0.2.9'),
    'This domain would have 3 records, and its limit is 2',
  ],
  [
    'octets',
    { octets },
    () => createRecord('x A 192.0.2.9'),
    `${hasAccount} ${octets + recordOctets(record('x', 'x A 192.0.2.9'))} octets of records, and its limit is ${octets}`,
  ],
  ['keys', { keys: 1 }, createKey, `${hasAccount} 2 API keys, and its limit is 1`],
])('a command that exceeds the limit of %s is refused with both figures', (_, limits, command, message) => {
  const { batch, run } = open(limits);
  expect(run(command())).toEqual([message]);
  expect(batch.finish()).toMatchObject({ counters: null, changes: [], usageSteps: [] });
});

test('the commands of a batch count together, and a refused one does not count', () => {
  const { run } = open({ records: 3 });
  const large = createRecord('x TXT y', { record: { ...record('t', 'x TXT y'), data: 'z'.repeat(9) } });
  expect(
    run(large, createRecord('y A 192.0.2.1'), { ...large, kind: 'deleteRecord', recordId: 't' } as Command),
  ).toEqual(['done', `${hasAccount} 4 records, and its limit is 3`, 'done']);
  expect(run(createRecord('y A 192.0.2.1'))).toEqual(['done']);
});

test('an account that is over its limits may still reduce, and change what stays as large', () => {
  const { run } = open({ domains: 0, records: 0, octets: 0, recordsPerDomain: 0, keys: 0 });
  const rules = { txtLimitBytes: 4096, defaultTtlSeconds: null };
  const terms = { author, domain: zone } as const;
  expect(
    run(
      { ...terms, kind: 'updateRecord', recordId: 'r1', patch: { ttl: 60 }, rules },
      { ...terms, kind: 'deleteRecord', recordId: 'r1' },
      { author, kind: 'deleteDomain', name: zone },
    ),
  ).toEqual(['done', 'done', 'done']);
});

test('a dry run is refused in the same way', () => {
  const { run } = open({ domains: 1, records: 2 });
  expect(
    run(createDomain('b.test', { dryRun: true }), createRecord('x A 192.0.2.9', { dryRun: true })),
  ).toEqual([`${hasAccount} 2 domains, and its limit is 1`, `${hasAccount} 3 records, and its limit is 2`]);
});

test('a command whose outcome would exceed the limit is refused', () => {
  const { batch, run } = open({ outcomeOctets: 100 });
  const keyed = { ...author, idempotency: { key: 'k', hash: 'h' } };
  expect(run(createRecord('x A 192.0.2.9', { author: keyed }))[0]).toMatch(
    /Idempotency-Key, and its limit is 100$/,
  );
  expect(batch.finish()).toMatchObject({ keptOutcomes: [], changes: [] });
  expect(run(createRecord('x A 192.0.2.9'))).toEqual(['done']);
});

test('limits that an administrator sets hold from then on', () => {
  const { batch, run } = open({ domains: 1 });
  const update = (overrides: object): Command => ({
    kind: 'updateLimits',
    accountId: author.accountId,
    overrides,
  });
  expect(run(createDomain('b.test'), update({ domains: 2 }), createDomain('b.test'))).toEqual([
    `${hasAccount} 2 domains, and its limit is 1`,
    'done',
    'done',
  ]);
  expect(batch.finish().changedLimits).toEqual([{ accountId: author.accountId, overrides: { domains: 2 } }]);
  expect(run({ kind: 'updateLimits', accountId: 'nobody', overrides: {} })[0]).toMatch(/^Invalid account/);
});

test('domains beyond the directory of the zone memory are refused to everybody', () => {
  const { run } = open({}, {}, 1);
  expect(run(createDomain('b.test'))[0]).toMatch(/^The service would have 2 domains.* room for 1:/);
  expect(run({ author, kind: 'deleteDomain', name: zone }, createDomain('b.test'))).toEqual(['done', 'done']);
});

test('deleting and restoring a domain moves its octets to the history and back', () => {
  const { batch, run } = open({});
  run({ author, kind: 'deleteDomain', name: zone }, { author, kind: 'restoreDomain', name: zone });
  const { usageSteps, changes } = batch.finish();
  const history = changes.reduce((sum, change) => sum + change.octets, 0);
  expect(usageSteps).toEqual([{ accountId: author.accountId, step: { ...noUsage, historyOctets: history } }]);
});

test('a write that adds too many octets to the store is refused', () => {
  expect(findSizeRefusal(MAX_WRITTEN_OCTETS)).toBeUndefined();
  const refusal = findSizeRefusal(MAX_WRITTEN_OCTETS + 1)?.refusal;
  expect(refusal?.code).toBe('invalid_request');
  expect(refusal?.message).toMatch(/^This write would add 671088641 octets .* one write can add 671088640$/);
});

test('what a write adds is its entries in the history, and the records as they are afterwards', () => {
  const feed = new PendingFeed(0, new PendingUsage());
  feed.begin(author);
  feed.addRecord(domain, 'recordDelete', stored[0]);
  const deleted = feed.writtenOctetsOfCommand;
  expect(deleted).toBe(feed.all[0].octets);
  feed.addRecord(domain, 'recordPut', stored[1]);
  expect(feed.writtenOctetsOfCommand).toBe(deleted + feed.all[1].octets + recordOctets(stored[1]));
  feed.keep();
  feed.begin(author);
  expect(feed.writtenOctetsOfCommand).toBe(0);
});
