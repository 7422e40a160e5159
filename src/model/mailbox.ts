import { malformed, parsed, type Parsed } from '../base/parsed.ts';
import { MAX_LABEL_OCTETS, MAX_NAME_OCTETS, parseDomainName, type DomainName } from '../dns/name.ts';
import { parseHostName } from './host-name.ts';
import { quoteText } from './quote-text.ts';

/**
 * Parses a mail address and converts its domain to A-labels. The address must fit into a domain name, since that is how
 * an SOA record holds it.
 */
export function parseMailbox(text: string): Parsed<string> {
  const given = text.trim();
  const at = given.lastIndexOf('@');
  const local = given.slice(0, Math.max(at, 0));
  if (!LOCAL_PART.test(local)) return malformed(`${quoteText(given)} is not a mail address`);
  const host = parseHostName(given.slice(at + 1));
  if (!host.ok) return malformed(`${quoteText(given)} is not a mail address`);
  if (local.length > MAX_LABEL_OCTETS) {
    return malformed(`The part before the @ has ${local.length} characters, more than ${MAX_LABEL_OCTETS}`);
  }
  const email = `${local}@${host.value}`;
  return mailboxName(email) === undefined
    ? malformed(
        `${quoteText(given)} is too long for the SOA record's mailbox name of ${MAX_NAME_OCTETS} octets`,
      )
    : parsed(email);
}

/**
 * Converts a mail address to a domain name (RFC 1035 section 8). The part before the @ becomes one label, including its
 * dots. Returns undefined if the address does not fit into a name.
 */
export function mailboxName(email: string): DomainName | undefined {
  const at = email.lastIndexOf('@');
  const label = email.slice(0, at).replaceAll(/[^\w-]/g, (character) => `\\${character}`);
  const name = parseDomainName(`${label}.${email.slice(at + 1)}`);
  return name.ok ? name.value : undefined;
}

/** A dot-string of RFC 5321 section 4.1.2; quoted strings are refused. */
const LOCAL_PART = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;
