/** A domain name field: uncompressed on the wire; absolute or relative to the origin in text. */
import type { ByteReader } from '../../base/byte-reader.ts';
import { oneWord } from '../field-codec.ts';
import { domainNameLength, formatDomainName, parseDomainName, type DomainName } from '../name.ts';

export const domainName = oneWord({
  kind: 'domain name',
  expects: 'a domain name such as host.example.com',
  parseWord(word, wire, origin) {
    const name = parseDomainName(word, origin);
    if (!name.ok) return `is not a domain name: ${name.problem}`;
    wire.bytes(name.value);
    return true;
  },
  check(wire) {
    const length = domainNameLength(wire.bytes, wire.position, wire.end);
    if (length < 0) return 'is not an uncompressed domain name of at most 255 octets';
    wire.skip(length);
    return undefined;
  },
  format: (wire) => formatDomainName(readDomainName(wire)),
});

/** Reads a name that passed the check. */
export function readDomainName(wire: ByteReader): DomainName {
  return wire.take(domainNameLength(wire.bytes, wire.position, wire.end)) as DomainName;
}
