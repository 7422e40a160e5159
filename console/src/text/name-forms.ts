// Names with letters beyond ASCII, both ways. The browser converts U-labels to A-labels by the rules of UTS #46, as the service does;
// for the way back there is only this decoder (RFC 3492).

const BASE = 36;
const MIN_THRESHOLD = 1;
const MAX_THRESHOLD = 26;
const SKEW = 38;
const DAMP = 700;
const INITIAL_BIAS = 72;
const INITIAL_CODE = 128;

/** Converts U-labels to A-labels, in lower case; undefined if the browser takes the text for no host name. */
export function toAscii(name: string): string | undefined {
  if (/^[\x00-\x7f]*$/.test(name)) return name.toLowerCase();
  // Underscores and stars are no part of host names, but of names in DNS.
  const labels = name.split(/[.\u3002\uff0e\uff61]/).map((label) => {
    if (/^[\x00-\x7f]*$/.test(label)) return label.toLowerCase();
    const url = `http://${label}.example`;
    const host = /[/\\?#@:%\s]/.test(label) || !URL.canParse(url) ? '' : new URL(url).hostname;
    return host.endsWith('.example') ? host.slice(0, -'.example'.length) : undefined;
  });
  return labels.includes(undefined) ? undefined : labels.join('.');
}

/** Converts A-labels to U-labels; labels that would not survive the way back stay as they are. */
export function toUnicode(name: string): string {
  if (!/(?:^|\.)xn--/i.test(name)) return name;
  return name
    .split('.')
    .map((label) => {
      if (!/^xn--/i.test(label)) return label;
      const unicode = decodePunycode(label.slice('xn--'.length).toLowerCase());
      return unicode !== undefined && toAscii(unicode) === label.toLowerCase() ? unicode : label;
    })
    .join('.');
}

function decodePunycode(input: string): string | undefined {
  const delimiter = input.lastIndexOf('-');
  const output = Array.from(input.slice(0, Math.max(delimiter, 0)), (character) => character.charCodeAt(0));
  let code = INITIAL_CODE;
  let bias = INITIAL_BIAS;
  let index = 0;
  for (let at = delimiter > 0 ? delimiter + 1 : 0; at < input.length;) {
    const before = index;
    let weight = 1;
    for (let step = BASE; ; step += BASE) {
      const digit = digitOf(input.charCodeAt(at++));
      if (digit === undefined) return undefined;
      index += digit * weight;
      const threshold = Math.min(Math.max(step - bias, MIN_THRESHOLD), MAX_THRESHOLD);
      if (digit < threshold) break;
      weight *= BASE - threshold;
      if (index > Number.MAX_SAFE_INTEGER / BASE) return undefined;
    }
    const length = output.length + 1;
    bias = adapt(index - before, length, before === 0);
    code += Math.floor(index / length);
    index %= length;
    if (code > 0x10ffff) return undefined;
    output.splice(index++, 0, code);
  }
  return String.fromCodePoint(...output);
}

function digitOf(character: number): number | undefined {
  if (character >= 0x61 && character <= 0x7a) return character - 0x61;
  if (character >= 0x30 && character <= 0x39) return character - 0x30 + MAX_THRESHOLD;
  return undefined;
}

function adapt(delta: number, length: number, isFirst: boolean): number {
  let left = isFirst ? Math.floor(delta / DAMP) : Math.floor(delta / 2);
  left += Math.floor(left / length);
  let bias = 0;
  for (; left > ((BASE - MIN_THRESHOLD) * MAX_THRESHOLD) / 2; bias += BASE)
    left = Math.floor(left / (BASE - MIN_THRESHOLD));
  return bias + Math.floor((BASE * left) / (left + SKEW));
}
