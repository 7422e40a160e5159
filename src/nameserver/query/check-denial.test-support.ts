/**
 * Checks what the NSEC or NSEC3 records of an answer prove, as a validator does: RFC 4035 section 5.4, RFC 5155 section
 * 8, RFC 6840 section 4. Every question is answered with a problem, or undefined if the records prove what is asked.
 */

import {
  hashOf,
  hasNothingBelow,
  isParentSide,
  mayDeny,
  nsec3Covers,
  nsecCovers,
  readNsec,
  readNsec3,
  type Nsec3Record,
  type NsecRecord,
} from './denial-records.test-support.ts';
import { equalNames, isBelow, showName, type Name, type WireSet } from './signed-message.test-support.ts';

const TYPE_NS = 2;
const TYPE_CNAME = 5;
const TYPE_SOA = 6;
const TYPE_DS = 43;
const TYPE_NSEC = 47;
const TYPE_NSEC3 = 50;

export interface DenialProofs {
  /** The name does not exist, and no wildcard answers for it. */
  noName(name: Name): string | undefined;
  /** The name, or the wildcard that answers for it, has no data of the type. */
  noData(name: Name, type: number): string | undefined;
  /** The name does not exist, nor does any name between it and the encloser, which has so many labels. */
  noCloserName(name: Name, encloserLabels: number): string | undefined;
  /** The delegation has no DS records. */
  noDs(cut: Name): string | undefined;
  /** The records that proved nothing. */
  unused(): readonly string[];
}

/** @param sets the authority section; the signatures have been checked, and no set comes from a wildcard */
export function readDenialProofs(sets: readonly WireSet[], apex: Name): DenialProofs {
  const nsecs = sets.filter(({ type }) => type === TYPE_NSEC).map(readNsec);
  const nsec3s = sets.filter(({ type }) => type === TYPE_NSEC3).map(readNsec3);
  return nsec3s.length > 0 ? new Nsec3Proofs(nsec3s, nsecs, apex) : new NsecProofs(nsecs, apex);
}

class NsecProofs implements DenialProofs {
  private readonly nsecs: readonly NsecRecord[];
  private readonly apex: Name;
  private readonly used = new Set<NsecRecord>();

  constructor(nsecs: readonly NsecRecord[], apex: Name) {
    this.nsecs = nsecs;
    this.apex = apex;
  }

  noName(name: Name): string | undefined {
    const nsec = this.findCover(name);
    if (nsec === undefined) return `no NSEC proves that ${showName(name)} does not exist`;
    const wildcard = ['*', ...this.encloserBy(nsec, name)];
    if (this.findCover(wildcard) === undefined) return `no NSEC denies the wildcard ${showName(wildcard)}`;
    return undefined;
  }

  noData(name: Name, type: number): string | undefined {
    const own = this.findOwner(name);
    if (own !== undefined) return checkTypes(own.types, name, type, this.apex);
    if (this.isEmptyNonTerminal(name)) return undefined;
    const nsec = this.findCover(name);
    if (nsec === undefined) return `no NSEC matches or covers ${showName(name)}`;
    const wildcard = ['*', ...this.encloserBy(nsec, name)];
    const answering = this.findOwner(wildcard);
    if (answering !== undefined) return checkTypes(answering.types, wildcard, type, this.apex);
    if (this.isEmptyNonTerminal(wildcard)) return undefined;
    return `no NSEC of the wildcard ${showName(wildcard)}`;
  }

  noCloserName(name: Name, encloserLabels: number): string | undefined {
    const nextCloser = name.slice(name.length - encloserLabels - 1);
    // An NSEC that covers the name but ends below the next closer name would prove that the latter exists.
    const nsec = this.nsecs.find((found) => nsecCovers(found, name) && mayDeny(found, name));
    if (nsec === undefined) return `no NSEC proves that ${showName(name)} comes from a wildcard`;
    this.used.add(nsec);
    const encloser = this.encloserBy(nsec, name);
    return encloser.length === encloserLabels
      ? undefined
      : `${showName(nextCloser)} is not proven to be missing, the closest encloser is ${showName(encloser)}`;
  }

  noDs(cut: Name): string | undefined {
    const nsec = this.findOwner(cut);
    if (nsec === undefined) return `no NSEC of the delegation ${showName(cut)}`;
    return checkInsecure(nsec.types, cut);
  }

  unused(): readonly string[] {
    return this.nsecs.filter((nsec) => !this.used.has(nsec)).map(({ owner }) => showName(owner));
  }

  private findOwner(name: Name): NsecRecord | undefined {
    return this.use(this.nsecs.find(({ owner }) => equalNames(owner, name)));
  }

  /** The record that proves that a name does not exist, not even as an empty non-terminal. */
  private findCover(name: Name): NsecRecord | undefined {
    return this.use(
      this.nsecs.find((nsec) => nsecCovers(nsec, name) && !isBelow(nsec.next, name) && mayDeny(nsec, name)),
    );
  }

  private isEmptyNonTerminal(name: Name): boolean {
    const nsec = this.nsecs.find(
      (found) => nsecCovers(found, name) && isBelow(found.next, name) && mayDeny(found, name),
    );
    return this.use(nsec) !== undefined;
  }

