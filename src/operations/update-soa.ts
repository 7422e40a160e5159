// Sets the SOA fields that are the owner's: primary nameserver and mailbox (contract rule 31).
import { parseDomainName } from '../dns/name.ts';
import type { Caller } from '../model/account.ts';
import type { Domain } from '../model/domain.ts';
import { refused, type Outcome } from '../model/refusal.ts';
import { findWriteRefusal } from './authorise.ts';
import { authorOf, type OperationContext } from './operation-context.ts';
import { findPathDomain, parsePathDomain } from './path-domain.ts';

export interface SoaPatch {
  readonly nsprimary?: string;
  readonly email?: string;
}

/** Absent and empty fields stay as they are; without any there is nothing to write. */
export async function updateSoa(
  context: OperationContext,
  caller: Caller,
  domain: string,
  patch: SoaPatch,
): Promise<Outcome<Domain>> {
  const refusal = findWriteRefusal(caller);
  if (refusal !== undefined) return refusal;
  const soaPrimary = patch.nsprimary?.trim().replace(/\.$/, '') ?? '';
  const soaEmail = patch.email?.trim() ?? '';
  if (soaPrimary !== '' && !isHostName(soaPrimary)) return badPrimary;
  if (soaEmail !== '' && !isMailbox(soaEmail)) return badEmail;
  if (soaPrimary === '' && soaEmail === '') return findPathDomain(context, caller, domain);
  const name = parsePathDomain(domain);
  if (!name.ok) return name;
  return context.store.write({
    kind: 'updateDomain',
    author: authorOf(context, caller),
    name: name.value,
    ...(soaPrimary === '' ? {} : { soaPrimary }),
    ...(soaEmail === '' ? {} : { soaEmail }),
  });
}

const badPrimary = refused(
  'invalid_request',
  'nsprimary must be a host name such as ns1.example.net',
  'nsprimary',
);

const badEmail = refused(
  'invalid_request',
  'email must be a mail address whose part before the @ has at most 63 characters',
  'email',
);

function isHostName(text: string): boolean {
  return /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/i.test(text) && parseDomainName(text).ok;
}

/** The part before the @ becomes one label of the SOA's RNAME (RFC 1035 section 8). */
function isMailbox(text: string): boolean {
  const [local = '', host = '', ...more] = text.split('@');
  if (more.length > 0 || !/^[\x21-\x7e]{1,63}$/.test(local) || !isHostName(host)) return false;
  return parseDomainName(`${'x'.repeat(local.length)}.${host}`).ok;
}
