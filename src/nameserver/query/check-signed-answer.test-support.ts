/**
 * Checks a whole answer of a signed zone as a validator does: every record set is signed unless it must not be, each
 * step from the question to the result is proven, and nothing else is in the answer.
 */

import { readDenialProofs, type DenialProofs } from './check-denial.test-support.ts';
import {
  checkSignatures,
  isExpanded,
  isFromWildcard,
  type TrustedZone,
} from './check-signature.test-support.ts';
import {
  equalNames,
  isBelow,
  isBelowOrEqual,
  labelsOf,
  readSignedMessage,
  showName,
  type Name,
  type SignedMessage,
  type WireSet,
} from './signed-message.test-support.ts';

const NOERROR = 0;
const NXDOMAIN = 3;
const YXDOMAIN = 6;
const TYPE_NS = 2;
const TYPE_CNAME = 5;
const TYPE_SOA = 6;
const TYPE_DNAME = 39;
const TYPE_DS = 43;
const TYPE_RRSIG = 46;
const TYPE_NSEC = 47;
const TYPE_NSEC3 = 50;
const TYPE_ANY = 255;
const MAX_NAME_OCTETS = 255;

export interface CheckedZone extends TrustedZone {
  /** Names at or below these are not in the zone's authority: their addresses are glue. */
  readonly cuts: readonly Name[];
}

/** @returns the problems of the answer; undefined if there is none */
export function checkSignedAnswer(octets: Buffer, zone: CheckedZone): string | undefined {
  return checkSignedMessage(readSignedMessage(octets), zone);
}

/** `checkSignedAnswer()` of an answer that was read already. */
export function checkSignedMessage(message: SignedMessage, zone: CheckedZone): string | undefined {
  const check = new AnswerCheck(message, zone);
  const problems = [...message.problems, ...check.run()];
  return problems.length === 0 ? undefined : problems.join('\n');
}

class AnswerCheck {
  private readonly message: SignedMessage;
  private readonly zone: CheckedZone;
  private readonly problems: string[] = [];
  private readonly proofs: DenialProofs;
  /** Sets of the answer section that lead from the question to the result. */
  private readonly used = new Set<WireSet>();
  /** Ancestors of the names of CNAMEs that are made from a DNAME. */
  private readonly synthesized = new Set<WireSet>();

  constructor(message: SignedMessage, zone: CheckedZone) {
    this.message = message;
    this.zone = zone;
    const own = message.authority.sets.filter((set) => !isExpanded(set));
    this.proofs = readDenialProofs(own, zone.apex);
  }

  run(): string[] {
    const { message } = this;
    this.checkRepetitions();
    if (message.isTruncated) this.checkSets();
    else {
      this.walk();
      this.checkSets();
      this.checkSurplus();
    }
    return this.problems;
  }

  /** Follows the aliases from the question to the result, and checks that each step and the result are proven. */
  private walk(): void {
    const { message, zone } = this;
    const { type } = message;
    const passed: Name[] = [];
    for (let { name } = message; ;) {
      if (!isBelowOrEqual(name, zone.apex)) return this.requireRcode(NOERROR);
      if (passed.some((other) => equalNames(other, name))) return this.requireRcode(NOERROR);
      passed.push(name);
      if (this.hasData(name, type)) return this.requireRcode(NOERROR);
      const target = this.followAlias(name);
      if (target === undefined) return this.checkEnd(name, type);
      if (wireLength(target) > MAX_NAME_OCTETS) return this.requireRcode(YXDOMAIN);
      // Queries that match the alias itself are not restarted (RFC 1034 section 3.6.2).
      if (type === TYPE_CNAME || type === TYPE_ANY) return this.requireRcode(NOERROR);
      // A DNAME that leads below its own owner would apply again and again.
      const dname = this.findDname(name);
      if (dname !== undefined && isBelowOrEqual(labelsOf(dname.rdatas[0]), dname.owner))
        return this.requireRcode(NOERROR);
      name = target;
    }
  }

  private hasData(name: Name, type: number): boolean {
    const { answer } = this.message;
    if (type === TYPE_RRSIG) return this.hasSignatures(name);
    const found = answer.sets.filter(
      (set) => equalNames(set.owner, name) && (set.type === type || type === TYPE_ANY),
    );
    const own = found.filter((set) => !(set.type === TYPE_CNAME && this.findDname(name) !== undefined));
    for (const set of own) this.useSet(set, name);
    return own.length > 0;
  }

  private hasSignatures(name: Name): boolean {
    const found = this.message.answer.loose.filter(({ owner }) => equalNames(owner, name));
    if (found.some(isFromWildcard))
      this.problem(this.proofs.noCloserName(name, Math.min(...found.map(({ labels }) => labels))));
    return found.length > 0;
  }

  private followAlias(name: Name): Name | undefined {
    const dname = this.findDname(name);
    const cname = this.message.answer.sets.find(
      (set) => set.type === TYPE_CNAME && equalNames(set.owner, name),
    );
    if (dname !== undefined) return this.followDname(name, dname, cname);
    if (cname === undefined) return undefined;
    this.useSet(cname, name);
    return labelsOf(cname.rdatas[0]);
  }

  private findDname(name: Name): WireSet | undefined {
    return this.message.answer.sets.find((set) => set.type === TYPE_DNAME && isBelow(name, set.owner));
  }

