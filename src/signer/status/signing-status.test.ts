import { expect, test } from 'vitest';
import type { ServerDs } from '../../dns-client/ask-ds.ts';
import { parseDomainName } from '../../dns/name.ts';
import { ALL_USES } from '../../dnssec/zone-key.ts';
import { formatWantedDs } from '../match-ds.ts';
import type { ParentLook } from '../parent-looks.ts';
import type { HostedParent, SignedKey, SigningFacts, SigningState } from './signing-facts.ts';
import { describeSigning } from './signing-status.ts';

const parsed = parseDomainName('example.com.');
if (!parsed.ok) throw new Error(parsed.problem);
const name = parsed.value;
const key: SignedKey = {
  tag: 27933,
  algorithm: 13,
  flags: 257,
  dnskey: Uint8Array.of(1, 1, 3, 13, 7, 7, 7),
  uses: ALL_USES,
  origin: 'made',
  rollover: null,
};
const ours = formatWantedDs(name, key);
const old = `4711 8 2 ${'AB'.repeat(32)}`;
const sameAlgorithm = `4711 13 2 ${'AB'.repeat(32)}`;
const atMs = Date.parse('2026-11-20T09:00:00Z');

/** The sets of the servers a, b, c …; a text is a problem. */
function asked(...sets: readonly (readonly string[] | string)[]): ParentLook {
  const servers = sets.map((set, i): ServerDs => {
    const place = { name: `${'abcdefgh'[i]}.servers.net`, address: `192.0.2.${i + 1}` };
    if (typeof set === 'string') return { ...place, problem: { kind: 'timeout', message: set } };
    return { ...place, ds: set, ttl: 3600 };
  });
  return { kind: 'asked', sight: { parent: 'com', servers, maxTtl: 3600 }, atMs };
}

const unknown: ParentLook = { kind: 'unknown', reason: 'no resolver answered' };

function statusOf(facts: Partial<SigningFacts>) {
  return describeSigning({
    domain: 'example.com',
    name,
    isSigned: true,
    isWithdrawn: false,
    work: null,
    keys: [key],
    look: asked([]),
    hosted: undefined,
    ...facts,
  });
}

const byHand = `key tag 27933, algorithm 13, digest type 2, digest ${ours.split(' ')[3]}`;

test.each<[string, ParentLook, SigningState, RegExp]>([
  [
    'no server has a DS record',
    asked([], []),
    'waiting_for_ds',
    /^Enter this DS record at the registrar of /,
  ],
  [
    'one server has it',
    asked([ours], []),
    'waiting_for_ds',
    /but wait: a\.servers\.net has .* b\.servers\.net of .* com does not/,
  ],
  ['all servers have it', asked([ours], [ours]), 'secure', /^Nothing has to be done$/],
  [
    'one server is silent',
    asked([ours], 'late'),
    'secure',
    /\. It is not known what b\.servers\.net of .* com has$/,
  ],
  [
    'an old one is beside it',
    asked([ours, old]),
    'secure',
    /^Have the old DS record removed: .*signs nothing here/,
  ],
  ['another one of the same algorithm is beside it', asked([ours, sameAlgorithm]), 'secure', /of no use$/],
  [
    'only an old one is there',
    asked([old], [old]),
    'bogus',
    /^Enter this DS record .* in place of the old DS record: key tag .*; a.servers.net and/,
  ],
  [
    'an old one is left at one server',
    asked([old], [ours]),
    'bogus',
    /^Wait until all servers .*: a\.servers\.net/,
  ],
  [
    'no server answers',
    asked('late', 'refused'),
    'signed',
    /, because none of its servers gave a usable answer/,
  ],
  ['the parent zone is not found', unknown, 'signed', /, because no resolver answered$/],
])('the state of a signed domain if %s', (_, look, state, nextStep) => {
  const status = statusOf({ look });
  expect(status).toMatchObject({ state, wanted: [ours] });
  expect(status.nextStep).toMatch(nextStep);
});

test.each<[string, ParentLook, SigningState, RegExp]>([
  [
    'no server has a DS record',
    asked([], []),
    'unsigned',
    /^Nothing has to be done: .* has no DS record for it$/,
  ],
  [
    'an old one is there',
    asked([old], []),
    'bogus',
    /^Have the old DS record removed at the registrar: a\.servers\.net /,
  ],
  ['one of its former key is there', asked([ours]), 'bogus', /is not signed here/],
  [
    'the parent zone is not found',
    unknown,
    'unsigned',
    /It is not known whether .*, because no resolver answered$/,
  ],
])('the state of an unsigned domain if %s', (_, look, state, nextStep) => {
  const status = statusOf({ look, isSigned: false });
  expect(status).toMatchObject({ state, wanted: [] });
  expect(status.nextStep).toMatch(nextStep);
});

test.each<[string, Partial<HostedParent>, ParentLook, SigningState, RegExp]>([
  [
    'nothing is written',
    {},
    unknown,
    'waiting_for_ds',
    /^Run "zonewright domain dnssec publish example\.com", which/,
  ],
  [
    'there is no delegation',
    { isDelegated: false },
    unknown,
    'waiting_for_ds',
    /^Create the NS records of example\.com/,
  ],
  ['the DS record is written', { ds: [ours] }, unknown, 'secure', /^Nothing has to be done$/],
  [
    'the servers do not have it yet',
    { ds: [ours] },
    asked([]),
    'waiting_for_ds',
    /but wait: your domain com has .* a\.servers\.net/,
  ],
  [
    'no server has a public address',
    { ds: [ours] },
    asked('no address'),
    'secure',
    /^Nothing has to be done$/,
  ],
  [
    'an old one is there',
    { ds: [old] },
    unknown,
    'bogus',
    /^Run .* --replace", .* in place of the old DS record; your domain com has /,
  ],
])('the state of a domain whose parent zone is hosted here if %s', (_, hosted, look, state, nextStep) => {
  const status = statusOf({ look, hosted: { domain: 'com', ds: [], isDelegated: true, ...hosted } });
  expect(status.state).toBe(state);
  expect(status.nextStep).toMatch(nextStep);
});

test('the next step has the fields that forms of registrars ask for', () => {
  expect(statusOf({}).nextStep).toBe(
    `Enter this DS record at the registrar of example.com: ${byHand}. First wait until all nameservers serve the signed domain and the longest TTL of its records has passed, so that no cache has unsigned answers`,
  );
});

test('an address without the DS record counts more than one that has it', () => {
  const { sight } = asked([ours], []) as Extract<ParentLook, { kind: 'asked' }>;
  const servers = sight.servers.map((server) => ({ ...server, name: 'a.servers.net' }));
  const look = { kind: 'asked' as const, sight: { ...sight, servers }, atMs };
  expect(statusOf({ look }).state).toBe('waiting_for_ds');
  const reversed = { ...look, sight: { ...sight, servers: servers.toReversed() } };
  expect(statusOf({ look: reversed }).state).toBe('waiting_for_ds');
});

test('each address is shown with its DS records or its problem, and when it was asked', () => {
  expect(statusOf({ look: asked([ours], 'it did not answer in time') })).toMatchObject({
    seen: [
      { server: 'a.servers.net', address: '192.0.2.1', ds: [ours] },
      { server: 'b.servers.net', address: '192.0.2.2', problem: 'it did not answer in time' },
    ],
    checkedAtMs: atMs,
  });
  expect(statusOf({ look: unknown })).toMatchObject({ seen: [], checkedAtMs: null });
});
