import { BIND_SIGNING_TYPE, rrType } from '../../dns/codes.ts';
import type { RecordJson } from '../../contract/response-shapes.ts';
import {
  compareDomainNames,
  formatDomainName,
  isSubdomain,
  lowerDomainName,
  parseDomainName,
  type DomainName,
} from '../../dns/name.ts';
import { parseRecordType } from '../../dns/rdata/record-type-registry.ts';
import { randomLabel } from '../../dns-client/ask-rrset.ts';
import { knownNames, typesToAsk } from '../names/known-names.ts';
import { parseOwner, toAscii } from '../names/zone-names.ts';

/** A name and the types that both sides are asked for. */
export interface NameQuestion {
  readonly name: DomainName;
  /** At least one. */
  readonly types: readonly number[];
}

/** An existing name and a type at it. */
export interface KnownRecord {
  readonly owner: DomainName;
  readonly type: number;
  /** The host that an NS record names, if it is in the zone. */
  readonly host?: DomainName | undefined;
}

/** Owners and types of the service's records; records with invalid names are omitted. */
export function recordsOfService(zone: DomainName, records: readonly RecordJson[]): readonly KnownRecord[] {
  return records.flatMap(({ name, type, data }) => {
    const owner = parseOwner(name, zone);
    const number = parseRecordType(type);
    if (!owner.ok || number === undefined) return [];
    return [
      { owner: owner.value, type: number, host: number === rrType.NS ? hostIn(zone, data) : undefined },
    ];
  });
}

/** @param data absolute, with or without trailing dot */
function hostIn(zone: DomainName, data: string): DomainName | undefined {
  const host = parseDomainName(toAscii(data));
  return host.ok && isSubdomain(host.value, zone) ? host.value : undefined;
}

/**
 * The names to compare, in canonical order: those of the records, names that zones usually have, names from a file,
 * and a random name beside each wildcard and at the apex. Each name is asked for its known types and the usual ones; a
 * delegation also for its DS records, and its nameservers in the zone for their addresses, which are its glue.
 */
export function questionsFor(
  zone: DomainName,
  records: readonly KnownRecord[],
  moreNames: readonly string[],
): readonly NameQuestion[] {
  const questions = new QuestionList(zone);
  for (const { owner, type, host } of records) {
    if (isServiceOwned(type)) continue;
    const isDelegation = type === rrType.NS && owner.length !== zone.length;
    questions.add(owner, isDelegation ? [type, rrType.DS] : [type]);
    if (isDelegation && host !== undefined) questions.add(host, [rrType.A, rrType.AAAA]);
    const wildcardParent = parentOfWildcard(owner);
    if (wildcardParent !== undefined) questions.addRandom(wildcardParent, type);
  }
  questions.addRandom(zone, rrType.A);
  for (const text of [...knownNames, ...moreNames]) {
    const owner = parseOwner(text, zone);
    if (owner.ok) questions.add(owner.value, []);
  }
  return questions.list();
}

class QuestionList {
  private readonly zone: DomainName;
  private readonly byName = new Map<string, { name: DomainName; types: Set<number> }>();
  private readonly random = new Map<string, DomainName>();

  constructor(zone: DomainName) {
    this.zone = zone;
  }

  add(name: DomainName, types: readonly number[]): void {
    const lower = lowerDomainName(name);
    const key = formatDomainName(lower);
    const question = this.byName.get(key) ?? {
      name: lower,
      types: new Set(typesToAsk(this.relative(lower))),
    };
    for (const type of types) question.types.add(type);
    this.byName.set(key, question);
  }

  /** Adds one random name per parent, for all types. */
  addRandom(parent: DomainName, type: number): void {
    const key = formatDomainName(lowerDomainName(parent));
    const name = this.random.get(key) ?? below(parent);
    if (name === undefined) return;
    this.random.set(key, name);
    this.add(name, [type]);
  }

  list(): readonly NameQuestion[] {
    return [...this.byName.values()]
      .map(({ name, types }) => ({ name, types: [...types] }))
      .sort((a, b) => compareDomainNames(a.name, b.name));
  }

  private relative(name: DomainName): string {
    return name.length === this.zone.length ? '@' : formatDomainName(name);
  }
}

/** Created by each side for itself; these records always differ, on whichever side they are. */
function isServiceOwned(type: number): boolean {
  return signedTypes.has(type) || type === rrType.SOA;
}

const signedTypes: ReadonlySet<number> = new Set([
  rrType.RRSIG,
  rrType.NSEC,
  rrType.NSEC3,
  rrType.NSEC3PARAM,
  rrType.DNSKEY,
  // These concern the old signer's keys or zone as a whole. The last is BIND's note of its own signing.
  rrType.CDS,
  rrType.CDNSKEY,
  rrType.ZONEMD,
  BIND_SIGNING_TYPE,
]);

/** Returns `a.example` for `*.a.example`. */
function parentOfWildcard(name: DomainName): DomainName | undefined {
  const isWildcard = name[0] === 1 && name[1] === 0x2a;
  return isWildcard ? (name.subarray(2) as DomainName) : undefined;
}

function below(parent: DomainName): DomainName | undefined {
  const name = parseOwner(randomLabel(), parent);
  return name.ok ? name.value : undefined;
}
