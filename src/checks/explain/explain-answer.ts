/**
 * Explains what the nameserver answers to a question, from the records of the names that the answer depends on:
 *
 *     name ─▶ `findName` ─▶ step ─▶ the answer
 *       ▲                    └─ CNAME or DNAME: its target is the next name
 *       └────────────────────┘
 *
 * It says the same as `nameserver/query` by other means; a test compares both. It asks nobody and writes no sentences, which
 * are those of `describe-steps.ts`.
 */
import { rcode, rrType } from '../../dns/codes.ts';
import { isSubdomain, lowerDomainName, MAX_NAME_OCTETS, type DomainName } from '../../dns/name.ts';
import { APEX, ownerDomainName, parseRecordName } from '../../model/record-name.ts';
import type { OwnerKey } from '../../model/record.ts';
import * as describe from './describe-steps.ts';
import type {
  ExplainedQuestion,
  ExplainedStep,
  ExplainedZone,
  Explanation,
  NamedRecord,
  NameReader,
  PredictedSet,
} from './explanation.ts';
import { findName, type FoundName } from './find-name.ts';
import { limitNames, TooMuchToRead, type LimitedNames } from './limited-names.ts';
import { showName } from '../../dns/show-name.ts';

/** As many as the nameserver follows (`alias-trail.ts`). */
export const MAX_ALIASES_FOLLOWED = 16;

export async function explainAnswer(
  zone: ExplainedZone,
  question: ExplainedQuestion,
  reader: NameReader,
): Promise<Explanation> {
  const walk = new Walk(zone, question.type, limitNames(reader));
  try {
    return await walk.explain(question.owner);
  } catch (error) {
    if (!(error instanceof TooMuchToRead)) throw error;
    return walk.end(null, describe.tooMuchToRead(showName(ownerDomainName(question.owner, zone.name))));
  }
}

/** The way of one question. */
class Walk {
  private readonly zone: ExplainedZone;
  private readonly apex: DomainName;
  private readonly type: number;
  private readonly reader: LimitedNames;
  private readonly steps: ExplainedStep[] = [];
  private readonly answer: PredictedSet[] = [];
  private readonly passed = new Set<OwnerKey>();

  constructor(zone: ExplainedZone, type: number, reader: LimitedNames) {
    this.zone = zone;
    this.apex = ownerDomainName(APEX, zone.name);
    this.type = type;
    this.reader = reader;
  }

  async explain(asked: OwnerKey): Promise<Explanation> {
    let owner = asked;
    for (;;) {
      this.passed.add(owner);
      const next = await this.explainName(owner);
      if (typeof next !== 'string') return next;
      if (this.passed.has(next)) return this.end(rcode.NOERROR, describe.aliasLoop(this.shown(next)));
      if (this.passed.size > MAX_ALIASES_FOLLOWED)
        return this.end(rcode.NOERROR, describe.aliasChainLong(this.shown(next), MAX_ALIASES_FOLLOWED));
      owner = next;
    }
  }

  /** @param code null: it cannot be predicted */
  end(code: number | null, ...last: readonly ExplainedStep[]): Explanation {
    const { steps, answer, zone } = this;
    steps.push(...last, describe.signing(zone));
    return { steps, prediction: code === null ? null : { rcode: code, answer } };
  }

  /** Returns the name that an alias leads to, or the end. */
  private async explainName(owner: OwnerKey): Promise<Explanation | OwnerKey> {
    const found = await findName({ owner, type: this.type }, this.reader);
    const name = this.shown(owner);
    if (this.zone.isSigned !== false && madeBySigning.has(this.type) && found.kind !== 'delegation')
      return this.end(null, describe.madeBySigning(name, this.type));
    switch (found.kind) {
      case 'delegation':
        return this.refer(owner, found);
      case 'dname':
        return this.followDname(owner, found);
      case 'name':
        return this.explainRecords(owner, found.records);
      case 'wildcard':
        this.steps.push(describe.wildcard(name, this.shown(found.encloser), found.records));
        return this.explainRecords(owner, found.records);
      case 'empty':
        return this.end(rcode.NOERROR, describe.emptyNonTerminal(name));
      case 'none':
        return this.end(rcode.NXDOMAIN, describe.noSuchName(name, this.shown(found.encloser)));
      case 'unknown':
        return this.end(null, describe.namesBelowUnknown(name));
    }
  }

