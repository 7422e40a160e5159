/**
 * Reads a message from another server (RFC 1035 section 4) and uncompresses its names, including those in data (RFC
 * 3597 section 4 tolerates old servers that compress too much). For clients; the nameserver has its own reader for
 * queries.
 */
import { ByteReader } from '../../base/byte-reader.ts';
import { ByteWriter } from '../../base/byte-writer.ts';
import { malformed, parsed, type Parsed } from '../../base/parsed.ts';
import { domainName } from '../field-codecs/domain-name.ts';
import { rrType } from '../codes.ts';
import type { Message, MessageRecord } from '../message.ts';
import { MAX_NAME_OCTETS, type DomainName } from '../name.ts';
import { findRecordType } from '../rdata/record-type-registry.ts';

const HEADER_OCTETS = 12;

/** A chain with more pointers than a name has labels is a loop or an attack. */
const MAX_POINTERS = 127;

export function readMessage(bytes: Uint8Array): Parsed<Message> {
  const wire = new ByteReader(bytes);
  const [id, flags, questions, answers, authorities, additionals] = Array.from({ length: 6 }, () =>
    wire.u16(),
  );
  if (bytes.length < HEADER_OCTETS) return malformed('the message is shorter than a header');
  if (questions > 1) return malformed(`the message has ${questions} questions`);
  const question = questions === 1 ? readQuestion(wire) : undefined;
  const sections = [answers, authorities, additionals].map((count) => readRecords(wire, count));
  const [answer, authority, additional] = sections;
  if (wire.failed || answer === undefined || authority === undefined || additional === undefined) {
    return malformed('the message ends before its last record, or has a malformed name');
  }
  const opt = additional.find(({ type }) => type === rrType.OPT);
  return parsed({
    id,
    isResponse: (flags & 0x8000) !== 0,
    isAuthoritative: (flags & 0x0400) !== 0,
    isTruncated: (flags & 0x0200) !== 0,
    isAuthenticated: (flags & 0x0020) !== 0,
    rcode: (flags & 0xf) | (opt === undefined ? 0 : (opt.ttl >>> 24) << 4),
    question,
    answers: answer,
    authorities: authority,
    additionals: additional,
  });
}

function readQuestion(wire: ByteReader): Message['question'] {
  const name = readName(wire);
  const type = wire.u16();
  wire.skip(2);
  return name && { name, type };
}

function readRecords(wire: ByteReader, count: number): MessageRecord[] | undefined {
  const records: MessageRecord[] = [];
  for (let i = 0; i < count; i++) {
    const start = wire.position;
    const owner = readName(wire);
    const [type, recordClass, ttl, length] = [wire.u16(), wire.u16(), wire.u32(), wire.u16()];
    const end = wire.position + length;
    if (owner === undefined || wire.failed || end > wire.end) return undefined;
    const rdata = readRdata(wire.bytes, type, wire.position, end);
    if (rdata === undefined) return undefined;
    records.push({ owner, type, class: recordClass, ttl, rdata, start });
    wire.position = end;
  }
  return records;
}

/** Returns the data with uncompressed names; undefined if a name in it is malformed. */
function readRdata(bytes: Uint8Array, type: number, start: number, end: number): Uint8Array | undefined {
  const fields = findRecordType(type)?.fields;
  if (fields?.some(({ codec }) => codec === domainName) !== true) return bytes.slice(start, end);
  const wire = new ByteReader(bytes, start, end);
  const rdata = new ByteWriter();
  for (const { codec } of fields) {
    const from = wire.position;
    if (codec === domainName) {
      const name = readName(wire);
      if (name === undefined) return undefined;
      rdata.bytes(name);
    } else {
      codec.check(wire);
      rdata.bytes(bytes.subarray(from, wire.position));
    }
  }
  rdata.bytes(wire.rest());
  return wire.failed ? undefined : rdata.finish();
}

/** RFC 1035 section 4.1.4: pointers lead only backwards. Returns undefined if the name is malformed. */
function readName(wire: ByteReader): DomainName | undefined {
  const name = new ByteWriter();
  let reader = wire;
  for (let pointers = 0; pointers <= MAX_POINTERS;) {
    const at = reader.position;
    const length = reader.u8();
    if (reader.failed) return undefined;
    if (length >= 0xc0) {
      if (reader.remaining === 0) return undefined;
      const target = ((length & 0x3f) << 8) | reader.u8();
      if (target >= at) return undefined;
      // The outer reader continues after the pointer; the name continues at its target.
      reader = new ByteReader(wire.bytes, target);
      pointers++;
      continue;
    }
    if (length > 0x3f) return undefined;
    name.u8(length);
    if (length === 0) return name.length > MAX_NAME_OCTETS ? undefined : (name.finish() as DomainName);
    name.bytes(reader.take(length));
    if (name.length > MAX_NAME_OCTETS) return undefined;
  }
  return undefined;
}
