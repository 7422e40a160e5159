/** Characters of a client's text that a message repeats: two quotations and the text around them stay under 300. */
const QUOTED_CHARACTERS = 60;

/** The limit for text in which a character may take four octets, so that the error body stays under 512 octets. */
const QUOTED_CHARACTERS_BEYOND_ASCII = 30;

const PRINTABLE_ASCII = /^[ -~]*$/;

/** Quotes a client's text for a message: shortened with `…`, on one line, control characters escaped. */
export function quoteText(text: string): string {
  const limit = PRINTABLE_ASCII.test(text) ? QUOTED_CHARACTERS : QUOTED_CHARACTERS_BEYOND_ASCII;
  return JSON.stringify(text.length > limit ? `${text.slice(0, limit)}…` : text);
}
