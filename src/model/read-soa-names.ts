import { domainNameAt, formatDomainName } from '../dns/name.ts';
import { parseHostName } from './host-name.ts';
import { parseMailbox } from './mailbox.ts';

/**
 * Reads MNAME as a host name and RNAME as a mail address (RFC 1035 sections 3.3.13 and 8) from well-formed SOA data. A
 * member is undefined if the name is not a host name or not a mail address.
 */
export function readSoaNames(rdata: Uint8Array): { primary: string | undefined; email: string | undefined } {
  const primary = domainNameAt(rdata, 0);
  const mailbox = primary && domainNameAt(rdata, primary.length);
  const host = primary && parseHostName(formatDomainName(primary));
  const email = mailbox && parseMailbox(mailAddress(formatDomainName(mailbox)));
  return { primary: host?.ok ? host.value : undefined, email: email?.ok ? email.value : undefined };
}

/** The first label becomes the part before the @; its dots are escaped. */
function mailAddress(name: string): string {
  const end = /[^\\](?:\\\\)*\./.exec(name);
  if (end === null) return '';
  const at = end.index + end[0].length;
  return `${name.slice(0, at - 1).replaceAll(/\\(.)/g, '$1')}@${name.slice(at)}`;
}
