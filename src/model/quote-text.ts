/** How much of a customer's text a sentence repeats: two quotations and the words around them stay under 300 characters. */
const QUOTED_CHARACTERS = 60;

/** The same where a character takes up to four octets, so that the error body stays under 512. */
const QUOTED_CHARACTERS_BEYOND_ASCII = 30;

const PRINTABLE_ASCII = /^[ -~]*$/;

/** A customer's text for a sentence: in quotes, cut with `…`, control characters escaped so that it stays one line. */
export function quoteText(text: string): string {
  const limit = PRINTABLE_ASCII.test(text) ? QUOTED_CHARACTERS : QUOTED_CHARACTERS_BEYOND_ASCII;
  return JSON.stringify(text.length > limit ? `${text.slice(0, limit)}…` : text);
}
