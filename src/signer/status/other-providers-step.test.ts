import { expect, test } from 'vitest';
import type { KeySets } from '../../dns-client/ask-key-sets.ts';
import type { Rollover } from '../../dnssec/rollover.ts';
import { ALL_USES, keyUse } from '../../dnssec/zone-key.ts';
import type { KeySetLook } from '../key-set-looks.ts';
import { showKey } from '../rollover/key-set-obstacles.ts';
import {
  dsOf,
  keyOf,
  keySetsOf,
  lookOf,
  name,
  newKey,
  oldKey,
} from '../rollover/rollover-scene.test-support.ts';
import type { SignedKey } from './signing-facts.ts';
import { describeSigning } from './signing-status.ts';

const { PUBLISHED, SIGNS_ZONE, SIGNS_KEYS, ANNOUNCED } = keyUse;
const theirKey = keyOf(7);
const [newDnskey, oldDnskey] = [newKey, oldKey].map(showKey);
const [newDs, oldDs, theirDs] = [newKey, oldKey, theirKey].map((key) => dsOf(key));
const untilSeconds = Date.parse('2026-11-24T09:03:31Z') / 1000;

type SharedStep = 'published' | 'announced' | 'signed' | 'unpublished';

/** The uses of the old and the new key. */
const usesAt: Readonly<Record<SharedStep, readonly [number, number]>> = {
  published: [ALL_USES, PUBLISHED | SIGNS_KEYS],
  announced: [PUBLISHED | SIGNS_ZONE | SIGNS_KEYS, PUBLISHED | SIGNS_KEYS | ANNOUNCED],
  signed: [PUBLISHED, ALL_USES],
  unpublished: [0, ALL_USES],
};

function nextStep(
  step: SharedStep,
  keySets: KeySetLook,
  more: Partial<Rollover> = {},
  ds?: string[],
): string {
  const times = { sinceSeconds: 1_763_650_000, createdAtSeconds: 1_763_640_000, untilSeconds: null };
  const id = '0193489f-8a3b-7abc-8def-0123456789ab';
  const rollover: Rollover = { id, kind: 'shared', step, serial: 7, ...times, ...more };
  const [old, incoming] = usesAt[step];
  const keys: readonly SignedKey[] = [
    { ...oldKey, origin: 'made', uses: old, rollover: null },
    { ...theirKey, origin: 'foreign', uses: PUBLISHED | ANNOUNCED, rollover: null },
    { ...newKey, origin: 'made', uses: incoming, rollover },
  ];
  const isExchanged = step === 'signed' || step === 'unpublished';
  const look = lookOf({ a: [ds ?? [isExchanged ? newDs : oldDs, theirDs]] });
  const about = { domain: 'example.com', name, isSigned: true, isWithdrawn: false, work: null };
  const status = describeSigning({ ...about, keys, look, keySets, hosted: undefined });
  expect(status).toMatchObject({ state: 'rolling', rollover });
  return status.nextStep;
}

/** A nameserver of this service, and one of another provider. */
const sets = (theirs: Partial<KeySets> | null): KeySetLook => keySetsOf({}, theirs);

test('the other providers have to publish the new key first', () => {
  const once =
    'nothing has to be done but wait: the new key is published beside the old one. Once all nameservers, those of the other providers included, publish both and the TTL of its DNSKEY records has passed, the DS record at the parent zone has to be replaced';
  expect(nextStep('published', sets({ dnskeys: [oldDnskey] }))).toBe(
    `Have this DNSKEY record published by the other providers that sign example.com: ${newDnskey}. ns2 does not have it yet. Besides, ${once}`,
  );
  expect(nextStep('published', sets({ dnskeys: [] }))).toContain(
    `Have these DNSKEY records published by the other providers that sign example.com: ${newDnskey} and ${oldDnskey}. ns2 does not have them yet`,
  );
  expect(nextStep('published', sets({}))).toBe(`N${once.slice(1)}`);
  expect(nextStep('published', sets({}), { untilSeconds })).toBe(
    'Nothing has to be done but wait until 2026-11-24 09:03:31 UTC: the new key is published beside the old one, and the TTL of its DNSKEY records has to pass. Then the DS record at the parent zone has to be replaced',
  );
});

test('a secondary of this service that is behind is nothing for the other providers', () => {
  const behind = { serial: 6, dnskeys: [oldDnskey] };
  expect(nextStep('published', keySetsOf(behind, { signers: [theirKey.tag] }))).toMatch(
    /^Nothing has to be done but wait: .* has to be replaced\. ns1 still serves an earlier version$/,
  );
  expect(nextStep('unpublished', keySetsOf(behind, behind))).toMatch(
    /^Nothing has to be done but wait: .* ends\. ns1 and ns2 still serve an earlier version$/,
  );
});

test('what is not known is said', () => {
  expect(nextStep('published', sets(null))).toMatch(
    /has to be replaced\. It is not known which keys ns2 publishes: it did not answer in time$/,
  );
  expect(nextStep('published', { kind: 'unknown', reason: 'no resolver answers' })).toMatch(
    /It is not known which keys the nameservers publish, because no resolver answers$/,
  );
});

test('while the DS record is exchanged, CDS records of the other providers must not ask for the old one', () => {
  expect(nextStep('announced', sets({ dnskeys: [newDnskey] }))).toMatch(
    /^Enter this DS record at the registrar of example\.com in place of the old DS record: /,
  );
  const old = 'Have the CDS and CDNSKEY records of the other providers ask for the DS record of the new key';
  expect(nextStep('announced', sets({ cds: [oldDs] }))).toContain(old);
  expect(nextStep('announced', sets({ cds: [oldDs] }), {}, [newDs, theirDs])).toMatch(
    /^Have the CDS .*: ns2 asks for others, .* Besides, nothing has to be done but wait: all servers of the parent zone com have the new DS record/,
  );
  expect(nextStep('announced', sets({}), { untilSeconds }, [newDs, theirDs])).toMatch(
    /^Nothing has to be done but wait until .* Then the new key signs the domain$/,
  );
});

test('the other providers keep the old key until caches have forgotten its signatures', () => {
  expect(nextStep('signed', sets({ signers: [theirKey.tag] }), { untilSeconds })).toBe(
    'Nothing has to be done but wait until 2026-11-24 09:03:31 UTC: the new key signs the domain, and the longest TTL of its records, a day at least, has to pass. Then the old key is removed. Until then, the other providers have to publish the old key as well',
  );
  expect(nextStep('signed', sets({ signers: [] }))).toMatch(
    /^Add the keys with which ns2 signs to example\.com, or have that nameserver removed: /,
  );
});

test('the exchange ends when the other providers have removed the old key', () => {
  expect(nextStep('unpublished', keySetsOf({ dnskeys: [newDnskey] }, {}))).toMatch(
    new RegExp(
      `^Have this DNSKEY record removed by the other providers that sign example\\.com: ${oldDnskey.replaceAll('+', '\\+')}\\. ns2 still has it\\. Besides, `,
    ),
  );
  expect(nextStep('unpublished', keySetsOf({ dnskeys: [newDnskey] }))).toBe(
    'Nothing has to be done but wait: the old key is removed here. Once no nameserver publishes it any more and a minute has passed, the exchange of the key ends',
  );
});
