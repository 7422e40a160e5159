/** Lists are typed with spaces, commas or lines between. */
export function splitWords(text: string): string[] {
  return text.split(/[\s,;]+/).filter((word) => word !== '');
}
