import { expect, test } from 'vitest';
import { encodeAsk } from './scenario-query.ts';
import { parseScenario } from './scenario-file.ts';

const ZONE = 'zone example.\nexample. 300 A 192.0.2.1\n';
const ASK = 'ask example. A\ngets NOERROR aa\n';

test('the records of an answer may be in any order', () => {
  const text = `${ZONE}${ASK}answer\nexample. 300 A 192.0.2.2\nexample. 300 A  192.0.2.1 ; first\nedns 1232 do\nNSID "ns1"`;
  expect(parseScenario('f', text).asks).toEqual([
    {
      line: 3,
      title: 'ask example. A',
      query: { kind: 'ask', name: 'example.', type: 'A' },
      options: [],
      gets: {
        header: 'NOERROR aa',
        octets: undefined,
        question: undefined,
        answer: ['example. 300 A 192.0.2.1', 'example. 300 A 192.0.2.2'],
        authority: [],
        additional: [],
        edns: ['edns 1232 do', 'NSID "ns1"'],
      },
    },
  ]);
});

test('octets are hex digits and text, with repetition', () => {
  const [{ query }] = parseScenario('f', `${ZONE}send it\n12 0a0b "{x*3}"\ngets nothing`).asks;
  expect(query).toEqual({ kind: 'send', octets: Buffer.from('\x12\x0a\x0bxxx', 'latin1') });
});

test.each([
  ['an unknown word', `${ZONE}${ASK}answers`],
  ['a record outside of a section', `${ZONE}${ASK}example. 300 A 192.0.2.1`],
  ['a record without a TTL', `${ZONE}${ASK}answer\nexample. A 192.0.2.1`],
  ['a relative name in a zone', 'zone example.\nwww 300 A 192.0.2.1'],
  ['a zone of a relative name', 'zone example'],
  ['a zone after a question', `${ZONE}${ASK}zone other.`],
  ['a question without an answer', `${ZONE}ask example. A\n${ASK}`],
  ['a question without an answer at the end', `${ZONE}${ASK}ask example. A`],
  ['a question of a relative name', `${ZONE}ask www A\ngets NOERROR`],
  ['a question without a type', `${ZONE}ask example. +tcp\ngets NOERROR`],
  ['an answer without a question', `${ZONE}gets NOERROR`],
  ['two answers', `${ZONE}${ASK}gets NOERROR`],
  ['an unknown header bit', `${ZONE}ask example. A\ngets NOERROR qr`],
  ['a header bit named twice', `${ZONE}ask example. A\ngets NOERROR aa aa`],
  ['header bits of nothing', `${ZONE}ask example. A\ngets nothing aa`],
  ['a section before its answer', `${ZONE}ask example. A\nanswer`],
  ['a section twice', `${ZONE}${ASK}answer\nauthority\nanswer`],
  ['records of nothing', `${ZONE}send it\n00\ngets nothing\nanswer`],
  ['the question of a named query', `${ZONE}${ASK}question`],
  ['EDNS without a size', `${ZONE}${ASK}edns`],
  ['an EDNS option outside of EDNS', `${ZONE}${ASK}NSID "ns1"`],
  ['a size that is not a number', `${ZONE}${ASK}octets few`],
  ['half an octet', `${ZONE}send it\n0\ngets nothing`],
  ['no octets', `${ZONE}send it\ngets nothing`],
  ['an unknown setting', `server colour=blue\n${ZONE}${ASK}`],
  ['nothing asked', ZONE],
])('%s is an error', (_, text) => {
  expect(() => parseScenario('f', text)).toThrow(/^f(:\d+|, at its end): /);
});

test.each([
  ['ask example. A +recurse'],
  ['ask example. A +edns=many'],
  ['ask example. A +opcode=NOTHING'],
  ['ask example. A +class=XX'],
  ['ask example. NOTYPE'],
  ['ask example. A +cookie=0'],
  ['ask example. A +option=x:00'],
  ['send it +edns\n00'],
])('"%s" is not a query', (ask) => {
  const [parsed] = parseScenario('f', `${ZONE}${ask}\ngets NOERROR`).asks;
  expect(() => encodeAsk(parsed, 1)).toThrow(/^no /);
});
