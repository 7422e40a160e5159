import { expect, test } from 'vitest';
import type { KeySets } from '../../dns-client/ask-key-sets.ts';
import { findKeySetObstacles, showKey, type KeySetCondition } from './key-set-obstacles.ts';
import { dsOf, keyOf, keySetsOf, name, newKey, oldKey } from './rollover-scene.test-support.ts';

const theirKey = keyOf(7);
const exchange = { name, serial: 7, incoming: [newKey], outgoing: [oldKey], foreign: [theirKey] };
const theirs = { serial: 1, signers: [theirKey.tag] };

/** The obstacles at one nameserver, without its place. */
function find(condition: KeySetCondition, sets: Partial<KeySets>): object[] {
  return findKeySetObstacles(condition, keySetsOf(sets), exchange).map((obstacle) => {
    expect(obstacle).toMatchObject({ server: 'ns1', address: '8.8.4.1' });
    return Object.fromEntries(
      Object.entries(obstacle).filter(([key]) => !['server', 'address'].includes(key)),
    );
  });
}

const [newDnskey, oldDnskey, theirDnskey] = [newKey, oldKey, theirKey].map(showKey);
const [newDs, oldDs, theirDs] = [newKey, oldKey, theirKey].map((key) => dsOf(key));
const newMissing = { kind: 'key_missing', keys: [newDnskey] };
const oldCds = { kind: 'old_cds' };

test.each<[string, KeySetCondition, Partial<KeySets>, object[]]>([
  ['both keys are published', 'both_published', {}, []],
  ['the new key is missing', 'both_published', { dnskeys: [oldDnskey, theirDnskey] }, [newMissing]],
  [
    'the old key is missing',
    'both_published',
    { dnskeys: [newDnskey] },
    [{ kind: 'key_missing', keys: [oldDnskey] }],
  ],
  [
    'no key is there',
    'both_published',
    { dnskeys: [] },
    [{ kind: 'key_missing', keys: [newDnskey, oldDnskey] }],
  ],
  ['no CDS records', 'new_announced', {}, []],
  ['the old key may be gone while the new one is announced', 'new_announced', { dnskeys: [newDnskey] }, []],
  ['the new key is gone', 'new_announced', { dnskeys: [oldDnskey] }, [newMissing]],
  ['CDS of the new key and of others', 'new_announced', { cds: [newDs, theirDs] }, []],
  ['CDNSKEY of the new key and of others', 'new_announced', { cdnskeys: [newDnskey, theirDnskey] }, []],
  ['CDS of the old key', 'new_announced', { cds: [oldDs, theirDs] }, [oldCds]],
  ['CDS of both keys', 'new_announced', { cds: [oldDs, newDs] }, [oldCds]],
  ['CDS of other keys only', 'new_announced', { cds: [theirDs] }, [oldCds]],
  ['CDS that asks for removal', 'new_announced', { cds: ['0 0 0 00'] }, [oldCds]],
  ['CDNSKEY of the old key', 'new_announced', { cds: [newDs], cdnskeys: [oldDnskey] }, [oldCds]],
  ['CDNSKEY of both keys', 'new_announced', { cdnskeys: [oldDnskey, newDnskey] }, [oldCds]],
  ['the version of the step', 'new_signs', { signers: [newKey.tag] }, []],
  ['a later one', 'new_signs', { signers: [newKey.tag], serial: 8 }, []],
  ['the version before', 'new_signs', { serial: 6 }, [{ kind: 'old_serial', serial: 6 }]],
  [
    'the version before, which cannot have the new key yet',
    'both_published',
    { serial: 6, dnskeys: [oldDnskey] },
    [{ kind: 'old_serial', serial: 6 }],
  ],
  [
    'the version before, which still has the old key',
    'old_gone',
    { serial: 6 },
    [{ kind: 'old_serial', serial: 6 }],
  ],
  ['another provider, whose serials mean nothing here', 'new_signs', theirs, []],
  ['another provider without the new key', 'new_signs', { ...theirs, dnskeys: [oldDnskey] }, [newMissing]],
  ['signatures of nobody', 'new_signs', { signers: [] }, [{ kind: 'unknown_signer' }]],
  ['signatures of a stranger', 'new_signs', { signers: [keyOf(9).tag] }, [{ kind: 'unknown_signer' }]],
  ['the old key is gone', 'old_gone', { dnskeys: [newDnskey, theirDnskey] }, []],
  ['the old key is left', 'old_gone', {}, [{ kind: 'key_left', keys: [oldDnskey] }]],
])('%s (%s)', (_, condition, sets, expected) => {
  expect(find(condition, sets)).toEqual(expected);
});

test('each address counts, and one that is silent is not known', () => {
  const look = keySetsOf({}, { dnskeys: [oldDnskey] }, null);
  expect(findKeySetObstacles('both_published', look, exchange)).toEqual([
    { ...newMissing, server: 'ns2', address: '8.8.4.2' },
    { kind: 'silent', server: 'ns3', address: '8.8.4.3', reason: 'it did not answer in time' },
  ]);
});

test('nothing is known if nobody was asked', () => {
  const reason = 'no resolver answers';
  expect(findKeySetObstacles('old_gone', undefined, exchange)).toMatchObject([{ kind: 'unknown' }]);
  expect(findKeySetObstacles('old_gone', { kind: 'unknown', reason, isBusy: true }, exchange)).toEqual([
    { kind: 'unknown', reason },
  ]);
});
