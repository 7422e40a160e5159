import { expect, test } from 'vitest';
import type { ClaimSight } from '../dns-client/ask-claim.ts';
import { findProof, type WantedProof } from './find-proof.ts';

const wanted: WantedProof = {
  nameservers: ['ns1.dns.net', 'ns4.dns.net'],
  areOwn: true,
  challenge: 'claim=mine',
};
const problem = { kind: 'timeout', message: 'it did not answer in time' } as const;

type Answer = readonly string[] | 'problem';

function sightOf(delegations: readonly Answer[], challenges: readonly Answer[] = []): ClaimSight {
  const about = { name: 'a', address: '192.0.2.1' };
  return {
    parent: 'com',
    parentServers: delegations.map((delegatedTo) =>
      delegatedTo === 'problem' ? { ...about, problem } : { ...about, delegatedTo },
    ),
    nameservers: challenges.map((found) =>
      found === 'problem' ? { ...about, problem } : { ...about, challenges: found },
    ),
  };
}

const { nameservers: own } = wanted;
const other = ['ns1.old.net'];

test.each<[string, ClaimSight, Partial<WantedProof>, string | undefined]>([
  ['all servers delegate to the account', sightOf([own, own]), {}, 'delegation'],
  ['those that answered do', sightOf([own, 'problem']), {}, 'delegation'],
  ['no server answered', sightOf(['problem', 'problem'], ['problem']), {}, undefined],
  ['there is no server', sightOf([]), {}, undefined],
  ['one server is late', sightOf([own, other]), {}, undefined],
  ['one server does not delegate yet', sightOf([own, []]), {}, undefined],
  ['a part of the nameservers is named', sightOf([['ns1.dns.net']]), {}, undefined],
  ['another nameserver is named besides', sightOf([[...own, 'ns9.dns.net']]), {}, undefined],
  ['another account has the same nameservers', sightOf([own, own]), { areOwn: false }, undefined],
  [
    'all nameservers have the challenge',
    sightOf([other], [['claim=mine'], ['claim=x', 'claim=mine']]),
    {},
    'challenge',
  ],
  ['those that answered have it', sightOf(['problem'], [['claim=mine'], 'problem']), {}, 'challenge'],
  ['one nameserver does not have it', sightOf([other], [['claim=mine'], []]), {}, undefined],
  ['the challenge is that of another account', sightOf([other], [['claim=x']]), {}, undefined],
  ['no nameserver answered', sightOf([other], ['problem']), {}, undefined],
  ['both are there', sightOf([own], [['claim=mine']]), {}, 'delegation'],
  [
    'the challenge stands, and the nameservers are shared',
    sightOf([own], [['claim=mine']]),
    { areOwn: false },
    'challenge',
  ],
])('if %s', (_, sight, more, proof) => {
  expect(findProof(sight, { ...wanted, ...more })).toBe(proof);
});
