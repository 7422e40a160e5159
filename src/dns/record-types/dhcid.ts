import { rrType } from '../codes.ts';
import { remainingBase64 } from '../field-codecs/remaining-base64.ts';
import type { RecordType } from '../record-type.ts';

/** Identifier type (two octets), digest type (one octet) and digest. */
const IDENTIFIER_LEAST_OCTETS = 4;

export const dhcid = {
  number: rrType.DHCID,
  mnemonic: 'DHCID',
  reference: 'RFC 4701 section 3.1',
  help: 'The DHCP client that the name is assigned to.',
  example: 'AAIBY2/AuCccgoJbsaxcQc9TUapptP69lOjxfNuVAA2kjEA=',
  fields: [{ name: 'identifier', codec: remainingBase64(IDENTIFIER_LEAST_OCTETS) }],
} satisfies RecordType;
