/**
 * Escapes shown data for storage: NUL ends text in SQLite's driver, and PostgreSQL rejects it. NUL and the three
 * noncharacters used for escaping become sequences of noncharacters; all other text is unchanged.
 *
 *     NUL ─▶ FFFF FFFE FFFE │ FFFF ─▶ FFFF FFFE 1FFFE │ FFFE ─▶ FFFF 1FFFE FFFE │ 1FFFE ─▶ FFFF 1FFFE 1FFFE
 *
 * U+FFFF occurs only at the beginning of a sequence, so one text is a prefix or substring of another exactly if that is
 * true of their stored forms. Filters therefore search for the stored form of their text.
 */
export function storedText(shown: string): string {
  if (!IS_SPELLED.test(shown)) return shown;
  return shown.replaceAll(SPELLED, (character) => spellings.get(character) ?? character);
}

/** Reverses `storedText`. Noncharacters outside of a sequence are unchanged. */
export function shownText(stored: string): string {
  if (!stored.includes(START)) return stored;
  return stored.replaceAll(SPELLING, (spelling) => characters.get(spelling) ?? spelling);
}

const START = '\uffff';
const spellings: ReadonlyMap<string, string> = new Map([
  ['\0', `${START}\ufffe\ufffe`],
  [START, `${START}\ufffe\u{1fffe}`],
  ['\ufffe', `${START}\u{1fffe}\ufffe`],
  ['\u{1fffe}', `${START}\u{1fffe}\u{1fffe}`],
]);
const characters: ReadonlyMap<string, string> = new Map(
  Array.from(spellings, ([character, spelling]) => [spelling, character]),
);
const SPELLING = /\uffff[\ufffe\u{1fffe}]{2}/gu;
const SPELLED = /[\0\ufffe\uffff\u{1fffe}]/gu;
/** Without the u flag: for one-byte strings, which nearly all are, V8 then only searches for NUL. */
const IS_SPELLED = /[\0\ufffe\uffff]|\ud83f\udffe/;
