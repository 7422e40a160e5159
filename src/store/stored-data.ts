/**
 * Shown data → text that both engines keep: NUL ends text in SQLite's driver, and PostgreSQL refuses it. Three
 * noncharacters spell it, and themselves; all else is itself.
 *
 *     NUL ─▶ FFFF FFFE FFFE │ FFFF ─▶ FFFF FFFE 1FFFE │ FFFE ─▶ FFFF 1FFFE FFFE │ 1FFFE ─▶ FFFF 1FFFE 1FFFE
 *
 * U+FFFF stands where a spelling begins and nowhere else: a text begins with another, or holds it, just where their
 * stored forms do. So filters look for the stored form of what they are given.
 */
export function storedText(shown: string): string {
  if (!IS_SPELLED.test(shown)) return shown;
  return shown.replaceAll(SPELLED, (character) => spellings.get(character) ?? character);
}

/** The reverse. A noncharacter that is no part of a spelling is itself. */
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
/** In UTF-16 units: for text of one octet a character, as nearly all is, the engine looks for NUL alone. */
const IS_SPELLED = /[\0\ufffe\uffff]|\ud83f\udffe/;