  private explainRecords(owner: OwnerKey, records: readonly NamedRecord[]): Explanation | OwnerKey {
    const { type } = this;
    const name = this.shown(owner);
    const set = records.filter((record) => record.type === type);
    if (set.length > 0) {
      this.add(owner, type);
      return this.end(rcode.NOERROR, describe.exactMatch(name, set));
    }
    const isMade = type === rrType.SOA || (type === rrType.NS && this.zone.nameservers.length > 0);
    if (owner === APEX && isMade) {
      this.add(owner, type);
      return this.end(rcode.NOERROR, describe.madeByService(name, type, this.zone));
    }
    const cname = records.find((record) => record.type === rrType.CNAME);
    if (cname?.target === undefined) return this.end(rcode.NOERROR, describe.noSuchType(name, type, records));
    this.add(owner, rrType.CNAME);
    this.steps.push(describe.cname(name, showName(cname.target), cname));
    return this.followTo(cname.target);
  }

  private followDname(
    owner: OwnerKey,
    { cut, records }: Extract<FoundName, { kind: 'delegation' | 'dname' }>,
  ): Explanation | OwnerKey | Promise<Explanation | OwnerKey> {
    const dname = records.find(({ type }) => type === rrType.DNAME);
    const [name, above] = [ownerDomainName(owner, this.zone.name), ownerDomainName(cut, this.zone.name)];
    const end = dname?.target ?? above;
    this.add(cut, rrType.DNAME);
    const prefix = name.subarray(0, name.length - above.length);
    this.steps.push(describe.dname(showName(name), showName(above), showName(end), records));
    if (prefix.length + end.length > MAX_NAME_OCTETS)
      return this.end(rcode.YXDOMAIN, describe.nameTooLong(showName(name)));
    this.add(owner, rrType.CNAME);
    return this.withOccluded(owner, showName(above), () => {
      if (this.type === rrType.CNAME) return this.end(rcode.NOERROR);
      // It would apply again and again (RFC 6672 section 2.2); resolvers follow each step.
      if (isSubdomain(end, above)) return this.end(rcode.NOERROR, describe.aliasLoop(showName(above)));
      return this.followTo(Uint8Array.of(...prefix, ...end) as DomainName);
    });
  }

  private followTo(target: DomainName): Explanation | OwnerKey {
    const inside = isSubdomain(target, this.apex)
      ? parseRecordName(`${showName(lowerDomainName(target))}.`, this.zone.name)
      : undefined;
    if (inside?.ok === true) return inside.value.owner;
    return this.end(rcode.NOERROR, describe.leavesDomain(showName(target), this.zone.name));
  }

  private async refer(
    owner: OwnerKey,
    { cut, records }: Extract<FoundName, { kind: 'delegation' | 'dname' }>,
  ): Promise<Explanation> {
    const shownCut = this.shown(cut);
    this.steps.push(describe.delegation(this.shown(owner), shownCut, records));
    const glue: NamedRecord[] = [];
    for (const { target } of records.filter(({ type }) => type === rrType.NS)) {
      const host = target && parseRecordName(`${showName(target)}.`, this.zone.name);
      if (host?.ok !== true || !isSubdomain(target as DomainName, this.apex)) continue;
      glue.push(...(await this.reader.recordsAt(host.value.owner)).filter(isAddress));
    }
    if (glue.length > 0) this.steps.push(describe.glue(shownCut, glue));
    if (owner !== cut) return this.withOccluded(owner, shownCut, () => this.end(rcode.NOERROR));
    const hidden = records.filter(({ type }) => type !== rrType.NS && type !== rrType.DS);
    if (hidden.length > 0) this.steps.push(describe.occluded(shownCut, shownCut, hidden));
    return this.end(rcode.NOERROR);
  }

  /** Names the records of a name that nobody sees, because it is below a delegation or DNAME. */
  private async withOccluded<T>(owner: OwnerKey, cut: string, then: () => T): Promise<T> {
    const hidden = await this.reader.recordsAt(owner);
    if (hidden.length > 0) this.steps.push(describe.occluded(this.shown(owner), cut, hidden));
    return then();
  }

  /** A set is in an answer once: a DNAME can lead to the question for itself. */
  private add(owner: OwnerKey, type: number): void {
    const name = this.shown(owner);
    if (!this.answer.some((set) => set.name === name && set.type === type)) this.answer.push({ name, type });
  }

  private shown(owner: OwnerKey): string {
    return showName(ownerDomainName(owner, this.zone.name));
  }
}

function isAddress({ type }: NamedRecord): boolean {
  return type === rrType.A || type === rrType.AAAA;
}

/** Types whose records signing makes; only signatures and chains, which nobody keeps as records, say where they are. */
const madeBySigning: ReadonlySet<number> = new Set([
  rrType.DNSKEY,
  rrType.CDS,
  rrType.CDNSKEY,
  rrType.RRSIG,
  rrType.NSEC,
  rrType.NSEC3,
  rrType.NSEC3PARAM,
]);
