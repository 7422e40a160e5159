import {
  formatRecordType,
  findRecordType,
  isDataType,
  parseRecordType,
} from '../dns/rdata/record-type-registry.ts';
import type { ZoneName } from './domain.ts';
import { NO_PRIORITY, parsePriority } from './priority.ts';
import { quoteText } from './quote-text.ts';
import { parseRecordData } from './record-data.ts';
import { parseRecordName } from './record-name.ts';
import type { RecordRules } from './record-rules.ts';
import type { SentRecord } from './record.ts';
import { accepted, acceptedMember, refuseAll, refused, type Accepted } from './refusal.ts';
import { parseTtl } from './ttl.ts';

/**
 * A record as a request spells it → a record as a command brings it (contract rules 20 to 25). What depends on other records
 * (doubles, CNAME beside other data) is `decide`'s.
 */
export interface RecordInput {
  readonly type: string;
  readonly name: string;
  readonly data: string;
  readonly ttl?: number | string | null | undefined;
  readonly priority?: number | string | null | undefined;
}

/** Refusals are all `invalid_request` and name the member at fault; what is wrong with other members stands beside. */
export function parseRecord(
  input: RecordInput,
  zone: ZoneName,
  rules: RecordRules,
): Accepted<Omit<SentRecord, 'id'>> {
  const type = parseWritableType(input.type);
  const name = acceptedMember('name', parseRecordName(input.name, zone));
  const ttl = acceptedMember('ttl', parseTtl(input.ttl, rules));
  const priority = type.ok ? acceptedMember('priority', parsePriority(type.value, input.priority)) : type;
  const given = priority.ok ? priority.value : NO_PRIORITY;
  const data = type.ok ? parseRecordData(type.value, input.data, given, rules) : type;
  if (!(type.ok && name.ok && ttl.ok && priority.ok && data.ok)) {
    return refuseAll([type, name, ttl, priority, data]);
  }
  const { owner, name: shown } = name.value;
  return accepted({
    owner,
    name: shown,
    type: type.value,
    ttl: ttl.value,
    ...data.value,
  });
}

function parseWritableType(text: string): Accepted<number> {
  const type = parseRecordType(text);
  if (type === undefined) {
    return wrongType(
      `Record type ${quoteText(text)} is unknown: write a mnemonic such as A, or TYPE and a number such as TYPE65280`,
    );
  }
  const mnemonic = formatRecordType(type);
  if (!isDataType(type))
    return wrongType(`Record type ${mnemonic} is for questions, and no record can have it`);
  if (findRecordType(type)?.serviceOwned === true) {
    return wrongType(`Records of type ${mnemonic} are made by the service itself`);
  }
  return accepted(type);
}

function wrongType(problem: string): Accepted<never> {
  return refused('invalid_request', problem, 'type');
}
