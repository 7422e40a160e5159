import { malformed, parsed, type Parsed } from '../base/parsed.ts';
import { MAX_NAME_OCTETS, parseDomainName } from '../dns/name.ts';
import { isBeyondAscii } from '../dns/name-to-ascii.ts';
import { asciiName, MAX_NAME_TEXT_CHARACTERS } from './idna.ts';
import { quoteText } from './quote-text.ts';

/** Parses a host name into lower-case A-labels without a trailing dot, the form that is stored and shown. */
export function parseHostName(text: string): Parsed<string> {
  const given = text.trim();
  if (given.length > MAX_NAME_TEXT_CHARACTERS)
    return malformed(`Host name is longer than ${MAX_NAME_OCTETS} octets`);
  const ascii = isBeyondAscii(given) ? asciiName(given) : given.toLowerCase();
  const name = ascii?.replace(/\.$/, '');
  if (name === undefined || !LABELS.test(name)) return malformed(`${quoteText(given)} is not a host name`);
  const wire = parseDomainName(name);
  return wire.ok ? parsed(name) : malformed(`${quoteText(given)} is not a host name: ${wire.problem}`);
}

const LABELS = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/;
