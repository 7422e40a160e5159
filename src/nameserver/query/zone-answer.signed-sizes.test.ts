import { expect, test } from 'vitest';
import { answerSigned, readScenarioZone } from './signed-answers.test-support.ts';
import { readSignedMessage } from './signed-message.test-support.ts';

/** Fills a message beyond the 16,383 octets to which a compression pointer can lead. */
const texts = Array.from({ length: 100 }, (_, i) => `*.example. 60 TXT "${String(i).padEnd(200, 't')}"`);
const zone = readScenarioZone(`
zone example.
example. 3600 SOA ns.example.net. hostmaster.example. 1 7200 3600 1209600 300
example. 3600 NS ns.example.net.
${texts.join('\n')}
m.example. 60 MX 10 x.example.
`);

const signings = (['nsec', 'nsec3'] as const).flatMap((denial) =>
  ([13, 15] as const).map((algorithm) => ({ denial, algorithm })),
);

test.each(signings)('proofs follow a set of 20,000 octets: $denial, algorithm $algorithm', (signing) => {
  const answers = answerSigned(zone, signing);
  const asked = { name: 'x.y.example.', type: 'TXT', ednsBytes: 1232, overTcp: true };
  const message = readSignedMessage(answers.ask({ ...asked, dnssecOk: true }));
  expect(message.isTruncated).toBe(false);
  expect(message.authority.sets).toHaveLength(1);
  expect(answers.check(asked)).toBeUndefined();
});

test.each(signings)(
  'every size leads to a whole answer or to TCP: $denial, algorithm $algorithm',
  (signing) => {
    const answers = answerSigned(zone, signing);
    for (const [name, type] of [
      ['x.m.example.', 'A'],
      ['x.example.', 'A'],
      ['m.example.', 'MX'],
    ])
      for (let ednsBytes = 512; ednsBytes <= 1232; ednsBytes++) {
        const asked = { name, type, ednsBytes, overTcp: false };
        const octets = answers.ask({ ...asked, dnssecOk: true });
        expect(octets.length).toBeLessThanOrEqual(ednsBytes);
        expect(answers.check(asked), `${name} with ${ednsBytes}`).toBeUndefined();
      }
  },
);
