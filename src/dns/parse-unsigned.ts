/**
 * Parses a plain decimal number (leading zeros allowed, no sign) up to `max`, which is at most 2^32-1; otherwise
 * returns undefined.
 */
export function parseUnsigned(text: string, max: number): number | undefined {
  if (text === '' || text.length > 10) return undefined;
  let value = 0;
  for (let at = 0; at < text.length; at++) {
    const digit = text.charCodeAt(at) - 0x30;
    if (digit < 0 || digit > 9) return undefined;
    value = value * 10 + digit;
  }
  return value <= max ? value : undefined;
}
