/**
 * Converts record data between presentation text and uncompressed wire form, and derives the rest from a type's
 * declaration: well-formedness, canonical form and the positions of names. Types without a declaration are opaque (RFC
 * 3597).
 */
import { ByteReader } from '../../base/byte-reader.ts';
import { ByteWriter } from '../../base/byte-writer.ts';
import { malformed, parsed, type Parsed } from '../../base/parsed.ts';
import { clip } from '../clip.ts';
import { findGenericData, formatGenericData } from './generic-data.ts';
import { domainNameAt, lowerDomainName, type DomainName } from '../name.ts';
import type { Field, RecordType } from '../record-type.ts';
import { findRecordType, formatRecordType, isDataType } from './record-type-registry.ts';
import { TokenReader } from '../token-reader.ts';
import { undeclaredNameOffsets } from './undeclared-names.ts';

/** RDLENGTH has 16 bits (RFC 1035 section 3.2.1). */
export const MAX_RDATA_OCTETS = 0xffff;

export type ParsedRdata =
  | Extract<Parsed<Uint8Array>, { ok: true }>
  | {
      readonly ok: false;
      readonly problem: string;
      /** Index in the text of the wrong word; undefined if the problem concerns no single word. */
      readonly at?: number | undefined;
    };

/**
 * Converts presentation text to uncompressed wire form. Without an origin, names are absolute with or without a
 * trailing dot; with one, names without a trailing dot are relative to it and `@` is the origin. `\# length hex` (RFC
 * 3597 section 5) is accepted for every type and must satisfy the type's rules.
 */
export function parseRdata(type: number, text: string, origin?: DomainName): ParsedRdata {
  const rdata = findGenericData(text) ?? parseDeclared(type, text, origin);
  if (!rdata.ok) return rdata;
  const problem = checkRdata(type, rdata.value);
  return problem === undefined ? rdata : malformed(problem);
}

function parseDeclared(type: number, text: string, origin: DomainName | undefined): ParsedRdata {
  const declared = findRecordType(type);
  if (declared === undefined) {
    const name = formatRecordType(type);
    return malformed(`write data of type ${name} as \\# length hex (RFC 3597), such as \\# 2 C0DE`);
  }
  const tokens = new TokenReader(text, origin);
  const wire = new ByteWriter();
  for (const field of declared.fields) {
    const problem = field.codec.parse(tokens, wire);
    if (tokens.problem !== undefined) return malformed(tokens.problem);
    if (problem !== undefined) {
      return { ok: false, problem: `the ${field.name} ${problem}`, at: tokens.lastStart };
    }
  }
  const extra = tokens.next();
  if (tokens.problem !== undefined) return malformed(tokens.problem);
  if (extra !== undefined) {
    const problem = `unexpected text after the ${declared.mnemonic} data: ${clip(extra.text)}`;
    return { ok: false, problem, at: extra.start };
  }
  return parsed(wire.finish());
}

/** Converts wire form to one line of presentation text with absolute names; malformed data becomes `\# length hex`. */
export function formatRdata(type: number, rdata: Uint8Array): string {
  const declared = findRecordType(type);
  if (declared === undefined || checkRdata(type, rdata) !== undefined) return formatGenericData(rdata);
  const wire = new ByteReader(rdata);
  const texts = declared.fields.map((field) => field.codec.format(wire));
  return texts.filter((text) => text !== '').join(' ');
}

/**
 * Returns one sentence if `rdata` is not well-formed data of this type, otherwise undefined. Names must be
 * uncompressed.
 */
export function checkRdata(type: number, rdata: Uint8Array): string | undefined {
  if (!isDataType(type)) return `${formatRecordType(type)} is not a data type`;
  if (rdata.length > MAX_RDATA_OCTETS) {
    return `the data has ${rdata.length} octets, the limit is ${MAX_RDATA_OCTETS}`;
  }
  const declared = findRecordType(type);
  return declared === undefined ? undefined : checkDeclared(declared, rdata);
}

function checkDeclared(declared: RecordType, rdata: Uint8Array): string | undefined {
  const wire = new ByteReader(rdata);
  for (const field of declared.fields) {
    const problem = field.codec.check(wire);
    if (wire.failed) return `the data ends before the end of the ${field.name}`;
    if (problem !== undefined) return `the ${field.name} ${problem}`;
  }
  if (wire.remaining > 0) return `${wire.remaining} octets follow the ${declared.mnemonic} data`;
  return declared.checkTogether?.(rdata);
}

/**
 * The canonical form of RFC 4034 section 6.2: names in lower case for the types it lists, except NSEC (RFC 6840 section
 * 5.1). Expects well-formed data; may return the same object.
 */
export function canonicalRdata(type: number, rdata: Uint8Array): Uint8Array {
  const offsets =
    findRecordType(type) === undefined
      ? undeclaredNameOffsets(type, rdata)
      : nameOffsets(type, rdata, (field) => field.lowerCased === true);
  if (offsets.length === 0) return rdata;
  const canonical = rdata.slice();
  for (const offset of offsets) {
    const name = domainNameAt(rdata, offset);
    if (name !== undefined) canonical.set(lowerDomainName(name), offset);
  }
  return canonical;
}

/**
 * Offsets of the names that a message may compress (types of RFC 1035 only, RFC 3597 section 4). Expects well-formed
 * data.
 */
export function compressibleNameOffsets(type: number, rdata: Uint8Array): readonly number[] {
  return nameOffsets(type, rdata, (field) => field.compressed === true);
}

/**
 * Offset of the name whose addresses belong in the additional section; undefined if there is none or it is the root.
 * Expects well-formed data.
 */
export function additionalNameOffset(type: number, rdata: Uint8Array): number | undefined {
  const wanted = findRecordType(type)?.additional;
  if (wanted === undefined) return undefined;
  const offset = nameOffsets(type, rdata, (field) => field.name === wanted).at(0);
  return offset === undefined || rdata[offset] === 0 ? undefined : offset;
}

const none: readonly number[] = [];

function nameOffsets(type: number, rdata: Uint8Array, wanted: (field: Field) => boolean): readonly number[] {
  const fields = findRecordType(type)?.fields;
  if (fields === undefined || !fields.some(wanted)) return none;
  const wire = new ByteReader(rdata);
  const offsets: number[] = [];
  for (const field of fields) {
    if (wanted(field)) offsets.push(wire.position);
    field.codec.check(wire);
  }
  return offsets;
}
