import { decodeCharacterStrings } from '../dns/character-strings.ts';
import type { DomainRecord } from '../model/record.ts';

/** A TXT record with its content. */
export interface Text {
  readonly record: DomainRecord;
  /** Each octet as one character: policies are ASCII. */
  readonly content: string;
}

export function readText({ rdata }: DomainRecord): string {
  return latin1.decode(decodeCharacterStrings(rdata));
}

const latin1 = new TextDecoder('latin1');
