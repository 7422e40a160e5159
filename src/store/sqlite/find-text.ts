import type { SqliteDatabase } from './sqlite-driver.ts';

/**
 * SQLite's `instr` compares the whole text at every place: 10 ms for 8,000 characters in 60,000, as long as both repeat the
 * same character. It is used for the first characters of the text only.
 */
const FIRST_CHARACTERS = 16;

/** Returns an SQL condition: the column contains the text of the placeholder. Its cost does not grow with that text. */
export function containsText(column: string, mark: string): string {
  return `(instr(${column}, substr(${mark}, 1, ${FIRST_CHARACTERS})) > 0
    AND (length(${mark}) <= ${FIRST_CHARACTERS} OR find_text(${column}, ${mark})))`;
}

/** Defines the SQL function that `containsText` uses. */
export function defineFindText(database: SqliteDatabase): void {
  let current = { text: '', borders: findBorders('') };
  database.function('find_text', { deterministic: true }, (within, text) => {
    if (text !== current.text) current = { text: String(text), borders: findBorders(String(text)) };
    return includes(String(within), current.text, current.borders) ? 1 : 0;
  });
}

/** Knuth, Morris and Pratt: linear in the length of `within` for every text. */
function includes(within: string, text: string, borders: Int32Array): boolean {
  let matched = 0;
  for (let at = 0; at < within.length && matched < text.length; at++) {
    const code = within.charCodeAt(at);
    while (matched > 0 && text.charCodeAt(matched) !== code) matched = borders[matched - 1];
    if (text.charCodeAt(matched) === code) matched++;
  }
  return matched === text.length;
}

/** Returns, for each prefix of the text, the length of the longest shorter prefix that also ends it. */
function findBorders(text: string): Int32Array {
  const borders = new Int32Array(text.length);
  let border = 0;
  for (let at = 1; at < text.length; at++) {
    while (border > 0 && text.charCodeAt(border) !== text.charCodeAt(at)) border = borders[border - 1];
    if (text.charCodeAt(border) === text.charCodeAt(at)) border++;
    borders[at] = border;
  }
  return borders;
}
