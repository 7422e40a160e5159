import { describe, expect, test } from 'vitest';
import { checkSignedMessage } from './check-signed-answer.test-support.ts';
import {
  answerSigned,
  readScenarioZone,
  type Asked,
  type SignedAnswers,
} from './signed-answers.test-support.ts';
import { readSignedMessage, type SignedMessage, type WireSet } from './signed-message.test-support.ts';
import type { TestSigning } from './signed-zone.test-support.ts';

const signings: readonly TestSigning[] = [
  { denial: 'nsec', algorithm: 13 },
  { denial: 'nsec3', algorithm: 13 },
  { denial: 'nsec', algorithm: 15 },
  { denial: 'nsec3', algorithm: 15 },
];

const zone = readScenarioZone(`
zone example.
example. 3600 SOA ns.example. hostmaster.example. 1 7200 3600 1209600 300
example. 3600 NS ns.example.
example. 3600 NS ns.example.net.
example. 300 MX 10 mail.example.
ns.example. 300 A 192.0.2.1
ns.example. 300 AAAA 2001:db8::1
mail.example. 300 A 192.0.2.2
www.example. 300 A 192.0.2.3
www.example. 60 TXT "a"
alias.example. 300 CNAME www.example.
far.example. 300 CNAME www.example.net.
loop.example. 300 CNAME loop2.example.
loop2.example. 300 CNAME loop.example.
lost.example. 300 CNAME nothing.example.
untyped.example. 300 CNAME mail.example.
to-cut.example. 300 CNAME www.cut.example.
to-wild.example. 300 CNAME x.wild.example.
a.b.c.example. 300 A 192.0.2.4
*.wild.example. 300 A 192.0.2.5
here.wild.example. 300 TXT "here"
a.deep.wild.example. 300 TXT "deep"
*.alias.wild.example. 300 CNAME www.example.
*.chain.example. 300 CNAME x.alias.wild.example.
x.*.ent.example. 300 A 192.0.2.6
cut.example. 300 NS ns.cut.example.
cut.example. 300 NS ns.example.
ns.cut.example. 300 A 192.0.2.7
deep.cut.example. 300 A 192.0.2.8
safe.example. 300 NS ns.example.net.
safe.example. 300 DS 60485 13 2 2bb183af5f22588179a53b0a98631fad1a2921182bb183af5f22588179a53b0a
sub.ent2.example. 300 NS ns.example.net.
moved.example. 300 DNAME www.example.
x.moved.example. 300 A 192.0.2.9
away.example. 300 DNAME example.net.
zz.example. 300 A 192.0.2.10
`);

const names = [
  'example.',
  'ns.example.',
  'mail.example.',
  'www.example.',
  'WWW.example.',
  'nothing.example.',
  'a.nothing.example.',
  '0.example.',
  'zzz.example.',
  'x.www.example.',
  'alias.example.',
  'far.example.',
  'loop.example.',
  'lost.example.',
  'untyped.example.',
  'to-cut.example.',
  'to-wild.example.',
  'c.example.',
  'b.c.example.',
  'a.b.c.example.',
  'x.b.c.example.',
  'x.c.example.',
  'wild.example.',
  '*.wild.example.',
  'x.wild.example.',
  'x.y.wild.example.',
  'here.wild.example.',
  'x.here.wild.example.',
  'deep.wild.example.',
  'x.deep.wild.example.',
  'x.alias.wild.example.',
  'x.chain.example.',
  'ent.example.',
  '*.ent.example.',
  'y.ent.example.',
  'x.y.ent.example.',
  'cut.example.',
  'www.cut.example.',
  'ns.cut.example.',
  'safe.example.',
  'x.safe.example.',
  'ent2.example.',
  'x.ent2.example.',
  'sub.ent2.example.',
  'moved.example.',
  'x.moved.example.',
  'x.y.moved.example.',
  'away.example.',
  'x.away.example.',
];
const types = [
  'A',
  'AAAA',
  'TXT',
  'NS',
  'MX',
  'DS',
  'CNAME',
  'DNAME',
  'SOA',
  'DNSKEY',
  'CDS',
  'NSEC',
  'NSEC3',
  'NSEC3PARAM',
  'RRSIG',
  'ANY',
];
const transports = [
  { overTcp: true, ednsBytes: 1232 },
  { overTcp: false, ednsBytes: 1232 },
  { overTcp: false, ednsBytes: 512 },
];

type Question = Omit<Asked, 'dnssecOk'>;

const questions: readonly Question[] = names.flatMap((name) =>
  types.flatMap((type) => transports.map((transport) => ({ name, type, ...transport }))),
);
const tcpQuestions = questions.filter(({ overTcp }) => overTcp);

