// Unusual messages, as opposed to unusual names. Where the four servers differ, `decisions` names the RFC section that
// decides and the answer it requires.

import { encodeQuery } from './message.ts';

export interface ProtocolCase {
  readonly title: string;
  readonly packet: Buffer;
  readonly tcp?: boolean;
}

/** The cases query a name of this zone. */
export const PROTOCOL_ZONE = 'parent.test.';
const NAME = `www.${PROTOCOL_ZONE}`;
const plain = encodeQuery({ name: NAME, type: 'A', tcp: false, ednsBytes: undefined });
const withEdns = encodeQuery({ name: NAME, type: 'A', tcp: false, ednsBytes: 1232 });
const OPT_AT = plain.length;
const CLASS_AT = plain.length - 2;
const TYPE_AT = plain.length - 4;
const opt = withEdns.subarray(OPT_AT);
const addressRecord = Buffer.concat([
  encodedName(),
  Buffer.from([0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 192, 0, 2, 9]),
]);

const soaRecord = Buffer.concat([
  encodedName(),
  Buffer.from([0, 6, 0, 1, 0, 0, 0, 0, 0, 22, 0, 0]),
  Buffer.alloc(20, 1),
]);

export const protocolCases: readonly ProtocolCase[] = [
  ...[0, 3, 4, 254, 255, 77].map((number) => ({
    title: `class ${number}`,
    packet: changed(plain, [CLASS_AT, number >>> 8], [CLASS_AT + 1, number]),
  })),
  ...[1, 2, 3, 6, 15].map((opcode) => ({
    title: `opcode ${opcode}`,
    packet: changed(plain, [2, opcode << 3]),
  })),
  { title: 'opcode NOTIFY', packet: changed(plain, [2, 4 << 3], [TYPE_AT + 1, 6]) },
  { title: 'opcode UPDATE', packet: changed(plain, [2, 5 << 3], [TYPE_AT + 1, 6]) },
  ...[0, 41, 249, 250, 251, 252, 253, 254, 65535].flatMap((type) =>
    [false, true].map((tcp) => ({
      title: `type ${type}${tcp ? ' over TCP' : ''}`,
      packet: changed(plain, [TYPE_AT, type >>> 8], [TYPE_AT + 1, type & 255]),
      tcp,
    })),
  ),
  {
    title: 'type 251 with a serial (RFC 1995 section 3)',
    packet: Buffer.concat([changed(plain, [9, 1], [TYPE_AT + 1, 251]), soaRecord]),
  },
  { title: 'no question', packet: changed(plain.subarray(0, 12), [5, 0]) },
  {
    title: 'no question, with EDNS',
    packet: Buffer.concat([changed(plain.subarray(0, 12), [5, 0], [11, 1]), opt]),
  },
  { title: 'two questions', packet: Buffer.concat([changed(plain, [5, 2]), plain.subarray(12)]) },
  { title: 'a question that is counted but missing', packet: plain.subarray(0, 12) },
  { title: 'a question cut in its name', packet: plain.subarray(0, 16) },
  { title: 'a question cut before its class', packet: plain.subarray(0, CLASS_AT) },
  { title: 'octets after the question', packet: Buffer.concat([plain, Buffer.from([1, 2, 3, 4])]) },
  { title: 'a record in the answer section', packet: Buffer.concat([changed(plain, [7, 1]), addressRecord]) },
  {
    title: 'a record in the authority section',
    packet: Buffer.concat([changed(plain, [9, 1]), addressRecord]),
  },
  {
    title: 'a record in the additional section',
    packet: Buffer.concat([changed(plain, [11, 1]), addressRecord]),
  },
  { title: 'a record that is counted but missing', packet: changed(plain, [11, 1]) },
  {
    title: 'a record that is longer than the message',
    packet: Buffer.concat([changed(plain, [11, 1]), addressRecord.subarray(0, -2)]),
  },
  { title: 'RD', packet: changed(plain, [2, 1]) },
  { title: 'CD', packet: changed(plain, [3, 0x10]) },
  { title: 'AD', packet: changed(plain, [3, 0x20]) },
  { title: 'Z', packet: changed(plain, [3, 0x40]) },
  { title: 'RA', packet: changed(plain, [3, 0x80]) },
  { title: 'AA', packet: changed(plain, [2, 4]) },
  { title: 'TC', packet: changed(plain, [2, 2]) },
  { title: 'a response code in the question', packet: changed(plain, [3, 5]) },
  { title: 'QR: an answer', packet: changed(plain, [2, 0x80]) },
  { title: 'less than a header', packet: plain.subarray(0, 11) },
  { title: 'EDNS', packet: withEdns },
  { title: 'EDNS version 1', packet: changed(withEdns, [OPT_AT + 6, 1]) },
  { title: 'EDNS version 255', packet: changed(withEdns, [OPT_AT + 6, 255]) },
  { title: 'EDNS with DO', packet: changed(withEdns, [OPT_AT + 7, 0x80]) },
  { title: 'EDNS with unknown flags', packet: changed(withEdns, [OPT_AT + 7, 0x7f], [OPT_AT + 8, 0xff]) },
  { title: 'EDNS with an extended response code', packet: changed(withEdns, [OPT_AT + 5, 1]) },
  { title: 'EDNS of 0 octets', packet: changed(withEdns, [OPT_AT + 3, 0], [OPT_AT + 4, 0]) },
  { title: 'EDNS with an unknown option', packet: withOption(65001, Buffer.from('hello')) },
  {
    title: 'EDNS with an option cut short',
    packet: changed(withOption(65001, Buffer.from('hello')), [OPT_AT + 14, 9]),
  },
  { title: 'EDNS with an empty NSID', packet: withOption(3, Buffer.alloc(0)) },
  { title: 'EDNS with padding', packet: withOption(12, Buffer.alloc(20)) },
  { title: 'EDNS twice', packet: Buffer.concat([changed(withEdns, [11, 2]), opt]) },
  {
    title: 'EDNS not at the root',
    packet: Buffer.concat([changed(plain, [11, 1]), Buffer.from([1, 0x78]), opt]),
  },
  { title: 'EDNS in the answer section', packet: changed(withEdns, [7, 1], [11, 0]) },
  {
    title: 'a label of 64 octets',
    packet: question(Buffer.concat([Buffer.from([64]), Buffer.alloc(64, 0x61), encodedName()])),
  },
  { title: 'a label of the kind 10', packet: question(Buffer.from([0x80, 0])) },
  {
    title: 'a name of 256 octets',
    packet: question(Buffer.concat([labels(3, 63), labels(1, 46), encodedName()])),
  },
  {
    title: 'a name of 255 octets',
    packet: question(Buffer.concat([labels(3, 63), labels(1, 45), encodedName()])),
  },
  { title: 'a pointer to itself', packet: question(Buffer.from([0xc0, 12])) },
  { title: 'a pointer forward', packet: question(Buffer.from([0xc0, 40])) },
  { title: 'a pointer into the header', packet: question(Buffer.from([1, 0x78, 0xc0, 4])) },
  {
    title: 'a label with a dot inside',
    packet: question(Buffer.concat([Buffer.from('\x05w.w.w'), encodedName().subarray(4)])),
  },
  {
    title: 'a label of zeros',
    packet: question(Buffer.concat([Buffer.from([3, 0, 0, 0]), encodedName().subarray(4)])),
  },
  {
    title: 'a label of 255s',
    packet: question(Buffer.concat([Buffer.from([3, 255, 255, 255]), encodedName().subarray(4)])),
  },
  {
    title: 'a name of no zone here',
    packet: encodeQuery({ name: 'www.example.org.', type: 'A', tcp: false, ednsBytes: 1232 }),
  },
  { title: 'the root', packet: encodeQuery({ name: '.', type: 'NS', tcp: false, ednsBytes: 1232 }) },
  {
    title: 'above all zones',
    packet: encodeQuery({ name: 'test.', type: 'SOA', tcp: false, ednsBytes: 1232 }),
  },
  {
    title: 'DS above all zones',
    packet: encodeQuery({ name: 'parent.test.', type: 'DS', tcp: false, ednsBytes: 1232 }),
  },
];

