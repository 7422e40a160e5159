/**
 * Reads an answer as a validator sees it: record sets with the signatures that cover them, names as labels, data in
 * canonical form (RFC 4034 section 6). Uses none of the code under test.
 */

import { readName } from '../../../test/comparison/message.ts';

/** The labels of a name from the first to the last, without the root, in lower case; one character an octet. */
export type Name = readonly string[];

export interface WireSet {
  readonly owner: Name;
  readonly type: number;
  readonly ttl: number;
  /** Uncompressed, names in lower case. */
  readonly rdatas: readonly Buffer[];
  readonly signatures: readonly WireSignature[];
}

/** An RRSIG record (RFC 4034 section 3.1). */
export interface WireSignature {
  readonly owner: Name;
  readonly ttl: number;
  readonly covered: number;
  readonly algorithm: number;
  readonly labels: number;
  readonly originalTtl: number;
  readonly expiration: number;
  readonly inception: number;
  readonly keyTag: number;
  readonly signer: Name;
  readonly signature: Buffer;
  /** The data up to the signature: the beginning of what is signed. */
  readonly head: Buffer;
}

export interface WireSection {
  readonly sets: readonly WireSet[];
  /** Signatures without their set, as type RRSIG asks for. */
  readonly loose: readonly WireSignature[];
}

export interface SignedMessage {
  readonly rcode: number;
  readonly isAuthoritative: boolean;
  readonly isTruncated: boolean;
  readonly name: Name;
  readonly type: number;
  readonly answer: WireSection;
  readonly authority: WireSection;
  readonly additional: WireSection;
  /** Anything that could break a client, and sets whose records differ in TTL or occur twice. */
  readonly problems: readonly string[];
}

interface Cursor {
  readonly bytes: Buffer;
  at: number;
  readonly problems: string[];
}

const HEADER_BYTES = 12;
const TYPE_OPT = 41;
const TYPE_RRSIG = 46;
/** The data of an RRSIG before the signer's name. */
const SIGNATURE_HEAD_BYTES = 18;

/** The names in data that canonical form changes: `n` a name, `t` a text, a digit so many octets. */
const layouts: Readonly<Record<number, string>> = {
  2: 'n',
  5: 'n',
  6: 'nn',
  12: 'n',
  15: '2n',
  17: 'nn',
  18: '2n',
  33: '6n',
  35: '4tttn',
  36: '2n',
  39: 'n',
};

/** Throws if the message cannot be read to its end. */
export function readSignedMessage(bytes: Buffer): SignedMessage {
  const cursor: Cursor = { bytes, at: HEADER_BYTES, problems: [] };
  const flags = bytes.readUInt16BE(2);
  const name = takeName(cursor);
  const type = bytes.readUInt16BE(cursor.at);
  cursor.at += 4;
  const [answer, authority, additional] = [6, 8, 10].map((at) => readSection(cursor, bytes.readUInt16BE(at)));
  if (cursor.at !== bytes.length) cursor.problems.push('octets follow the last record');
  return {
    rcode: flags & 15,
    isAuthoritative: (flags & 0x400) !== 0,
    isTruncated: (flags & 0x200) !== 0,
    name,
    type,
    answer,
    authority,
    additional,
    problems: cursor.problems,
  };
}

interface RecordGroup {
  readonly owner: Name;
  readonly type: number;
  readonly ttl: number;
  readonly rdatas: Buffer[];
}

function readSection(cursor: Cursor, count: number): WireSection {
  const groups: RecordGroup[] = [];
  const signatures: WireSignature[] = [];
  for (let i = 0; i < count; i++) {
    const owner = takeName(cursor);
    const [type, ttl] = [cursor.bytes.readUInt16BE(cursor.at), cursor.bytes.readUInt32BE(cursor.at + 4)];
    const end = cursor.at + 10 + cursor.bytes.readUInt16BE(cursor.at + 8);
    cursor.at += 10;
    if (type === TYPE_RRSIG) signatures.push(readSignature(cursor, owner, ttl, end));
    else if (type !== TYPE_OPT) addRecord(cursor, groups, { owner, type, ttl }, readData(cursor, type, end));
    cursor.at = end;
  }
  const covers = (group: RecordGroup) => (signature: WireSignature) =>
    signature.covered === group.type && equalNames(signature.owner, group.owner);
  return {
    sets: groups.map((group) => ({ ...group, signatures: signatures.filter(covers(group)) })),
    loose: signatures.filter((signature) => !groups.some((group) => covers(group)(signature))),
  };
}

