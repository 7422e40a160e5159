import { malformed, parsed, type Parsed } from '../base/parsed.ts';
import type { ZoneName } from './domain.ts';
import { refused, success, type Result } from './result.ts';
import { MAX_GRANTS, MAX_NAMED_DOMAINS } from './rights-limits.ts';
import type { DomainRole, MemberRole, Role } from './user.ts';
import { parseZoneName } from './zone-name.ts';

/** A role as clients send it. */
export interface MemberRoleInput {
  readonly role?: Role;
  readonly grants?: readonly DomainRoleInput[] | undefined;
}

export interface DomainRoleInput {
  readonly role: DomainRole['role'];
  readonly domains: readonly string[];
}

/** Either a role in the whole account, or roles in some of its domains, which need not exist. */
export function parseMemberRole({ role, grants }: MemberRoleInput): Result<MemberRole> {
  if ((role === undefined) === (grants === undefined))
    return refused('invalid_request', 'Send either role or grants', 'role');
  if (grants === undefined) return success({ role: role ?? null, grants: null });
  if (grants.length === 0 || grants.length > MAX_GRANTS)
    return refused('invalid_request', `grants must have 1 to ${MAX_GRANTS} entries`, 'grants');
  const domainRoles: DomainRole[] = [];
  for (const [index, grant] of grants.entries()) {
    const domains = parseDomains(grant.domains);
    const member = `grants[${index}].domains`;
    if (!domains.ok) return refused('invalid_request', `${member}: ${domains.problem}`, member);
    domainRoles.push({ role: grant.role, domains: domains.value });
  }
  if (new Set(domainRoles.flatMap(({ domains }) => domains)).size > MAX_NAMED_DOMAINS)
    return refused('invalid_request', `grants must name at most ${MAX_NAMED_DOMAINS} domains`, 'grants');
  return success({ role: null, grants: domainRoles });
}

function parseDomains(texts: readonly string[]): Parsed<readonly ZoneName[]> {
  if (texts.length === 0 || texts.length > MAX_NAMED_DOMAINS)
    return malformed(`there must be 1 to ${MAX_NAMED_DOMAINS} domains`);
  const names = new Set<ZoneName>();
  for (const text of texts) {
    const name = parseZoneName(text, { allowPublicSuffixes: true });
    if (!name.ok) return name;
    names.add(name.value);
  }
  return parsed([...names]);
}
