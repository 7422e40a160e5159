/** The complete data of a LOC record: text and wire order differ, and the text may omit default values (RFC 1876). */
import type { ByteReader } from '../../base/byte-reader.ts';
import { missing, type FieldCodec } from '../field-codec.ts';
import { parseUnsigned } from '../parse-unsigned.ts';

const EXPECTS =
  'degrees [minutes [seconds]] N or S, degrees [minutes [seconds]] E or W, altitude [size [precisions]] in metres';

/** The equator and the prime meridian, in thousandths of a second of arc. */
const ANGLE_ORIGIN = 2 ** 31;
const DEGREE = 3_600_000;
/** Altitude 0 is 100 km below sea level, in centimetres. */
const ALTITUDE_ORIGIN = 10_000_000;
const MAX_ALTITUDE = 2 ** 32 - 1;
/** Mantissa and exponent are one digit each: 9e9 cm. */
const MAX_SIZE_CENTIMETRES = 9e9;
/** Size 1 m, horizontal precision 10 km, vertical precision 10 m (RFC 1876 section 3). */
const usualSizes: readonly number[] = [0x12, 0x16, 0x13];

export const location: FieldCodec = {
  kind: 'location',
  expects: EXPECTS,
  parse(tokens, wire) {
    const words: string[] = [];
    for (let token = tokens.next(); token !== undefined; token = tokens.next()) {
      if (token.kind === 'quoted') return `must not be in quotes: ${EXPECTS}`;
      words.push(token.text);
    }
    if (words.length === 0) return missing(EXPECTS);
    const latitude = takeAngle(words, 90, 'N', 'S');
    if (latitude === undefined) return 'has no latitude from 90 N to 90 S, such as 52 22 23.000 N';
    const longitude = takeAngle(words, 180, 'E', 'W');
    if (longitude === undefined) return 'has no longitude from 180 E to 180 W, such as 4 53 32.000 E';
    const altitude = takeAltitude(words);
    if (altitude === undefined) return 'has no altitude from -100000.00m to 42849672.95m';
    if (words.length > usualSizes.length) return `has too many numbers: it must be ${EXPECTS}`;
    const sizes = usualSizes.map((usual, i) => (i < words.length ? parseSize(words[i]) : usual));
    wire.u8(0);
    for (const size of sizes) {
      if (size === undefined) return 'has a size or precision that is not from 0m to 90000000m';
      wire.u8(size);
    }
    for (const value of [latitude, longitude, altitude]) wire.u32(value);
    return undefined;
  },
  check(wire) {
    const version = wire.u8();
    if (version !== 0) return `has version ${version}, only 0 is known`;
    for (let i = 0; i < usualSizes.length; i++) {
      if (!isSize(wire.u8())) return 'has a size or precision that is not a digit and an exponent';
    }
    const latitude = Math.abs(wire.u32() - ANGLE_ORIGIN);
    const longitude = Math.abs(wire.u32() - ANGLE_ORIGIN);
    wire.skip(4);
    if (wire.failed) return undefined;
    if (latitude > 90 * DEGREE) return 'has a latitude beyond 90 degrees';
    return longitude > 180 * DEGREE ? 'has a longitude beyond 180 degrees' : undefined;
  },
  format(wire) {
    wire.skip(1);
    const sizes = usualSizes.map(() => formatSize(wire.u8()));
    const latitude = formatAngle(wire, 'N', 'S');
    const longitude = formatAngle(wire, 'E', 'W');
    const altitude = ((wire.u32() - ALTITUDE_ORIGIN) / 100).toFixed(2);
    return `${latitude} ${longitude} ${altitude}m ${sizes.join(' ')}`;
  },
};

/** Removes one angle from the front of the words; returns undefined if there is none. */
function takeAngle(words: string[], maxDegrees: number, plus: string, minus: string): number | undefined {
  const end = words.findIndex((word) => /^[NSEW]$/i.test(word));
  if (end < 1 || end > 3) return undefined;
  const [degreesText, minutesText = '0', secondsText = '0'] = words.splice(0, end);
  const hemisphere = words.shift()?.toUpperCase();
  const degrees = parseUnsigned(degreesText, maxDegrees);
  const minutes = parseUnsigned(minutesText, 59);
  const milliseconds = parseFixed(secondsText, 3, 59_999);
  if (degrees === undefined || minutes === undefined || milliseconds === undefined) return undefined;
  const angle = degrees * DEGREE + minutes * 60_000 + milliseconds;
  if (angle > maxDegrees * DEGREE) return undefined;
  if (hemisphere === plus) return ANGLE_ORIGIN + angle;
  return hemisphere === minus ? ANGLE_ORIGIN - angle : undefined;
}

function takeAltitude(words: string[]): number | undefined {
  const text = words.shift() ?? '';
  const below = text.startsWith('-');
  const centimetres = parseMetres(below ? text.slice(1) : text, MAX_ALTITUDE);
  if (centimetres === undefined) return undefined;
  const altitude = below ? ALTITUDE_ORIGIN - centimetres : ALTITUDE_ORIGIN + centimetres;
  return altitude >= 0 && altitude <= MAX_ALTITUDE ? altitude : undefined;
}

/** Encodes centimetres as one digit and an exponent; further digits are dropped, as in RFC 1876 appendix A. */
function parseSize(text: string): number | undefined {
  const centimetres = parseMetres(text, MAX_SIZE_CENTIMETRES);
  if (centimetres === undefined) return undefined;
  const digits = String(centimetres);
  return centimetres === 0 ? 0 : Number(digits.charAt(0)) * 16 + digits.length - 1;
}

/** RFC 1876 section 2: both half octets are decimal digits, and the exponent of 0 is 0. */
function isSize(octet: number): boolean {
  return octet === 0 || (octet >>> 4 >= 1 && octet >>> 4 <= 9 && (octet & 15) <= 9);
}

function formatSize(octet: number): string {
  const centimetres = (octet >>> 4) * 10 ** (octet & 15);
  return `${centimetres % 100 === 0 ? String(centimetres / 100) : (centimetres / 100).toFixed(2)}m`;
}

function formatAngle(wire: ByteReader, plus: string, minus: string): string {
  const value = wire.u32() - ANGLE_ORIGIN;
  const angle = Math.abs(value);
  const minutes = Math.floor(angle / 60_000) % 60;
  const seconds = ((angle % 60_000) / 1000).toFixed(3);
  return `${Math.floor(angle / DEGREE)} ${minutes} ${seconds} ${value < 0 ? minus : plus}`;
}

/** Parses metres with at most two decimals and an optional `m`; returns centimetres. */
function parseMetres(text: string, max: number): number | undefined {
  return parseFixed(text.endsWith('m') ? text.slice(0, -1) : text, 2, max);
}

/** Parses a decimal number with at most `decimals` places; returns an integer in units of the last place. */
function parseFixed(text: string, decimals: number, max: number): number | undefined {
  const parts = /^(\d{1,10})(?:\.(\d{1,3}))?$/.exec(text);
  if (parts === null) return undefined;
  const fraction = (parts.at(2) ?? '').padEnd(decimals, '0');
  if (fraction.length > decimals) return undefined;
  const value = Number(parts[1]) * 10 ** decimals + Number(fraction);
  return value <= max ? value : undefined;
}
