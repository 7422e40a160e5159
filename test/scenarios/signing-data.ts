/**
 * Data of the types that signing makes, in the notation of scenario files: without what depends on the key and the clock,
 * which differs from run to run. The checks of a validator look at that. Names in this data are never compressed.
 */

import { readName } from '../comparison/message.ts';
import { typeName } from './wire-names.ts';

const BASE32HEX = '0123456789abcdefghijklmnopqrstuv';

/** @returns undefined for other types */
export function showSigningData(type: string, data: Buffer): string | undefined {
  switch (type) {
    case 'RRSIG':
      // Expiration, inception, key tag and signature are left out.
      return [typeName(data.readUInt16BE(0)), data[2], data[3], data.readUInt32BE(4), nameAt(data, 18)].join(
        ' ',
      );
    case 'DNSKEY':
    case 'CDNSKEY':
      return [data.readUInt16BE(0), data[2], data[3]].join(' ');
    case 'CDS':
      return [data[2], data[3]].join(' ');
    case 'NSEC':
      return [nameAt(data, 0), ...typesAt(data, readName(data, 0, []).end)].join(' ');
    case 'NSEC3':
      return [
        ...parameters(data),
        base32(data.subarray(6 + data[4], 26 + data[4])),
        ...typesAt(data, 26 + data[4]),
      ].join(' ');
    case 'NSEC3PARAM':
      return parameters(data).join(' ');
    default:
      return undefined;
  }
}

function nameAt(data: Buffer, at: number): string {
  return readName(data, at, []).text;
}

/** Algorithm, flags, iterations and salt. */
function parameters(data: Buffer): string[] {
  const salt = data.toString('hex', 5, 5 + data[4]);
  return [String(data[0]), String(data[1]), String(data.readUInt16BE(2)), salt === '' ? '-' : salt];
}

function base32(octets: Buffer): string {
  const bits = [...octets].map((octet) => octet.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{5}/g) ?? []).map((five) => BASE32HEX[parseInt(five, 2)]).join('');
}

function typesAt(data: Buffer, start: number): string[] {
  const types: string[] = [];
  for (let at = start; at < data.length; at += 2 + data[at + 1])
    for (let bit = 0; bit < data[at + 1] * 8; bit++)
      if ((data[at + 2 + (bit >> 3)] & (0x80 >> (bit & 7))) !== 0) types.push(typeName(data[at] * 256 + bit));
  return types;
}
