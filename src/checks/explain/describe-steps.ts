/** The steps of an explanation, in words. */
import { rrType } from '../../dns/codes.ts';
import { formatRecordType } from '../../dns/rdata/record-type-registry.ts';
import type { ExplainedStep, ExplainedStepCode, ExplainedZone, NamedRecord } from './explanation.ts';
import { showName } from '../../dns/show-name.ts';

function step(
  code: ExplainedStepCode,
  name: string,
  message: string,
  records: readonly NamedRecord[] = [],
): ExplainedStep {
  return { code, name, message, records: records.map(({ id }) => id) };
}

export function withheld(domain: string, reasons: readonly string[]): ExplainedStep {
  const message = `No nameserver here answers for ${domain}, because it is withheld: ${reasons.join(' and ')}`;
  return step('withheld', domain, message);
}

export function withheldThen(domain: string): ExplainedStep {
  return step('withheld', domain, `No nameserver here answered for ${domain}, because it was withheld`);
}

export function otherDomainNow(name: string, other: string): ExplainedStep {
  const message = `${name} is answered from ${other} today, which is a domain of its own here: it is not known whether it was one then`;
  return step('other_domain', other, message);
}

export function otherDomain(name: string, other: string): ExplainedStep {
  const message = `${name} is answered from ${other}, which is a domain of its own here: ask for the explanation there`;
  return step('other_domain', other, message);
}

export function exactMatch(name: string, set: readonly NamedRecord[]): ExplainedStep {
  return step('exact_match', name, `${name} is answered with ${countOf(set)}`, set);
}

export function madeByService(name: string, type: number, { nameservers }: ExplainedZone): ExplainedStep {
  if (type === rrType.SOA)
    return step('made_by_service', name, `The service makes the SOA record of ${name}`);
  const message = `${name} has no NS records of its own, so the nameservers of the service are answered: ${nameservers.join(', ')}`;
  return step('made_by_service', name, message);
}

export function madeBySigning(name: string, type: number): ExplainedStep {
  const message = `Signing makes the ${formatRecordType(type)} records; the domain has none of its own at ${name}`;
  return step('made_by_signing', name, message);
}

export function wildcard(name: string, encloser: string, records: readonly NamedRecord[]): ExplainedStep {
  const message = `No name ${name} exists, and the closest name above it that exists is ${encloser}: *.${encloser} answers in its place`;
  return step('wildcard', `*.${encloser}`, message, records);
}

export function cname(name: string, target: string, record: NamedRecord): ExplainedStep {
  return step('cname', name, `${name} is an alias of ${target}: the answer goes on there`, [record]);
}

export function dname(
  name: string,
  above: string,
  target: string,
  records: readonly NamedRecord[],
): ExplainedStep {
  const message = `All names below ${above} are moved to below ${target}: ${name} is answered with a CNAME record made from the DNAME record`;
  const made = records.filter(({ type }) => type === rrType.DNAME);
  return step('dname', above, message, made);
}

export function leavesDomain(target: string, domain: string): ExplainedStep {
  return step('leaves_domain', target, `${target} is not in ${domain}: the resolver goes on elsewhere`);
}

export function aliasLoop(name: string): ExplainedStep {
  return step('alias_loop', name, `The aliases lead back to ${name}: resolvers give up`);
}

export function aliasChainLong(name: string, limit: number): ExplainedStep {
  const message = `The nameserver follows ${limit} aliases: the resolver has to ask for ${name} itself`;
  return step('alias_chain_long', name, message);
}

export function nameTooLong(name: string): ExplainedStep {
  const message = `The name that the DNAME record makes of ${name} would be longer than 255 octets (YXDOMAIN)`;
  return step('name_too_long', name, message);
}

export function delegation(name: string, cut: string, records: readonly NamedRecord[]): ExplainedStep {
  const servers = records.filter(({ type }) => type === rrType.NS);
  const ds = records.filter(({ type }) => type === rrType.DS);
  const hosts = servers.flatMap(({ target }) => (target === undefined ? [] : [showName(target)]));
  const where = name === cut ? `${cut} is delegated` : `${name} is below ${cut}, which is delegated`;
  const secure = ds.length > 0 ? `signed, with ${countOf(ds)}` : 'insecure, because it has no DS record';
  const message = `${where} to ${hosts.join(', ')}: the answer is a referral to them. The delegation is ${secure}`;
  return step('delegation', cut, message, [...servers, ...ds]);
}

export function glue(cut: string, records: readonly NamedRecord[]): ExplainedStep {
  const message = `The referral has the addresses of nameservers of ${cut} that are in this domain`;
  return step('glue', cut, message, records);
}

export function occluded(name: string, cut: string, records: readonly NamedRecord[]): ExplainedStep {
  const [place, they] = [
    name === cut ? 'at a delegation' : `below ${cut}, which is delegated or moved`,
    records.length === 1 ? 'it is' : 'they are',
  ];
  const message = `${name} has ${countOf(records)} ${place}: ${they} never answered, but for addresses in referrals`;
  return step('occluded', name, message, records);
}

export function emptyNonTerminal(name: string): ExplainedStep {
  const message = `${name} has no records, but there are names below it, so it exists: the answer is empty`;
  return step('empty_non_terminal', name, message);
}

export function noSuchName(name: string, encloser: string): ExplainedStep {
  const message = `No name ${name} exists. The closest name above it that exists is ${encloser}, and there is no wildcard *.${encloser}`;
  return step('no_such_name', name, message);
}

export function noSuchType(name: string, type: number, records: readonly NamedRecord[]): ExplainedStep {
  const types = [...new Set(records.map((record) => formatRecordType(record.type)))].sort();
  const others = types.length === 0 ? 'no records' : `${types.join(', ')} records only`;
  return step(
    'no_such_type',
    name,
    `${name} has no ${formatRecordType(type)} records: it has ${others}`,
    records,
  );
}

export function namesBelowUnknown(name: string): ExplainedStep {
  const message = `${name} has no records. It is not known whether there are names below it or below the names above it`;
  return step('not_known', name, message);
}

export function tooMuchToRead(name: string): ExplainedStep {
  return step(
    'not_known',
    name,
    'The answer depends on more names or records than are read for an explanation',
  );
}

export function tooMuchSince(name: string): ExplainedStep {
  return step('not_known', name, `More has changed in ${name} since then than is read for an explanation`);
}

export function signing({ name, isSigned }: ExplainedZone): ExplainedStep {
  if (isSigned === null) return step('not_known', name, `It is not known whether ${name} was signed`);
  return isSigned
    ? step('signed', name, `${name} is signed: validating resolvers can verify what it answers`)
    : step('unsigned', name, `${name} is not signed`);
}

/** `2 A records`, `1 A record and 2 TXT records`. */
function countOf(records: readonly NamedRecord[]): string {
  const counts = new Map<number, number>();
  for (const { type } of records) counts.set(type, (counts.get(type) ?? 0) + 1);
  const parts = [...counts].map(
    ([type, count]) => `${count} ${formatRecordType(type)} ${count === 1 ? 'record' : 'records'}`,
  );
  const last = parts.at(-1) ?? 'no records';
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(', ')} and ${last}`;
}
