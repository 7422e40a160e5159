import { malformed, parsed, type Parsed } from '../base/parsed.ts';
import { parseRecordType } from '../dns/type-mnemonic.ts';
import type { ZoneName } from './domain.ts';
import { parseNamePattern, type NamePattern } from './name-pattern.ts';
import { isOfDomains, isPermission, isRecordPermission, permissions, type Permission } from './permission.ts';
import { MAX_GRANT_NAMES, MAX_GRANT_TYPES, MAX_GRANTS, MAX_NAMED_DOMAINS } from './rights-limits.ts';
import { quoteText } from './quote-text.ts';
import { refused, refuseAll, success, type Refused, type Result } from './result.ts';
import type { Grant, Rights } from './rights.ts';
import { parseZoneName } from './zone-name.ts';

/** A grant as clients send it; absent lists limit nothing. */
export interface GrantInput {
  readonly may: readonly string[];
  readonly domains?: readonly string[];
  readonly names?: readonly string[];
  readonly types?: readonly string[];
}

/** Parses the rights of a key; a refusal names the member at fault, such as `rights[0].names`. */
export function parseRights(inputs: readonly GrantInput[]): Result<Rights> {
  if (inputs.length === 0 || inputs.length > MAX_GRANTS) {
    return refused('invalid_request', `rights must have 1 to ${MAX_GRANTS} entries`, 'rights');
  }
  const grants = inputs.map((input, index) => parseGrant(input, `rights[${index}]`));
  const refusals = grants.filter((grant) => !grant.ok);
  if (refusals.length > 0) return refuseAll(refusals);
  const rights = grants.flatMap((grant) => (grant.ok ? [grant.value] : []));
  if (new Set(rights.flatMap(({ domains }) => domains ?? [])).size > MAX_NAMED_DOMAINS) {
    return refused('invalid_request', `rights must name at most ${MAX_NAMED_DOMAINS} domains`, 'rights');
  }
  return success(rights);
}

function parseGrant(input: GrantInput, member: string): Result<Grant> {
  const may = parseMay(input.may, `${member}.may`);
  const domains = parseLimit<ZoneName>(
    input.domains,
    `${member}.domains`,
    MAX_NAMED_DOMAINS,
    parseGrantDomain,
  );
  const names = parseLimit<NamePattern>(input.names, `${member}.names`, MAX_GRANT_NAMES, parseNamePattern);
  const types = parseLimit<number>(input.types, `${member}.types`, MAX_GRANT_TYPES, parseType);
  if (!may.ok || !domains.ok || !names.ok || !types.ok) return refuseAll([may, domains, names, types]);
  const grant = { may: may.value, domains: domains.value, names: names.value, types: types.value };
  return findIdleLimit(grant, member) ?? success(grant);
}

function parseMay(texts: readonly string[], member: string): Result<readonly Permission[]> {
  if (texts.length === 0) return refused('invalid_request', `${member} must name a permission`, member);
  const may = new Set<Permission>();
  for (const text of texts) {
    if (isPermission(text)) may.add(text);
    else {
      const known = permissions.join(', ');
      return refused(
        'invalid_request',
        `Permission ${quoteText(text)} is unknown; there are ${known}`,
        member,
      );
    }
  }
  return success(permissions.filter((permission) => may.has(permission)));
}

function parseLimit<T>(
  texts: readonly string[] | undefined,
  member: string,
  limit: number,
  parse: (text: string) => Parsed<T>,
): Result<readonly T[] | null> {
  if (texts === undefined) return success(null);
  if (texts.length === 0 || texts.length > limit) {
    return refused('invalid_request', `${member} must have 1 to ${limit} entries`, member);
  }
  const values: T[] = [];
  for (const text of texts) {
    const item = parse(text);
    if (!item.ok) return refused('invalid_request', item.problem, member);
    values.push(item.value);
  }
  return success(values);
}

/** The domain need not exist, and an operator may allow public suffixes. */
function parseGrantDomain(text: string): Parsed<ZoneName> {
  return parseZoneName(text, { allowPublicSuffixes: true });
}

function parseType(text: string): Parsed<number> {
  const value = parseRecordType(text);
  return value === undefined ? malformed(`Record type ${quoteText(text)} is unknown`) : parsed(value);
}

/** A limit that does not apply to a permission beside it would look as if it did. */
function findIdleLimit({ may, domains, names, types }: Grant, member: string): Refused | undefined {
  if (names !== null || types !== null) {
    const beyond = may.find((permission) => !isRecordPermission(permission) && permission !== 'domains:read');
    if (beyond !== undefined) return refuseLimit(names === null ? 'types' : 'names', beyond, member);
  }
  const beyond = domains === null ? undefined : may.find((permission) => !isOfDomains(permission));
  return beyond === undefined ? undefined : refuseLimit('domains', beyond, member);
}

function refuseLimit(limit: 'domains' | 'names' | 'types', permission: Permission, member: string): Refused {
  const sentence = `${limit} cannot limit ${permission}: put that permission into an entry of its own`;
  return refused('invalid_request', sentence, `${member}.${limit}`);
}