  private followDname(name: Name, dname: WireSet, cname: WireSet | undefined): Name {
    this.used.add(dname);
    const target = [...name.slice(0, name.length - dname.owner.length), ...labelsOf(dname.rdatas[0])];
    const isTooLong = wireLength(target) > MAX_NAME_OCTETS;
    if (isTooLong) this.require(cname === undefined, 'a CNAME to a name that is too long');
    else if (cname === undefined) this.require(false, `no CNAME for the DNAME at ${showName(name)}`);
    else {
      this.used.add(cname);
      this.synthesized.add(cname);
      this.require(equalNames(labelsOf(cname.rdatas[0]), target), 'the CNAME does not follow from the DNAME');
      this.require(cname.ttl === dname.ttl, 'the CNAME has another TTL than the DNAME');
      this.require(cname.signatures.length === 0, 'a CNAME made from a DNAME is signed');
    }
    return target;
  }

  private useSet(set: WireSet, name: Name): void {
    this.used.add(set);
    if (!isExpanded(set)) return;
    const labels = Math.min(...set.signatures.map((signature) => signature.labels));
    this.problem(this.proofs.noCloserName(name, labels));
  }

  /** The answer section ends without data of the type asked for. */
  private checkEnd(name: Name, type: number): void {
    const { rcode, authority } = this.message;
    const referral = authority.sets.find(
      (set) => set.type === TYPE_NS && !equalNames(set.owner, this.zone.apex),
    );
    if (referral !== undefined) return this.checkReferral(referral, name, type);
    if (this.isCutShort(name)) return;
    const soa = authority.sets.find((set) => set.type === TYPE_SOA);
    this.require(soa !== undefined, 'no SOA record in a negative answer');
    if (rcode === NXDOMAIN) this.problem(this.proofs.noName(name));
    else {
      this.requireRcode(NOERROR);
      this.problem(this.proofs.noData(name, type));
    }
  }

  /** A chain of many aliases ends without a result; a client asks for its last name. */
  private isCutShort(name: Name): boolean {
    return this.used.size >= 16 && !equalNames(name, this.message.name) && this.proofs.unused().length === 0;
  }

  private checkReferral(referral: WireSet, name: Name, type: number): void {
    const { message } = this;
    const cut = referral.owner;
    this.requireRcode(NOERROR);
    this.require(
      type === TYPE_DS ? isBelow(name, cut) : isBelowOrEqual(name, cut),
      'a referral to another name',
    );
    this.require(referral.signatures.length === 0, 'the NS records of a delegation are signed');
    this.require(!message.isAuthoritative || this.used.size > 0, 'a referral with authority');
    const ds = message.authority.sets.find((set) => set.type === TYPE_DS);
    if (ds === undefined) this.problem(this.proofs.noDs(cut));
    else this.require(equalNames(ds.owner, cut), 'DS records of another delegation');
  }

  /** Every set has good signatures, except what the zone has no authority over and what is made from a DNAME. */
  private checkSets(): void {
    const { answer, authority, additional } = this.message;
    for (const set of [...answer.sets, ...authority.sets, ...additional.sets]) {
      if (this.synthesized.has(set) || this.isUnsignedByRight(set)) continue;
      this.problems.push(...checkSignatures(set, this.zone));
    }
  }

  private isUnsignedByRight(set: WireSet): boolean {
    const isAuthoritative = [TYPE_DS, TYPE_NSEC, TYPE_NSEC3].includes(set.type);
    if (isAuthoritative) return false;
    if (this.message.isTruncated && set.type === TYPE_CNAME && set.signatures.length === 0)
      return this.findDname(set.owner) !== undefined;
    const isCut = this.zone.cuts.some((cut) => isBelowOrEqual(set.owner, cut));
    if (isCut) this.require(set.signatures.length === 0, `${showName(set.owner)}: glue is signed`);
    return isCut;
  }

  private checkRepetitions(): void {
    const { answer, authority, additional } = this.message;
    const sets = [...answer.sets, ...authority.sets, ...additional.sets];
    const titles = sets.map(({ owner, type }) => `${showName(owner)} TYPE${type}`);
    const repeated = titles.filter((title, i) => titles.indexOf(title) !== i);
    for (const title of new Set(repeated)) this.problems.push(`${title} is in the answer twice`);
    const loose = [...authority.loose, ...additional.loose];
    this.require(loose.length === 0, 'a signature without its set');
    this.require(
      answer.loose.length === 0 || this.message.type === TYPE_RRSIG,
      'a signature without its set',
    );
  }

  private checkSurplus(): void {
    const { answer, authority } = this.message;
    for (const set of answer.sets.filter((other) => !this.used.has(other)))
      this.problems.push(`${showName(set.owner)} TYPE${set.type} answers nothing`);
    for (const proof of this.proofs.unused()) this.problems.push(`${proof} proves nothing`);
    const known = [TYPE_NS, TYPE_SOA, TYPE_DS, TYPE_NSEC, TYPE_NSEC3];
    for (const set of authority.sets.filter(({ type }) => !known.includes(type)))
      this.problems.push(`TYPE${set.type} does not belong into the authority section`);
  }

  private requireRcode(rcode: number): void {
    this.require(this.message.rcode === rcode, `the response code is ${this.message.rcode}, not ${rcode}`);
  }

  private require(condition: boolean, problem: string): void {
    if (!condition) this.problems.push(problem);
  }

  private problem(problem: string | undefined): void {
    if (problem !== undefined) this.problems.push(problem);
  }
}

function wireLength(name: Name): number {
  return name.reduce((length, label) => length + label.length + 1, 1);
}
