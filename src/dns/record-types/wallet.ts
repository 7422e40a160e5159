import { rrType } from '../codes.ts';
import { characterStrings } from '../field-codecs/character-string.ts';
import type { RecordType } from '../record-type.ts';

export const wallet = {
  number: rrType.WALLET,
  mnemonic: 'WALLET',
  reference: 'IANA registration of type 262',
  help: 'The address of a cryptocurrency wallet: the currency, then the wallet address.',
  example: '"BTC" "bc1qexampleaddress"',
  fields: [{ name: 'text', codec: characterStrings }],
} satisfies RecordType;
