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
import { memberResult, refuseAll, refused, success, type Result } from './result.ts';
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
): Result<Omit<SentRecord, 'id'>> {
  const type = parseWritableType(input.type);
  const name = memberResult('name', parseRecordName(input.name, zone));
  const ttl = memberResult('ttl', parseTtl(input.ttl, rules));
  const priority = type.ok ? memberResult('priority', parsePriority(type.value, input.priority)) : type;
  const given = priority.ok ? priority.value : NO_PRIORITY;
  const data = type.ok ? parseRecordData(type.value, input.data, given, rules) : type;
  if (!(type.ok && name.ok && ttl.ok && priority.ok && data.ok)) {
    return refuseAll([type, name, ttl, priority, data]);
  }
  const { owner, name: shown } = name.value;
  return success({
    owner,
    name: shown,
    type: type.value,
    ttl: ttl.value,
    ...data.value,
  });
}

function parseWritableType(text: string): Result<number> {
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
  return success(type);
}

function wrongType(problem: string): Result<never> {
  return refused('invalid_request', problem, 'type');
}