interface Decision {
  /** The correct answers; any of these. */
  readonly right: readonly string[];
  readonly reference: string;
}

const FORM_ERROR = 'rcode 1 0 answers';
const NOT_IMPLEMENTED = 'rcode 4 0 answers';
const REFUSED = 'rcode 5 0 answers';
const NOT_AUTHORITATIVE = 'rcode 9 0 answers';
const ANSWERED = 'rcode 0 aa 1 answers';
const NO_DATA = 'rcode 0 aa 0 answers';

const classDecision: Decision = {
  right: [REFUSED],
  reference:
    'RFC 1035 section 4.1.1: REFUSED if the server has no such data; BIND FORMERR or NOTIMP, PowerDNS sets AA',
};
const opcodeDecision: Decision = {
  right: [NOT_IMPLEMENTED],
  reference: 'RFC 1035 section 4.1.1 and RFC 8906 section 3.1.4: NOTIMP, where PowerDNS is silent',
};
const metaTypeDecision: Decision = {
  right: [FORM_ERROR, NOT_IMPLEMENTED, NO_DATA],
  reference:
    'RFC 6895 section 3.1: such types are never data; BIND refuses the query, the others return no data',
};
const transferDecision: Decision = {
  right: [REFUSED, NOT_AUTHORITATIVE],
  reference:
    'RFC 5936 section 2.2.1 and RFC 1995 section 2: NOTAUTH if there is no such zone, REFUSED by policy',
};
const formDecision: Decision = {
  right: [FORM_ERROR],
  reference: 'RFC 1035 section 4.1.1 and RFC 8906 section 2: FORMERR, where Knot or PowerDNS are silent',
};
const strayRecordDecision: Decision = {
  right: [FORM_ERROR, ANSWERED],
  reference: 'RFC 1035 section 4.1.1: a query has only a question; NSD rejects more, the others ignore it',
};

