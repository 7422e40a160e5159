// Reads what ldns-read-zone and kdig print when told to write all data in the generic form of RFC 3597:
//
//     www.example.com.  300  IN  TYPE1  \# 4 c0000201

import type { ListedRecord } from '../../zone-files/listing.ts';

const LINE = /^(\S+)\s+(\d+)\s+(?:IN|CLASS1)\s+TYPE(\d+)\s+\\# (\d+) ?([0-9A-Fa-f ]*)$/;

/** Except for empty lines and comments, every line must be such a record. */
export function readGenericText(text: string): ListedRecord[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith(';'));
  return lines.map((line) => {
    const match = LINE.exec(line.trim());
    if (match === null) throw new Error(`not a record in generic form: ${line}`);
    const [, owner = '', ttl, type, octets, hex = ''] = match;
    const rdata = Buffer.from(hex.replaceAll(' ', ''), 'hex');
    if (rdata.length !== Number(octets)) throw new Error(`data is cut: ${line}`);
    return { owner: readName(owner), ttl: Number(ttl), type: Number(type), rdata };
  });
}

/** Reads an absolute name. */
function readName(text: string): Uint8Array {
  const wire: number[] = [];
  let label: number[] = [];
  for (const [spelling] of text.matchAll(/\\\d{3}|\\.|./g)) {
    if (spelling === '.') {
      if (label.length > 0) wire.push(label.length, ...label);
      label = [];
    } else label.push(octetOf(spelling));
  }
  return Uint8Array.from([...wire, 0]);
}

function octetOf(spelling: string): number {
  return /^\\\d/.test(spelling) ? Number(spelling.slice(1)) : spelling.charCodeAt(spelling.length - 1);
}
