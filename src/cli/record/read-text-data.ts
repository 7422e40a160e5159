/**
 * Reads TXT data as web interfaces show it, which is not presentation format: bare text, or one or more quoted
 * pieces. A backslash is literal, except in `\"` inside quotes (contract rule 25).
 */
export function readTextData(data: string): string {
  const text = data.trim();
  if (text.length < 2 || !text.startsWith('"') || !text.endsWith('"')) return text;
  return text
    .slice(1, -1)
    .split(/(?<!\\)"\s*"/)
    .join('')
    .replaceAll('\\"', '"');
}
