/**
 * The parameters of SVCB and HTTPS records: `key=value` in any order in text, by ascending key on the wire (RFC 9460).
 */
import type { ByteReader } from '../../base/byte-reader.ts';
import { ByteWriter } from '../../base/byte-writer.ts';
import { formatQuoted, writeSpelledOctets } from '../character-strings.ts';
import { clip } from '../clip.ts';
import type { FieldCodec } from '../field-codec.ts';
import { domainNameLength } from '../name.ts';
import {
  ALPN,
  formatSvcParamKey,
  getSvcParamKey,
  MANDATORY,
  mandatoryKeys,
  NO_DEFAULT_ALPN,
  parseSvcParamKey,
} from './svc-param-keys.ts';
import type { Token } from '../tokens.ts';

const MAX_VALUE_OCTETS = 0xffff;
const INVALID_KEY = 65535;

export const svcParams: FieldCodec = {
  kind: 'service parameters',
  expects: 'parameters such as alpn=h2,h3 port=8443 ipv4hint=192.0.2.1',
  parse(tokens, wire) {
    const values = new Map<number, Uint8Array>();
    for (let token = tokens.next(); token !== undefined; token = tokens.next()) {
      const problem = parseParam(token, values);
      if (problem !== undefined) return problem;
    }
    for (const [key, value] of [...values].sort(([a], [b]) => a - b)) {
      wire.u16(key);
      wire.u16(value.length);
      wire.bytes(value);
    }
    return undefined;
  },
  check(wire) {
    const values = new Map<number, Uint8Array>();
    let last = -1;
    while (wire.remaining > 0) {
      const key = wire.u16();
      const value = wire.take(wire.u16());
      if (wire.failed) return undefined;
      const name = formatSvcParamKey(key);
      if (key <= last || key === INVALID_KEY) return `have ${name} twice, out of order, or reserved`;
      const problem = getSvcParamKey(name, key).check(value);
      if (problem !== undefined) return `are wrong: ${name} ${problem}`;
      values.set(key, value);
      last = key;
    }
    return checkTogether(values);
  },
  format(wire) {
    const params: string[] = [];
    while (wire.remaining > 0) params.push(formatParam(wire));
    return params.join(' ');
  },
};

function parseParam(token: Token, values: Map<number, Uint8Array>): string | undefined {
  if (token.kind === 'quoted') return `have a value without a key: ${clip(token.text)}`;
  const equals = token.text.indexOf('=');
  const name = (equals < 0 ? token.text : token.text.slice(0, equals)).toLowerCase();
  const key = parseSvcParamKey(name);
  if (key === undefined)
    return `have the unknown key ${clip(name)}: use a registered key or key0 to key65534`;
  if (values.has(key)) return `have ${name} twice`;
  const written = equals < 0 ? '' : token.text.slice(equals + 1);
  const quoted = written.startsWith('"');
  const spelling = new ByteWriter();
  writeSpelledOctets(quoted ? written.slice(1, -1) : written, spelling);
  const value = parseSpelling(name, key, spelling.finish());
  if (typeof value === 'string') return `are wrong: ${name} ${value}`;
  values.set(key, value);
  return undefined;
}

function parseSpelling(name: string, key: number, spelling: Uint8Array): Uint8Array | string {
  const value = getSvcParamKey(name, key).parse(spelling);
  if (!value.ok) return spelling.length === 0 ? 'has no value' : value.problem;
  return value.value.length > MAX_VALUE_OCTETS ? `is longer than ${MAX_VALUE_OCTETS} octets` : value.value;
}

/** Rules between parameters: RFC 9460 sections 7.1.1 and 8. */
function checkTogether(values: ReadonlyMap<number, Uint8Array>): string | undefined {
  if (values.has(NO_DEFAULT_ALPN) && !values.has(ALPN)) return 'have no-default-alpn without alpn';
  const required = mandatoryKeys(values.get(MANDATORY) ?? new Uint8Array(0));
  const absent = required.find((key) => !values.has(key));
  return absent === undefined ? undefined : `lack ${formatSvcParamKey(absent)}, which mandatory names`;
}

function formatParam(wire: ByteReader): string {
  const key = wire.u16();
  const name = formatSvcParamKey(key);
  const spelling = getSvcParamKey(name, key).format(wire.take(wire.u16()));
  if (spelling.length === 0) return name;
  const plain = spelling.every(needsNoQuotes);
  return `${name}=${plain ? String.fromCharCode(...spelling) : formatQuoted(spelling)}`;
}

/**
 * True for letters, digits and some punctuation, but not for quotes, backslashes, semicolons, parentheses or blanks.
 */
function needsNoQuotes(octet: number): boolean {
  return octet > 0x20 && octet < 0x7f && !'"\\;()'.includes(String.fromCharCode(octet));
}

/** Priority 0 (AliasMode) allows no parameters (RFC 9460 section 2.4.2); other nameservers enforce this too. */
export function checkServiceMode(rdata: Uint8Array): string | undefined {
  const priority = rdata[0] * 256 + rdata[1];
  const paramsAt = 2 + domainNameLength(rdata, 2, rdata.length);
  return priority === 0 && paramsAt < rdata.length
    ? 'priority 0 is an alias and takes no parameters'
    : undefined;
}