  /** The closest encloser follows from both ends of the gap: the longest name that is above one of them. */
  private encloserBy({ owner, next }: NsecRecord, name: Name): Name {
    const shared = Math.max(sharedLabels(owner, name), sharedLabels(next, name));
    return name.slice(name.length - shared);
  }

  private use(nsec: NsecRecord | undefined): NsecRecord | undefined {
    if (nsec !== undefined) this.used.add(nsec);
    return nsec;
  }
}

class Nsec3Proofs implements DenialProofs {
  private readonly nsec3s: readonly Nsec3Record[];
  private readonly nsecs: readonly NsecRecord[];
  private readonly apex: Name;
  private readonly used = new Set<Nsec3Record>();

  constructor(nsec3s: readonly Nsec3Record[], nsecs: readonly NsecRecord[], apex: Name) {
    this.nsec3s = nsec3s;
    this.nsecs = nsecs;
    this.apex = apex;
  }

  /** RFC 5155 section 8.4. */
  noName(name: Name): string | undefined {
    const encloser = this.findEncloser(name);
    if (encloser === undefined) return `no NSEC3 proves the closest encloser of ${showName(name)}`;
    const wildcard = ['*', ...encloser];
    if (!this.covers(wildcard)) return `no NSEC3 denies the wildcard ${showName(wildcard)}`;
    return undefined;
  }

  /** RFC 5155 sections 8.5 to 8.7, without opt-out. */
  noData(name: Name, type: number): string | undefined {
    const own = this.findMatch(name);
    if (own !== undefined) return checkTypes(own.types, name, type, this.apex);
    const encloser = this.findEncloser(name);
    if (encloser === undefined) return `no NSEC3 matches ${showName(name)} or proves its closest encloser`;
    const wildcard = ['*', ...encloser];
    const answering = this.findMatch(wildcard);
    if (answering === undefined) return `no NSEC3 of the wildcard ${showName(wildcard)}`;
    return checkTypes(answering.types, wildcard, type, this.apex);
  }

  /** RFC 5155 section 8.8. */
  noCloserName(name: Name, encloserLabels: number): string | undefined {
    const nextCloser = name.slice(name.length - encloserLabels - 1);
    return this.covers(nextCloser)
      ? undefined
      : `no NSEC3 covers the next closer name ${showName(nextCloser)}`;
  }

  /** RFC 5155 section 8.9; opt-out is never used, so that a record matches the delegation. */
  noDs(cut: Name): string | undefined {
    const own = this.findMatch(cut);
    if (own === undefined) return `no NSEC3 of the delegation ${showName(cut)}`;
    return checkInsecure(own.types, cut);
  }

  unused(): readonly string[] {
    const unused = this.nsec3s.filter((nsec3) => !this.used.has(nsec3)).map(({ hash }) => hash);
    return [...unused, ...this.nsecs.map(({ owner }) => `NSEC of ${showName(owner)}`)];
  }

  /** RFC 5155 section 8.3. */
  private findEncloser(name: Name): Name | undefined {
    for (let labels = name.length - 1; labels >= this.apex.length; labels--) {
      const encloser = name.slice(name.length - labels);
      const own = this.findMatch(encloser);
      if (own === undefined) continue;
      const isSound = !hasNothingBelow(own.types) && this.covers(name.slice(name.length - labels - 1));
      return isSound ? encloser : undefined;
    }
    return undefined;
  }

  private findMatch(name: Name): Nsec3Record | undefined {
    const hash = hashOf(name);
    return this.use(this.nsec3s.find((nsec3) => nsec3.hash === hash));
  }

  private covers(name: Name): boolean {
    return this.use(this.nsec3s.find((nsec3) => nsec3Covers(nsec3, name))) !== undefined;
  }

  private use(nsec3: Nsec3Record | undefined): Nsec3Record | undefined {
    if (nsec3 !== undefined) this.used.add(nsec3);
    return nsec3;
  }
}

/** The types of a name deny one of them: neither the type nor an alias is there, and the right side of a cut speaks. */
function checkTypes(types: ReadonlySet<number>, name: Name, type: number, apex: Name): string | undefined {
  const title = `the types of ${showName(name)}`;
  if (types.has(type)) return `${title} have TYPE${type}`;
  if (types.has(TYPE_CNAME)) return `${title} have a CNAME`;
  if (type !== TYPE_DS && isParentSide(types)) return `${title} are those of the parent's side`;
  const isOtherSide = type === TYPE_DS && types.has(TYPE_SOA) && !equalNames(name, apex);
  return isOtherSide ? `${title} are those of the child's side` : undefined;
}

/** RFC 6840 section 4.4. */
function checkInsecure(types: ReadonlySet<number>, cut: Name): string | undefined {
  const isDelegation = types.has(TYPE_NS) && !types.has(TYPE_SOA);
  if (!isDelegation) return `${showName(cut)} is not a delegation according to its types`;
  return types.has(TYPE_DS) ? `${showName(cut)} has DS records according to its types` : undefined;
}

function sharedLabels(a: Name, b: Name): number {
  let shared = 0;
  while (shared < Math.min(a.length, b.length) && a[a.length - 1 - shared] === b[b.length - 1 - shared])
    shared++;
  return shared;
}