/** By the beginning of the title; the first match decides. Where the four agree, no decision is needed. */
const decisions: readonly (readonly [title: string, Decision])[] = [
  ['class', classDecision],
  [
    'opcode NOTIFY',
    { right: [NOT_IMPLEMENTED, NOT_AUTHORITATIVE], reference: 'RFC 1035 section 4.1.1: not implemented' },
  ],
  [
    'opcode UPDATE',
    { right: [NOT_IMPLEMENTED, NOT_AUTHORITATIVE], reference: 'RFC 2136 section 2.2: not implemented' },
  ],
  ['opcode', opcodeDecision],
  ['type 251', transferDecision],
  ['type 252', transferDecision],
  ['type', metaTypeDecision],
  ['no question', formDecision],
  [
    'octets after',
    {
      right: [ANSWERED],
      reference: 'RFC 1035 section 4.1: the counts determine the contents of the message; Knot FORMERR',
    },
  ],
  ['a record in', strayRecordDecision],
  [
    'CD',
    {
      right: ['rcode 0 aa cd 1 answers'],
      reference: 'RFC 4035 section 3.1.6: copied into the answer, as BIND does',
    },
  ],
  ['TC', { right: [ANSWERED], reference: 'RFC 1035 section 4.1.1: a bit for answers; PowerDNS is silent' }],
  [
    'a response code',
    { right: [ANSWERED], reference: 'RFC 1035 section 4.1.1: a field for answers; NSD FORMERR' },
  ],
  [
    'EDNS version',
    {
      right: ['rcode 0 0 answers'],
      reference: 'RFC 6891 section 6.1.3: BADVERS, without an answer that AA could apply to',
    },
  ],
  [
    'EDNS with an option cut',
    { right: [FORM_ERROR], reference: 'RFC 6891 section 6.1.2; PowerDNS does not check' },
  ],
  ['EDNS twice', { right: [FORM_ERROR], reference: 'RFC 6891 section 6.1.1' }],
  ['EDNS not', { right: [FORM_ERROR], reference: 'RFC 6891 section 6.1.2: the name must be the root' }],
  [
    'EDNS in',
    { right: [FORM_ERROR], reference: 'RFC 6891 section 6.1.1: OPT belongs in the additional section' },
  ],
  [
    'a pointer into',
    {
      right: [FORM_ERROR],
      reference: 'RFC 1035 section 4.1.4: a pointer must lead to a name; BIND reads the header as one',
    },
  ],
  [
    'a label of zeros',
    {
      right: ['rcode 3 aa 0 answers'],
      reference: 'RFC 2181 section 11: labels may hold any octet; PowerDNS SERVFAIL',
    },
  ],
  [
    'a label of 255s',
    {
      right: ['rcode 3 aa 0 answers'],
      reference: 'RFC 2181 section 11: labels may hold any octet; PowerDNS SERVFAIL',
    },
  ],
  ['', formDecision],
];

/** Returns undefined if we answer like all others, or correctly where they differ. */
export function judgeProtocolCase(
  title: string,
  ours: string,
  theirs: readonly string[],
): string | undefined {
  if (new Set(theirs).size === 1) return ours === theirs[0] ? undefined : 'the others agree, and we differ';
  const decision = decisions.find(([start]) => title.startsWith(start))?.[1] ?? formDecision;
  return decision.right.includes(ours) ? undefined : `we are on the wrong side (${decision.reference})`;
}

/** Summarises the compared parts of an answer to an unusual message. */
export function summarize(reply: Buffer | undefined): string {
  if (reply === undefined) return 'no answer';
  const rcode = reply[3] & 15;
  const flags = [
    (reply[2] & 4) !== 0 ? 'aa' : '',
    (reply[2] & 2) !== 0 ? 'tc' : '',
    (reply[2] & 1) !== 0 ? 'rd' : '',
    (reply[3] & 0x80) !== 0 ? 'ra' : '',
    (reply[3] & 0x40) !== 0 ? 'z' : '',
    (reply[3] & 0x20) !== 0 ? 'ad' : '',
    (reply[3] & 0x10) !== 0 ? 'cd' : '',
  ];
  return [`rcode ${rcode}`, ...flags.filter((flag) => flag !== ''), `${reply.readUInt16BE(6)} answers`].join(
    ' ',
  );
}

function changed(packet: Buffer, ...changes: readonly (readonly [at: number, octet: number])[]): Buffer {
  const copy = Buffer.from(packet);
  for (const [at, octet] of changes) copy[at] = octet & 255;
  return copy;
}

function withOption(code: number, data: Buffer): Buffer {
  const option = Buffer.concat([Buffer.from([code >>> 8, code & 255, 0, data.length]), data]);
  return Buffer.concat([changed(withEdns, [withEdns.length - 1, option.length]), option]);
}

function question(name: Buffer): Buffer {
  return Buffer.concat([plain.subarray(0, 12), name, Buffer.from([0, 1, 0, 1])]);
}

function encodedName(): Buffer {
  return plain.subarray(12, TYPE_AT);
}

function labels(count: number, size: number): Buffer {
  return Buffer.concat(
    Array.from({ length: count }, () => Buffer.concat([Buffer.from([size]), Buffer.alloc(size, 0x61)])),
  );
}