function addRecord(
  { problems }: Cursor,
  groups: RecordGroup[],
  { owner, type, ttl }: Omit<RecordGroup, 'rdatas'>,
  data: Buffer,
): void {
  const group = groups.find((other) => other.type === type && equalNames(other.owner, owner));
  if (group === undefined) {
    groups.push({ owner, type, ttl, rdatas: [data] });
    return;
  }
  const title = `${showName(owner)} TYPE${type}`;
  if (group.ttl !== ttl) problems.push(`${title}: records of one set have different TTLs`);
  if (group.rdatas.some((other) => other.equals(data))) problems.push(`${title}: a record occurs twice`);
  group.rdatas.push(data);
}

function readSignature(cursor: Cursor, owner: Name, ttl: number, end: number): WireSignature {
  const { bytes, at } = cursor;
  const signer = readName(bytes, at + SIGNATURE_HEAD_BYTES, cursor.problems);
  if (signer.compressed) cursor.problems.push("a signer's name is compressed (RFC 4034 section 3.1.7)");
  return {
    owner,
    ttl,
    covered: bytes.readUInt16BE(at),
    algorithm: bytes[at + 2],
    labels: bytes[at + 3],
    originalTtl: bytes.readUInt32BE(at + 4),
    expiration: bytes.readUInt32BE(at + 8),
    inception: bytes.readUInt32BE(at + 12),
    keyTag: bytes.readUInt16BE(at + 16),
    signer: labelsOf(signer.wire),
    head: Buffer.concat([bytes.subarray(at, at + SIGNATURE_HEAD_BYTES), signer.wire]),
    signature: bytes.subarray(signer.end, end),
  };
}

/** The data in canonical form (RFC 4034 section 6.2). */
function readData(cursor: Cursor, type: number, end: number): Buffer {
  const { bytes, problems } = cursor;
  const parts: Buffer[] = [];
  let { at } = cursor;
  for (const field of layouts[type] ?? '') {
    if (field === 'n') {
      const name = readName(bytes, at, problems);
      parts.push(name.wire);
      at = name.end;
    } else {
      const length = field === 't' ? bytes[at] + 1 : Number(field);
      parts.push(bytes.subarray(at, at + length));
      at += length;
    }
  }
  return Buffer.concat([...parts, bytes.subarray(at, end)]);
}

function takeName(cursor: Cursor): Name {
  const { wire, end } = readName(cursor.bytes, cursor.at, cursor.problems);
  cursor.at = end;
  return labelsOf(wire);
}

/** The labels of an uncompressed name that begins with the first octet. */
export function labelsOf(wire: Buffer): Name {
  const labels: string[] = [];
  for (let at = 0; wire[at] !== 0; at += wire[at] + 1)
    labels.push(wire.toString('latin1', at + 1, at + 1 + wire[at]));
  return labels;
}

/** Uncompressed. */
export function wireOf(name: Name): Buffer {
  const octets = name.map((label) => String.fromCharCode(label.length) + label);
  return Buffer.from(`${octets.join('')}\0`, 'latin1');
}

export function equalNames(a: Name, b: Name): boolean {
  return a.length === b.length && isBelowOrEqual(a, b);
}

export function isBelowOrEqual(name: Name, ancestor: Name): boolean {
  const below = name.length - ancestor.length;
  return below >= 0 && ancestor.every((label, i) => label === name[below + i]);
}

export function isBelow(name: Name, ancestor: Name): boolean {
  return name.length > ancestor.length && isBelowOrEqual(name, ancestor);
}

/** Canonical order of names (RFC 4034 section 6.1): negative if `a` sorts before `b`. */
export function compareNames(a: Name, b: Name): number {
  for (let i = 1; i <= Math.min(a.length, b.length); i++) {
    const [x, y] = [a[a.length - i], b[b.length - i]];
    if (x !== y) return x < y ? -1 : 1;
  }
  return a.length - b.length;
}

export function showName(name: Name): string {
  return `${name.join('.')}.`;
}