function show({ name, type, overTcp, ednsBytes }: Question): string {
  return `${name} ${type} ${overTcp ? 'TCP' : String(ednsBytes)}`;
}

/** One line for each question of which there is something to say. */
function complaints(about: readonly Question[], check: (question: Question) => string | undefined): string[] {
  return about.flatMap((question) => {
    const complaint = check(question);
    return complaint === undefined ? [] : [`${show(question)}: ${complaint}`];
  });
}

describe.each(signings)('$denial, algorithm $algorithm', (signing) => {
  const answers = answerSigned(zone, signing);

  test('a validator accepts the answers to all questions', () => {
    expect(complaints(questions, (question) => answers.check(question))).toEqual([]);
  });

  test('a validator misses every record set and signature that an answer lacks', () => {
    // Any set answers ANY, and signatures that were asked for have no set.
    const asked = tcpQuestions.filter(({ type }) => type !== 'ANY' && type !== 'RRSIG');
    expect(complaints(asked, (question) => findSuperfluous(answers, question))).toEqual([]);
  });

  test('without its signatures and proofs, an answer is that of the unsigned zone', () => {
    const asked = tcpQuestions.filter(({ name, type }) => !isOfSigning(name, type));
    expect(complaints(asked, (question) => compareContents(answers, question))).toEqual([]);
  });

  test('a client that does not ask for signatures gets the octets of the unsigned zone', () => {
    const asked = questions.filter(
      ({ name, type, overTcp }) => !isOfSigning(name, type) && !(overTcp && type === 'ANY'),
    );
    const withoutEdns = asked.map((question) => ({ ...question, ednsBytes: undefined }));
    const compare = (question: Question): string | undefined => {
      const plain = { ...question, dnssecOk: false };
      return answers.ask(plain).equals(answers.askUnsigned(plain)) ? undefined : 'other octets';
    };
    expect(complaints([...asked, ...withoutEdns], compare)).toEqual([]);
  });

  test('a client without EDNS gets no signatures after a client that asked for them', () => {
    const plain = { name: 'www.example.', type: 'A', ednsBytes: undefined, overTcp: false, dnssecOk: false };
    answers.ask({ ...plain, ednsBytes: 1232, dnssecOk: true });
    expect(answers.ask(plain)).toEqual(answers.askUnsigned(plain));
  });
});

/** Whether the question is for what only signed zones have. */
function isOfSigning(name: string, type: string): boolean {
  return (
    ['RRSIG', 'NSEC'].includes(type) ||
    (name === 'example.' && ['DNSKEY', 'CDS', 'NSEC3PARAM'].includes(type))
  );
}

/** Leaves out each set of the answer, and the signatures of each, and returns what a validator does not miss. */
function findSuperfluous(answers: SignedAnswers, question: Question): string | undefined {
  const message = readSignedMessage(answers.ask({ ...question, dnssecOk: true }));
  for (const section of ['answer', 'authority'] as const)
    for (const set of message[section].sets)
      for (const change of [undefined, { ...set, signatures: [] }]) {
        if (change !== undefined && set.signatures.length === 0) continue;
        const changed = replaceSet(message, section, set, change);
        if (checkSignedMessage(changed, answers.zone.checked) === undefined)
          return `${set.owner.join('.')} TYPE${set.type} or its signature is not needed`;
      }
  return undefined;
}

function replaceSet(
  message: SignedMessage,
  section: 'answer' | 'authority',
  set: WireSet,
  replacement: WireSet | undefined,
): SignedMessage {
  const sets = message[section].sets.flatMap((other) => (other === set ? (replacement ?? []) : other));
  return { ...message, [section]: { ...message[section], sets } };
}

const PROOF_TYPES = [43, 47, 50];

function compareContents(answers: SignedAnswers, question: Question): string | undefined {
  const signed = readSignedMessage(answers.ask({ ...question, dnssecOk: true }));
  const unsigned = readSignedMessage(answers.askUnsigned({ ...question, dnssecOk: true }));
  const isApexAny = question.name === 'example.' && question.type === 'ANY';
  return isApexAny || contentsOf(signed) === contentsOf(unsigned) ? undefined : 'other records';
}

function contentsOf({ rcode, isAuthoritative, answer, authority, additional }: SignedMessage): string {
  const shown = [
    answer.sets,
    authority.sets.filter(({ type }) => !PROOF_TYPES.includes(type)),
    additional.sets,
  ].map((sets) =>
    sets.map(({ owner, type, ttl, rdatas }) =>
      [owner.join('.'), type, ttl, ...rdatas.map((data) => data.toString('hex'))].join(' '),
    ),
  );
  return JSON.stringify([rcode, isAuthoritative, shown]);
}
