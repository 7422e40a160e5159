/**
 * Returns the same text in memory of its own. A part of a longer text, such as a name in the path of a request, keeps all of
 * that in memory for as long as it is kept itself.
 *
 * @param text whole characters; halves of surrogate pairs are replaced
 */
export function copyText(text: string): string {
  return Buffer.from(text).toString();
}
