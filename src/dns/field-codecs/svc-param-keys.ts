/**
 * The registered parameters of SVCB and HTTPS records and the syntax of their values (RFC 9460 sections 7 and 14.3, RFC
 * 9461, RFC 9540). A spelling is the octets of the text after decoding the zone-file escapes.
 */
import { malformed, parsed, type Parsed } from '../../base/parsed.ts';
import { formatBase64, parseBase64 } from '../base64.ts';
import { clip } from '../clip.ts';
import { parseUnsigned } from '../parse-unsigned.ts';
import { formatIpv4, formatIpv6, parseIpv4, parseIpv6 } from '../ip-address.ts';
import { alpnIds } from './svc-value-list.ts';

export interface SvcParamKey {
  readonly number: number;
  readonly name: string;
  /** Converts a spelling to a wire value. A problem completes a sentence that begins with "the parameter <key>". */
  readonly parse: (spelling: Uint8Array) => Parsed<Uint8Array>;
  /** Converts a wire value that passed the check to its spelling. */
  readonly format: (value: Uint8Array) => Uint8Array;
  /** Returns the problem with a wire value, if any. */
  readonly check: (value: Uint8Array) => string | undefined;
}

export const MANDATORY = 0;
export const ALPN = 1;
export const NO_DEFAULT_ALPN = 2;

const ascii = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));
const textOf = (octets: Uint8Array): string =>
  Array.from(octets, (octet) => String.fromCharCode(octet)).join('');
const asIs = (octets: Uint8Array): Uint8Array => octets;
const anything = (): undefined => undefined;

const registered: readonly SvcParamKey[] = [
  { number: MANDATORY, name: 'mandatory', parse: parseKeyList, format: formatKeyList, check: checkKeyList },
  { number: ALPN, name: 'alpn', ...alpnIds },
  withoutValue(NO_DEFAULT_ALPN, 'no-default-alpn'),
  { number: 3, name: 'port', parse: parsePort, format: formatPort, check: checkPort },
  addressList(4, 'ipv4hint', 4, parseIpv4, formatIpv4),
  {
    number: 5,
    name: 'ech',
    parse: parseEch,
    format: (value) => ascii(formatBase64(value)),
    check: checkNotEmpty,
  },
  addressList(6, 'ipv6hint', 16, parseIpv6, formatIpv6),
  { number: 7, name: 'dohpath', parse: parsed, format: asIs, check: checkDohPath },
  withoutValue(8, 'ohttp'),
];

/** Reserved as invalid (RFC 9460 section 14.3.2). */
const INVALID_KEY = 65535;

/** Accepts a registered name, or `keyN` without leading zeros. */
export function parseSvcParamKey(text: string): number | undefined {
  const known = registered.find((key) => key.name === text);
  if (known !== undefined) return known.number;
  if (!/^key(?:0|[1-9][0-9]{0,4})$/.test(text)) return undefined;
  const number = Number(text.slice('key'.length));
  return number < INVALID_KEY ? number : undefined;
}

export function formatSvcParamKey(number: number): string {
  return registered.find((key) => key.number === number)?.name ?? `key${number}`;
}

/** The syntax of a key's value: opaque octets if the key is not registered or was written as `keyN`. */
export function getSvcParamKey(name: string, number: number): SvcParamKey {
  return (
    registered.find((key) => key.name === name) ?? {
      number,
      name,
      parse: parsed,
      format: asIs,
      check: anything,
    }
  );
}

function withoutValue(number: number, name: string): SvcParamKey {
  const check = (value: Uint8Array) => (value.length > 0 ? 'takes no value' : undefined);
  return { number, name, parse: parsed, format: asIs, check };
}

function checkNotEmpty(value: Uint8Array): string | undefined {
  return value.length === 0 ? 'has no value' : undefined;
}

/** Keys are in ascending order on the wire, whatever their order in the text (RFC 9460 section 8). */
function parseKeyList(spelling: Uint8Array): Parsed<Uint8Array> {
  const numbers: number[] = [];
  for (const name of textOf(spelling).split(',')) {
    const number = parseSvcParamKey(name);
    if (number === undefined) return malformed(`names ${clip(name)}, which is not a parameter`);
    numbers.push(number);
  }
  numbers.sort((a, b) => a - b);
  return parsed(Uint8Array.from(numbers.flatMap((number) => [number >>> 8, number & 0xff])));
}

export function mandatoryKeys(value: Uint8Array): number[] {
  return Array.from({ length: value.length >>> 1 }, (_, i) => value[2 * i] * 256 + value[2 * i + 1]);
}

function formatKeyList(value: Uint8Array): Uint8Array {
  return ascii(mandatoryKeys(value).map(formatSvcParamKey).join(','));
}

function checkKeyList(value: Uint8Array): string | undefined {
  if (value.length === 0 || value.length % 2 !== 0) return 'is not a list of parameters';
  const keys = mandatoryKeys(value);
  if (keys.includes(MANDATORY)) return 'must not name itself';
  if (keys.includes(INVALID_KEY)) return `names key${INVALID_KEY}, which is reserved`;
  return keys.every((key, i) => i === 0 || key > keys[i - 1])
    ? undefined
    : 'names a parameter twice or out of order';
}

function parsePort(spelling: Uint8Array): Parsed<Uint8Array> {
  const port = parseUnsigned(textOf(spelling), 0xffff);
  if (port === undefined) return malformed('is not an integer from 0 to 65535');
  return parsed(Uint8Array.of(port >>> 8, port & 0xff));
}

function formatPort(value: Uint8Array): Uint8Array {
  return ascii(String(value[0] * 256 + value[1]));
}

function checkPort(value: Uint8Array): string | undefined {
  return value.length === 2 ? undefined : 'is not a two-octet number';
}

function addressList(
  number: number,
  name: string,
  octets: 4 | 16,
  parseAddress: (text: string) => Parsed<Uint8Array>,
  formatAddress: (address: Uint8Array) => string,
): SvcParamKey {
  return {
    number,
    name,
    parse(spelling) {
      const texts = textOf(spelling).split(',');
      const value = new Uint8Array(texts.length * octets);
      for (const [i, text] of texts.entries()) {
        const address = parseAddress(text);
        if (!address.ok) return malformed(`is not a list of addresses: ${address.problem}`);
        value.set(address.value, i * octets);
      }
      return parsed(value);
    },
    format(value) {
      const addresses = Array.from({ length: value.length / octets }, (_, i) =>
        formatAddress(value.subarray(i * octets, (i + 1) * octets)),
      );
      return ascii(addresses.join(','));
    },
    check: (value) =>
      value.length > 0 && value.length % octets === 0 ? undefined : 'is not a list of complete addresses',
  };
}

function parseEch(spelling: Uint8Array): Parsed<Uint8Array> {
  const value = parseBase64(textOf(spelling));
  return value.ok ? value : malformed(`is not base64: ${value.problem}`);
}

/** A URI template in relative form with a `dns` variable, in UTF-8 (RFC 9461 section 5). */
function checkDohPath(value: Uint8Array): string | undefined {
  const problem = 'is not a path with a dns variable, such as /dns-query{?dns}';
  let template: string;
  try {
    template = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(value);
  } catch {
    return 'is not UTF-8';
  }
  if (!template.startsWith('/')) return problem;
  const expressions = template.split('{').slice(1);
  const variables = expressions.flatMap((text) =>
    text.slice(0, Math.max(0, text.indexOf('}'))).split(/[?&,]/),
  );
  return variables.includes('dns') ? undefined : problem;
}
