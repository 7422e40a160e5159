/**
 * Integers that text may also give as a registered mnemonic. They are written as integers, which every reader
 * understands, unless the RFC demands the mnemonic.
 */
import { oneWord } from '../field-codec.ts';
import { parseUnsigned } from '../parse-unsigned.ts';
import { readInteger, writeInteger } from './integer.ts';

/** DNSSEC algorithms (RFC 4034 appendix A.1, IANA "DNS Security Algorithm Numbers"). */
export const dnssecAlgorithm = mnemonicInteger(1, 'a DNSSEC algorithm such as 13 or ECDSAP256SHA256', {
  RSAMD5: 1,
  DH: 2,
  DSA: 3,
  RSASHA1: 5,
  'DSA-NSEC3-SHA1': 6,
  'RSASHA1-NSEC3-SHA1': 7,
  RSASHA256: 8,
  RSASHA512: 10,
  'ECC-GOST': 12,
  ECDSAP256SHA256: 13,
  ECDSAP384SHA384: 14,
  ED25519: 15,
  ED448: 16,
  INDIRECT: 252,
  PRIVATEDNS: 253,
  PRIVATEOID: 254,
});

/** RFC 4398 section 2.1. */
export const certificateType = mnemonicInteger(2, 'a certificate type such as 1 or PKIX', {
  PKIX: 1,
  SPKI: 2,
  PGP: 3,
  IPKIX: 4,
  ISPKI: 5,
  IPGP: 6,
  ACPKIX: 7,
  IACPKIX: 8,
  URI: 253,
  OID: 254,
});

/** RFC 9859 section 2.2. */
export const notificationScheme = mnemonicInteger(1, 'a scheme such as NOTIFY', { NOTIFY: 1 }, 'mnemonic');

function mnemonicInteger(
  octets: 1 | 2,
  expects: string,
  numbers: Readonly<Record<string, number>>,
  writtenAs: 'integer' | 'mnemonic' = 'integer',
) {
  const shown = new Map(
    Object.entries(writtenAs === 'mnemonic' ? numbers : {}).map(([text, value]) => [value, text]),
  );
  const byMnemonic = new Map(Object.entries(numbers));
  return oneWord({
    kind: 'mnemonic integer',
    octets,
    expects,
    mnemonics: [...byMnemonic.keys()] as readonly string[],
    parseWord(word, wire) {
      const value = byMnemonic.get(word.toUpperCase()) ?? parseUnsigned(word, 2 ** (8 * octets) - 1);
      if (value === undefined) return false;
      writeInteger(wire, octets, value);
      return true;
    },
    check(wire) {
      wire.skip(octets);
      return undefined;
    },
    format(wire) {
      const value = readInteger(wire, octets);
      return shown.get(value) ?? String(value);
    },
  });
}
