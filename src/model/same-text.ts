import { decodeCharacterStrings } from '../dns/character-strings.ts';
import { rrType } from '../dns/codes.ts';
import type { DomainRecord } from './record.ts';
import { contentKey } from './same-content.ts';

type Content = Pick<DomainRecord, 'type' | 'rdata'>;

/** True for TXT records with the same octets, however they are divided into character-strings. */
export function isSameText(a: Content, b: Content): boolean {
  return a.type === rrType.TXT && textKey(a) === textKey(b);
}

/** A text that is equal for two records exactly if they are TXT with the same octets, or have the same content. */
export function textKey({ type, rdata }: Content): string {
  return contentKey({ type, rdata: type === rrType.TXT ? decodeCharacterStrings(rdata) : rdata });
}
