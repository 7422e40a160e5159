import { crc32 } from '../base/crc32.ts';

/**
 * Eight characters that tell a list from all others, for its cursors: what it lists, of which domain (null: not of one),
 * and what narrows it, in a fixed order. Guards against mistakes, and is nothing that one could not forge: a cursor
 * names a place in a list that the caller may read anyhow.
 */
export function listMark(
  member: string,
  domain: string | null,
  narrowing: readonly (string | undefined)[],
): string {
  const text = JSON.stringify([member, domain, ...narrowing]);
  return crc32(new TextEncoder().encode(text)).toString(16).padStart(LIST_MARK_CHARACTERS, '0');
}

/** 32 bits in hexadecimal. */
export const LIST_MARK_CHARACTERS = 8;
