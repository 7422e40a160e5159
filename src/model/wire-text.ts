import { malformed, parsed, type Parsed } from '../base/parsed.ts';
import { findRecordType } from '../dns/rdata/record-type-registry.ts';
import { scanToken, type Token } from '../dns/tokens.ts';
import { asciiName, isBeyondAscii } from './idna.ts';
import { quoteText } from './quote-text.ts';
import { splitLabels } from './split-labels.ts';

/**
 * Converts U-labels in record data to A-labels (contract rule 24), in types that contain domain names, and never inside
 * quotes. The wire form is made from the result.
 */
export function wireText(type: number, data: string): Parsed<string> {
  if (!isBeyondAscii(data) || !holdsNames(type)) return parsed(data);
  let text = '';
  let copied = 0;
  for (let scanned = scanToken(data, 0); scanned?.ok === true; scanned = scanToken(data, scanned.value.end)) {
    const token = scanned.value;
    if (!isInternationalName(token)) continue;
    const name = asciiHost(token.text);
    if (name === undefined) {
      return malformed(`Host name ${quoteText(token.text)} is not a valid internationalised name`);
    }
    text += data.slice(copied, token.start) + name;
    copied = token.end;
  }
  return parsed(text + data.slice(copied));
}

function holdsNames(type: number): boolean {
  return findRecordType(type)?.fields.some((field) => codecsWithNames.has(field.codec.kind)) ?? false;
}

const codecsWithNames: ReadonlySet<string> = new Set([
  'domain name',
  'domain names',
  'IPSECKEY gateway',
  'AMT relay',
]);

/** SVCB parameters (`key=value`) are words too, but not names. */
function isInternationalName(token: Token): boolean {
  return token.kind === 'word' && isBeyondAscii(token.text) && !token.text.includes('=');
}

/** Labels with escapes stay as they are; the wire form is made from them. */
function asciiHost(host: string): string | undefined {
  if (!host.includes('\\')) return asciiPart(host);
  const labels = splitLabels(host).map((label) => (isBeyondAscii(label) ? asciiPart(label) : label));
  return labels.includes(undefined) ? undefined : labels.join('.');
}

function asciiPart(part: string): string | undefined {
  const ascii = asciiName(part);
  return ascii !== undefined && HOST_NAME.test(ascii) ? ascii : undefined;
}

const HOST_NAME = /^[a-z0-9._-]+$/;
