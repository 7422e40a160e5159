/** Ends a sentence of the service, which comes without its full stop. */
export function asSentence(words: string): string {
  return /[.!?]$/.test(words) ? words : `${words}.`;
}
