import { crc32 } from '../base/crc32.ts';

/**
 * Returns eight characters that identify a list in its cursors: a hash of what it lists, its domain (null if it is not of
 * one domain) and its filter values in a fixed order. Only guards against mistakes: it can be forged, but a cursor only
 * names a place in a list that the caller may read anyway.
 */
export function listMark(
  member: string,
  domain: string | null,
  filter: readonly (string | undefined)[],
): string {
  const text = JSON.stringify([member, domain, ...filter]);
  return crc32(new TextEncoder().encode(text)).toString(16).padStart(LIST_MARK_CHARACTERS, '0');
}

/** 32 bits in hexadecimal. */
export const LIST_MARK_CHARACTERS = 8;
