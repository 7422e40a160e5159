import { malformed, parsed, type Parsed } from '../base/parsed.ts';
import { parseDomainName } from '../dns/name.ts';
import { asciiName, isBeyondAscii } from './idna.ts';
import { quoteText } from './quote-text.ts';

/** A host name as customers write it → lower-case A-labels without trailing dot, as shown and stored. */
export function parseHostName(text: string): Parsed<string> {
  const given = text.trim();
  if (given.length > LONGEST_TEXT_CHARACTERS) return malformed('Host name is longer than 255 octets');
  const ascii = isBeyondAscii(given) ? asciiName(given) : given.toLowerCase();
  const name = ascii?.replace(/\.$/, '');
  if (name === undefined || !LABELS.test(name)) return malformed(`${quoteText(given)} is not a host name`);
  const wire = parseDomainName(name);
  return wire.ok ? parsed(name) : malformed(`${quoteText(given)} is not a host name: ${wire.problem}`);
}

/** Four times the longest name: no name needs more, and IDNA work on a customer's text stays bounded. */
const LONGEST_TEXT_CHARACTERS = 1020;

const LABELS = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/;
