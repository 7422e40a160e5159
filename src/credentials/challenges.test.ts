import { expect, test } from 'vitest';
import { CHALLENGE_SECONDS, openChallenges } from './challenges.ts';

const NOW = 1_000;
const [first, second] = ['a', 'b'].map((letter) => letter.repeat(43));

test('a challenge is good for its purpose until it expires', () => {
  const challenges = openChallenges([first]);
  const challenge = challenges.issue('log-in', NOW);
  expect(challenge).toMatch(/^[\w-]{72}$/);
  const used = {
    id: expect.stringMatching(/^[\w-]{22}$/) as string,
    expiresAtSeconds: NOW + CHALLENGE_SECONDS,
  };
  expect(challenges.check(challenge, 'log-in', NOW)).toEqual(used);
  expect(challenges.check(challenge, 'log-in', NOW + CHALLENGE_SECONDS - 1)).toEqual(used);
  expect(challenges.check(challenge, 'log-in', NOW + CHALLENGE_SECONDS)).toBeUndefined();
  expect(challenges.check(challenge, 'registration of a', NOW)).toBeUndefined();
});

test('each challenge is another one', () => {
  const challenges = openChallenges([first]);
  const issued = Array.from({ length: 100 }, () => challenges.issue('log-in', NOW));
  const ids = issued.map((challenge) => challenges.check(challenge, 'log-in', NOW)?.id);
  expect(new Set(ids).size).toBe(100);
});

test('a challenge that was altered is refused, whichever octet it is', () => {
  const challenges = openChallenges([first]);
  const octets = Buffer.from(challenges.issue('log-in', NOW), 'base64url');
  for (const at of octets.keys()) {
    const altered = Buffer.from(octets);
    altered[at] ^= 1;
    expect(challenges.check(altered.toString('base64url'), 'log-in', NOW), String(at)).toBeUndefined();
  }
});

test.each(['', 'x', 'A'.repeat(72), 'A'.repeat(73), `${'A'.repeat(71)}=`])(
  'the text %j is refused',
  (text) => {
    expect(openChallenges([first]).check(text, 'log-in', NOW)).toBeUndefined();
  },
);

test('other processes with the secret check a challenge, also while the secret is exchanged', () => {
  const challenge = openChallenges([first]).issue('log-in', NOW);
  const goodWith = [[first], [second, first], [second]].map(
    (masters) => openChallenges(masters).check(challenge, 'log-in', NOW) !== undefined,
  );
  expect(goodWith).toEqual([true, true, false]);
});

test('without a secret, challenges are good in the process that issued them', () => {
  const challenges = openChallenges([]);
  const challenge = challenges.issue('log-in', NOW);
  expect(challenges.check(challenge, 'log-in', NOW)).toBeDefined();
  expect(openChallenges([]).check(challenge, 'log-in', NOW)).toBeUndefined();
});
