import { rrType } from '../codes.ts';
import { domainName } from '../field-codecs/domain-name.ts';
import { uint16, uint32, uint8 } from '../field-codecs/integer.ts';
import { dnssecAlgorithm } from '../field-codecs/mnemonic-integer.ts';
import { recordTypeNumber } from '../field-codecs/record-type-number.ts';
import { remainingBase64 } from '../field-codecs/remaining-base64.ts';
import { signatureTime } from '../field-codecs/signature-time.ts';
import type { RecordType } from '../record-type.ts';

export const rrsig = {
  number: rrType.RRSIG,
  mnemonic: 'RRSIG',
  reference: 'RFC 4034 section 3',
  help: 'The DNSSEC signature of an RRset.',
  example:
    'A 5 3 86400 20030322173103 20030220173103 2642 example.com. oJB1W6WNGv+ldvQ3WDG0MQkg5IEhjRip8WTrPYGv07h108dUKGMeDPKijVCHX3DDKdfb+v6oB9wfuh3DTJXUAfI/M0zmO/zz8bW0Rznl8O3tGNazPwQKkRN20XPXV6nwwfoXmJQbsLNrLfkGJ5D6fwFm8nN+6pBzeDQfsS3Ap3o=',
  fields: [
    { name: 'type covered', codec: recordTypeNumber },
    { name: 'algorithm', codec: dnssecAlgorithm },
    { name: 'labels', codec: uint8 },
    { name: 'original ttl', codec: uint32 },
    { name: 'expiration', codec: signatureTime },
    { name: 'inception', codec: signatureTime },
    { name: 'key tag', codec: uint16 },
    { name: 'signer', codec: domainName, lowerCased: true },
    { name: 'signature', codec: remainingBase64(1) },
  ],
  serviceOwned: true,
} satisfies RecordType;
