/** Domain name fields: uncompressed on the wire; absolute or relative to the origin in text. */
import type { ByteReader } from '../../base/byte-reader.ts';
import { isNot, oneWord, type FieldCodec } from '../field-codec.ts';
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

/** Any number of names, to the end of the data. */
export const domainNames: FieldCodec = {
  kind: 'domain names',
  expects: 'domain names such as host.example.com',
  parse(tokens, wire) {
    for (let token = tokens.next(); token !== undefined; token = tokens.next()) {
      const name = token.kind === 'word' ? parseDomainName(token.text, tokens.origin) : undefined;
      if (name?.ok !== true) return isNot(this.expects, token.text);
      wire.bytes(name.value);
    }
    return undefined;
  },
  check(wire) {
    while (wire.remaining > 0) {
      const problem = domainName.check(wire);
      if (problem !== undefined) return problem;
    }
    return undefined;
  },
  format(wire) {
    const names: string[] = [];
    while (wire.remaining > 0) names.push(domainName.format(wire));
    return names.join(' ');
  },
};

/** Reads a name that passed the check. */
export function readDomainName(wire: ByteReader): DomainName {
  return wire.take(domainNameLength(wire.bytes, wire.position, wire.end)) as DomainName;
}
