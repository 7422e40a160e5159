// List cursors, opaque to clients: base64url of a direction, the mark of the list, and the key of the last row of the page.
// A cursor names a row, not a position, so pages stay stable while rows are added and removed, whatever `per_page` is.
import { malformed, parsed, type Parsed } from '../base/parsed.ts';
import { LIST_MARK_CHARACTERS } from './list-mark.ts';

/**
 * The sort key of a list: `id` of a record, account or key, `name` of a domain, `place` (domain name and record id),
 * `number`, or `numbers` (two of them).
 */
export type ListKey = 'id' | 'name' | 'place' | 'number' | 'numbers';

export interface Cursor {
  readonly direction: 'after' | 'before';
  /** The row with this key is excluded. Null: the page starts at the beginning of the list, or backwards at its end. */
  readonly key: string | null;
}

/** The longest name has 253 characters. With an id of 36, a space, the mark of 8 and the direction, base64 makes it 399. */
const MAX_CURSOR_CHARACTERS = 400;

const keyForms: Record<ListKey, RegExp> = {
  id: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/,
  name: /^[a-z0-9_.-]{1,253}$/,
  place: /^[a-z0-9_.-]{1,253} [0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/,
  number: /^[0-9]{1,15}$/,
  numbers: /^[0-9]{1,15}\.[0-9]{1,15}$/,
};

/**
 * @param mark `listMark` of the list
 * @param key undefined if the page has no rows
 */
export function formatCursor(direction: Cursor['direction'], mark: string, key: string | undefined): string {
  return toBase64Url((direction === 'after' ? '>' : '<') + mark + (key ?? ''));
}

/** Also refuses cursors of other lists. */
export function parseCursor(text: string, mark: string, listKey: ListKey): Parsed<Cursor> {
  const plain = text.length <= MAX_CURSOR_CHARACTERS ? fromBase64Url(text) : undefined;
  const direction = plain?.startsWith('>') ? 'after' : plain?.startsWith('<') ? 'before' : undefined;
  if (plain === undefined || direction === undefined || !plain.startsWith(mark, 1)) return badCursor;
  const key = plain.slice(1 + LIST_MARK_CHARACTERS);
  if (key === '') return parsed({ direction, key: null });
  return keyForms[listKey].test(key) ? parsed({ direction, key }) : badCursor;
}

const badCursor = malformed('cursor must come from meta.links of the same list with the same filter');

function toBase64Url(ascii: string): string {
  return btoa(ascii).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** Accepts only the canonical spelling, as `toBase64Url` returns it. */
function fromBase64Url(text: string): string | undefined {
  if (!/^[A-Za-z0-9_-]+$/.test(text) || text.length % 4 === 1) return undefined;
  const plain = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return toBase64Url(plain) === text ? plain : undefined;
}
