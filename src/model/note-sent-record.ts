import { rrType } from '../dns/codes.ts';
import { DOT_AT_END } from '../dns/name.ts';
import { splitLabels } from '../dns/split-labels.ts';
import type { ImportAdjustments } from './import-adjustments.ts';
import type { RecordInput } from './parse-record.ts';
import { hasPriority, NO_PRIORITY } from './priority.ts';
import { hasCapitals } from './record-name.ts';
import type { SentRecord } from './record.ts';
import { lacksTtl } from './ttl.ts';
import { findDividing } from './txt-data.ts';

type Parsed = Omit<SentRecord, 'id'>;

/** Reports what is stored otherwise than a record of a JSON list says. @param record the same, parsed */
export function noteSentRecord(
  adjustments: ImportAdjustments,
  index: number,
  input: RecordInput,
  record: Parsed,
): void {
  const describe = () => ({ index, record: describeInput(input) });
  if (lacksTtl(input.ttl)) adjustments.add('default_ttl', describe);
  if (lacksPriority(input, record)) adjustments.add('default_priority', describe);
  if (hasCapitals(record.name)) adjustments.add('owner_case', describe);
  if (losesDot(input.name.trim(), record)) adjustments.add('final_dot', describe);
  const dividing = record.type === rrType.TXT ? findDividing(input.data) : undefined;
  if (dividing !== undefined) adjustments.add(dividing, describe);
}

/** Preferences and priorities that were given are cut off the data. */
function lacksPriority({ priority, data }: RecordInput, record: Parsed): boolean {
  const isGiven = priority !== undefined && priority !== null && Number(priority) !== NO_PRIORITY;
  return !isGiven && hasPriority(record.type) && record.data === data.trim();
}

/** True for `www.`, but not for `www.example.com.`, of which the domain is cut off. */
function losesDot(name: string, { owner }: Parsed): boolean {
  return DOT_AT_END.test(name) && splitLabels(name).length - 1 === splitLabels(owner).length && owner !== '';
}

function describeInput({ name, ttl, type, priority, data }: RecordInput): string {
  const words = [name.trim() === '' ? '@' : name, ttl, 'IN', type.toUpperCase(), priority, data];
  return words.filter((word) => word !== undefined && word !== null).join(' ');
}
