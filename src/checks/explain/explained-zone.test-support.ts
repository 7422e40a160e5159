// A test zone as an explanation reads it.
import { typeNumber } from '../../../test/scenarios/wire-names.ts';
import type { TestZone } from '../../../test/comparison/test-zone.ts';
import { rrType } from '../../dns/codes.ts';
import { parseDomainName, type DomainName } from '../../dns/name.ts';
import type { ZoneName } from '../../model/domain.ts';
import { parseRecordName } from '../../model/record-name.ts';
import type { OwnerKey } from '../../model/record.ts';
import type { ExplainedQuestion, ExplainedZone, NamedRecord, NameReader } from './explanation.ts';

/** @returns the zone without nameservers of the service: a test zone has its own */
export function zoneOf({ apex }: TestZone, isSigned = false): ExplainedZone {
  return { name: nameOf(apex), isSigned, nameservers: [] };
}

export interface TestReader extends NameReader {
  /** @param name absolute */
  question(name: string, type: string): ExplainedQuestion;
}

/** The ids of the records are their lines: `www.example. A`. */
export function readerOf(zone: TestZone): TestReader {
  const ownerOf = (name: string): OwnerKey => {
    const parsed = parseRecordName(name, nameOf(zone.apex));
    if (!parsed.ok) throw new Error(parsed.problem);
    return parsed.value.owner;
  };
  const records = new Map<string, NamedRecord[]>();
  for (const { owner, type, data } of zone.records) {
    const number = typeNumber(type);
    if (number === rrType.SOA) continue;
    const key = ownerOf(owner);
    const record = { id: `${owner} ${type}`, type: number, target: targetOf(number, data) };
    records.set(key, [...(records.get(key) ?? []), record]);
  }
  const owners = [...records.keys()];
  return {
    question: (name, type) => ({ owner: ownerOf(name), type: typeNumber(type) }),
    recordsAt: (owner, limit) => Promise.resolve((records.get(owner) ?? []).slice(0, limit)),
    hasNamesBelow: (owner) => Promise.resolve(owners.some((other) => other.endsWith(`.${owner}`))),
  };
}

function nameOf(apex: string): ZoneName {
  return apex.replace(/\.$/, '').toLowerCase() as ZoneName;
}

function targetOf(type: number, data: string): DomainName | undefined {
  if (type !== rrType.CNAME && type !== rrType.DNAME && type !== rrType.NS) return undefined;
  const parsed = parseDomainName(data);
  return parsed.ok ? parsed.value : undefined;
}
