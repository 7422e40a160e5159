import { expect, test } from 'vitest';
import type { Claim } from '../model/claim.ts';
import type { ZoneName } from '../model/domain.ts';
import { challengeOf } from './challenge.ts';
import type { ClaimLook } from './claim-looks.ts';
import { describeClaim, type ClaimFacts } from './describe-claim.ts';

const name = 'example.com' as ZoneName;
const challenge = challengeOf('account', name);
const wanted = { nameservers: ['ns1.dns.net', 'ns4.dns.net'], areOwn: true, challenge: challenge.value };
const unverified: Claim = { proof: null, sinceSeconds: 1_795_000_000 };
const problem = { kind: 'refused', message: '192.0.2.1 answered REFUSED' } as const;
const at = (server: string) => ({ name: server, address: '192.0.2.1' });

function describe(claim: Claim | null, look?: ClaimLook, facts: Partial<ClaimFacts> = {}) {
  return describeClaim({ domain: { name, claim }, wanted, challenge, look, ...facts });
}

function asked(
  parentServers: Extract<ClaimLook, { kind: 'asked' }>['sight']['parentServers'],
  nameservers: Extract<ClaimLook, { kind: 'asked' }>['sight']['nameservers'] = [],
): ClaimLook {
  return { kind: 'asked', atMs: 1_795_000_060_000, sight: { parent: 'com', parentServers, nameservers } };
}

test.each<[Claim | null, string, string | null]>([
  [null, 'open', null],
  [{ proof: 'delegation', sinceSeconds: 5 }, 'verified', 'delegation'],
  [{ proof: 'parent', sinceSeconds: 5 }, 'verified', 'parent'],
])('of a domain with the claim %o nothing has to be done', (claim, state, how) => {
  const look = asked([{ ...at('a.net'), delegatedTo: [] }]);
  expect(describe(claim, look)).toMatchObject({
    ...{
      state,
      how,
      nextStep: 'Nothing has to be done',
      seen: [],
      checkedAtMs: null,
      expiresAtSeconds: null,
    },
    verifiedAtSeconds: claim?.sinceSeconds ?? null,
  });
});

test('of an unverified domain, the next step names the record and the nameservers, and its end is known', () => {
  const status = describe(unverified);
  expect(status).toMatchObject({
    state: 'unverified',
    nameservers: wanted.nameservers,
    challenge: { name: '_zonewright-challenge.example.com', value: challenge.value },
    checkedAtMs: null,
    expiresAtSeconds: unverified.sinceSeconds + 28 * 86_400,
  });
  expect(status.nextStep).toBe(
    `Set the TXT record of _zonewright-challenge.example.com to "${challenge.value}" at the present nameservers of the domain; ` +
      'or have the parent zone delegate example.com to ns1.dns.net and ns4.dns.net, and to no others',
  );
});

test.each<[string, ClaimLook, string]>([
  [
    'one nameserver lacks the record',
    asked(
      [{ ...at('a.net'), delegatedTo: ['ns1.old.net'] }],
      [
        { ...at('ns1.old.net'), challenges: [challenge.value] },
        { ...at('ns2.old.net'), challenges: [] },
      ],
    ),
    'ns2.old.net does not have the record yet',
  ],
  [
    'a server delegates elsewhere',
    asked([
      { ...at('a.net'), delegatedTo: wanted.nameservers },
      { ...at('b.net'), delegatedTo: ['ns1.old.net', 'ns2.old.net'] },
    ]),
    'b.net delegates it to ns1.old.net and ns2.old.net',
  ],
  [
    'a server does not delegate',
    asked([{ ...at('a.net'), delegatedTo: [] }]),
    'a.net does not delegate the domain',
  ],
  ['nobody answered', asked([{ ...at('a.net'), problem }]), 'None of the servers gave a usable answer'],
  [
    'nobody was asked',
    { kind: 'unknown', reason: 'there is no resolver' },
    'It is not known what stands there: there is no resolver',
  ],
])('if %s, the next step says so', (_, look, sentence) => {
  expect(describe(unverified, look).nextStep.endsWith(`. ${sentence}`)).toBe(true);
});

test('what was seen of each server is shown, but no record of others', () => {
  const look = asked(
    [
      { ...at('a.net'), delegatedTo: ['ns1.old.net'] },
      { name: 'b.net', address: undefined, problem },
    ],
    [{ ...at('ns1.old.net'), challenges: ['zonewright-claim=another'] }],
  );
  expect(describe(unverified, look)).toMatchObject({ checkedAtMs: 1_795_000_060_000 });
  expect(describe(unverified, look).seen).toEqual([
    {
      role: 'parent',
      server: 'a.net',
      address: '192.0.2.1',
      delegatedTo: ['ns1.old.net'],
      hasChallenge: null,
      problem: null,
    },
    {
      role: 'parent',
      server: 'b.net',
      address: null,
      delegatedTo: null,
      hasChallenge: null,
      problem: problem.message,
    },
    {
      role: 'nameserver',
      server: 'ns1.old.net',
      address: '192.0.2.1',
      delegatedTo: null,
      hasChallenge: false,
      problem: null,
    },
  ]);
});

test('where the nameservers are shared, only the record is asked for, and without room for its name, the operator', () => {
  const shared = { wanted: { ...wanted, areOwn: false } };
  expect(describe(unverified, undefined, shared).nextStep).not.toContain('parent zone');
  const long = { challenge: { ...challenge, owner: undefined } };
  expect(describe(unverified, undefined, long).nextStep).toMatch(/^Have the parent zone/);
  expect(describe(unverified, undefined, { ...shared, ...long })).toMatchObject({
    challenge: null,
    nextStep: 'Ask the operator of this service to verify the domain',
  });
});
