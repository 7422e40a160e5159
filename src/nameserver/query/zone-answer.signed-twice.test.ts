import { expect, test } from 'vitest';
import { checkSignedAnswer } from './check-signed-answer.test-support.ts';
import { answerZone, readScenarioZone } from './signed-answers.test-support.ts';
import { readSignedMessage } from './signed-message.test-support.ts';
import { signTestZone, type SignedZone, type TestSigning } from './signed-zone.test-support.ts';

/* During a rollover, two keys sign every set. */

const zone = readScenarioZone(`
zone example.
example. 3600 SOA ns.example. hostmaster.example. 1 7200 3600 1209600 300
example. 3600 NS ns.example.
ns.example. 300 A 192.0.2.1
*.wild.example. 300 A 192.0.2.2
cut.example. 300 NS ns.example.net.
`);

/** The zone of the first key, whose sets, but for those of the keys, have the signatures of both. */
function signTwice(signing: TestSigning): SignedZone {
  const [first, second] = [signTestZone(zone, signing), signTestZone(zone, signing)];
  const owners = first.owners.map((owner, i) => {
    const others = second.owners[i].signing?.signatures ?? [];
    // The apex owns the sets of the keys, which differ.
    if (owner.signing === undefined || owner.owner.length === first.content.apex.length) return owner;
    const signatures = [...owner.signing.signatures, ...others];
    return { ...owner, signing: { ...owner.signing, signatures } };
  });
  const { soa } = first.content;
  const signatures = [...(soa.signatures ?? []), ...(second.content.soa.signatures ?? [])];
  const dnskeys = [...first.checked.dnskeys, ...second.checked.dnskeys];
  return {
    content: { ...first.content, soa: { ...soa, signatures } },
    owners,
    checked: { ...first.checked, dnskeys },
  };
}

const signings = (['nsec', 'nsec3'] as const).flatMap((denial) =>
  ([13, 15] as const).map((algorithm) => ({ denial, algorithm })),
);
const questions = [
  ['ns.example.', 'A'],
  ['ns.example.', 'TXT'],
  ['x.ns.example.', 'A'],
  ['x.wild.example.', 'A'],
  ['x.wild.example.', 'TXT'],
  ['x.cut.example.', 'A'],
  ['ns.example.', 'RRSIG'],
  ['ns.example.', 'NSEC'],
] as const;

test.each(signings)('the signatures of both keys are in an answer: $denial, $algorithm', (signing) => {
  const signed = signTwice(signing);
  const ask = answerZone(signed);
  for (const [name, type] of questions)
    for (let ednsBytes = 512; ednsBytes <= 4096; ednsBytes += 128) {
      const octets = ask({ name, type, ednsBytes, overTcp: ednsBytes > 2000, dnssecOk: true });
      expect(checkSignedAnswer(octets, signed.checked), `${name} ${type} ${ednsBytes}`).toBeUndefined();
    }
  const asked = { name: 'ns.example.', type: 'A', ednsBytes: 1232, overTcp: false, dnssecOk: true };
  expect(readSignedMessage(ask(asked)).answer.sets[0].signatures).toHaveLength(2);
});
