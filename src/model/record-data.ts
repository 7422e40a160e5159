import { encodeCharacterStrings } from '../dns/character-strings.ts';
import { rrType } from '../dns/codes.ts';
import { dataToAscii } from '../dns/rdata/data-to-ascii.ts';
import { formatRdata, parseRdata } from '../dns/rdata/rdata.ts';
import { formatRecordType } from '../dns/rdata/record-type-registry.ts';
import { asciiName } from './idna.ts';
import { hasPriority, NO_PRIORITY, splitPriority } from './priority.ts';
import { quoteText } from './quote-text.ts';
import type { SentRecord } from './record.ts';
import type { RecordRules } from './record-rules.ts';
import { refused, success, type Result } from './result.ts';
import { findHalfCharacter, findUnstorableCharacter } from './storable-text.ts';
import { parseTxtData } from './txt-data.ts';

/**
 * Record data as it is shown, and its wire form (contract rules 23 to 25). Data that was shown, parsed again with its
 * priority, gives the same data, and the same wire form unless it is marked `asShown`.
 */
export type RecordData = Pick<SentRecord, 'data' | 'priority' | 'rdata' | 'asShown'>;

/** 65,535 octets, each written as `\DDD`: no valid data is longer. */
const MAX_DATA_CHARACTERS = 4 * 65_535;

/**
 * Only a list of address prefixes (APL, RFC 3123 section 4) may be empty.
 *
 * @param priority from `parsePriority`
 */
export function parseRecordData(
  type: number,
  text: string,
  priority: number,
  rules: Pick<RecordRules, 'txtLimitBytes'>,
): Result<RecordData> {
  const data = text.trim();
  if (data === '' && type !== rrType.APL) return wrongData('Record data is empty');
  if (data.length > MAX_DATA_CHARACTERS) {
    return wrongData(`Record data has ${data.length} characters, more than ${MAX_DATA_CHARACTERS}`);
  }
  if (type === rrType.TXT) return parseTxt(data, priority, rules.txtLimitBytes);
  const unstorable = findUnstorableCharacter(data);
  if (unstorable !== undefined) return wrongData(`Record data ${unstorable}`);
  if (hasPriority(type)) return parsePrioritized(type, data, priority);
  const rdata = parseWire(type, data);
  return rdata.ok ? success({ data, priority, rdata: rdata.value }) : rdata;
}

function parseTxt(text: string, priority: number, limitBytes: number): Result<RecordData> {
  const half = findHalfCharacter(text);
  if (half !== undefined) return wrongData(`Record data ${half}`);
  const txt = parseTxtData(text, limitBytes);
  if (!txt.ok) return wrongData(txt.problem);
  const { data, content, asShown } = txt.value;
  return success({ data, priority, rdata: encodeCharacterStrings(content), asShown });
}

/** The priority of MX and SRV data is the one given, else the one in front of the data, else 0. */
function parsePrioritized(type: number, text: string, given: number): Result<RecordData> {
  const spelled = spellGenericData(type, text);
  if (!spelled.ok) return spelled;
  const { carried, rest } = splitPriority(type, spelled.value);
  if (carried !== NO_PRIORITY && given !== NO_PRIORITY && carried !== given) {
    return wrongData(
      `Record data ${quoteText(spelled.value)} begins with another priority than the ${given} given as priority`,
    );
  }
  const priority = Math.max(given, carried, 0);
  const rdata = parseWire(type, `${priority} ${rest}`);
  return rdata.ok ? success({ data: rest, priority, rdata: rdata.value }) : rdata;
}

/** True for `\# length hex` (RFC 3597 section 5); `\#` alone may be a name. */
export function isGenericData(data: string): boolean {
  return /^\\#\s/.test(data);
}

/** Converts generic data (`\# 20 000A…`), which hides the priority in its octets, to ordinary data. */
function spellGenericData(type: number, data: string): Result<string> {
  if (!isGenericData(data)) return success(data);
  const rdata = parseWire(type, data);
  return rdata.ok ? success(formatRdata(type, rdata.value)) : rdata;
}

function parseWire(type: number, data: string): Result<Uint8Array> {
  const text = dataToAscii(type, data, asciiName);
  if (!text.ok) return wrongData(text.problem);
  const rdata = parseRdata(type, text.value);
  return rdata.ok
    ? success(rdata.value)
    : wrongData(`${formatRecordType(type)} data is malformed: ${rdata.problem}`);
}

function wrongData(problem: string): Result<never> {
  return refused('invalid_request', problem, 'data');
}
