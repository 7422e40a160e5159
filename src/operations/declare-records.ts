// A whole zone that is sent, as a master file or as a list of records: read in steps, since a hundred thousand records
// are a second's work, and others wait for this thread.
import { assert } from '../base/assert.ts';
import { parsed } from '../base/parsed.ts';
import { runInSteps, visitInSteps } from '../base/steps.ts';
import { rrType } from '../dns/codes.ts';
import { parseDomainName } from '../dns/name.ts';
import { linesOf, readZoneFile, type ZoneFileProblem } from '../dns/zone-file/read-zone-file.ts';
import { checkZone } from '../checks/check-zone.ts';
import type { ZoneWarning } from '../model/zone-warning.ts';
import type { Domain, ZoneName } from '../model/domain.ts';
import { ZoneImport, type ImportedRecord, type SetAside } from '../model/import-zone.ts';
import { parseRecord, type RecordInput } from '../model/parse-record.ts';
import type { RecordsChanged } from '../model/record-changes.ts';
import { APEX } from '../model/record-name.ts';
import type { DomainRecord } from '../model/record.ts';
import { MAX_PROBLEMS, done, refused, type Outcome, type Problem } from '../model/refusal.ts';
import { problemsOf, refuseProblems, type PartProblem } from '../model/refuse-problems.ts';
import { soaOf, type SoaFields } from '../model/soa.ts';
import { parseZoneName } from '../model/zone-name.ts';
import { nameserverRecords } from './create-domain.ts';
import { commitWrite } from './commit-write.ts';
import type { OperationContext } from './operation-context.ts';
import { findPathDomain } from './path-domain.ts';
import { readZone } from './read-zone.ts';
import { termsOf, type Requester } from './requester.ts';
import { findWarnings, foreseeWarnings } from './zone-warnings.ts';
import { MAX_DECLARED_RECORDS } from '../model/write-limits.ts';

/** Records as they were sent, each checked for its shape as it is taken: of too many none is. */
export interface SentRecords {
  readonly count: number;
  readonly records: Iterable<Outcome<RecordInput>>;
}

export interface DeclaredZone {
  /** `replace`: the domain holds nothing else afterwards, but for its own NS records. */
  readonly mode: 'replace' | 'merge';
  /** A master file's text, or records. */
  readonly content: string | SentRecords;
  /** A domain that is not there is created in the same step. */
  readonly isCreating?: boolean;
}

export interface Declared {
  readonly changed: RecordsChanged;
  readonly setAside: readonly SetAside[];
  /** Of the whole domain as it is then. */
  readonly warnings: readonly ZoneWarning[];
}

/** Safe to repeat: what is so already stays. All problems are told at once. */
export async function declareRecords(
  context: OperationContext,
  caller: Requester,
  domainText: string,
  { mode, content, isCreating = false }: DeclaredZone,
): Promise<Outcome<Declared>> {
  // Before the reading, which may take a while.
  const found = await findTarget(context, caller, domainText, isCreating);
  if (!found.ok) return found;
  const { name: domain, domain: standing, nameservers } = found.value;
  const read = await (typeof content === 'string'
    ? readMasterFile(context, domain, content)
    : readRecordList(context, domain, content));
  if (!read.ok) return read;
  const { records, setAside, places } = read.value;
  const soa = newSoaFields(context, standing ?? unwritten(domain), read.value.soa);
  if (records.length > MAX_DECLARED_RECORDS) return refuseTooMany(records.length);
  const terms = termsOf(context, caller);
  const kept = await findKept(context, found.value, mode);
  const command = { kind: 'declareRecords', ...terms, domain, records, mode, soa, nameservers } as const;
  const writing = commitWrite(context, command);
  const checking = kept === null ? null : checkMeanwhile(domain, [...kept, ...records]);
  const outcome = await writing;
  if (!outcome.ok)
    return { ok: false, refusal: { ...outcome.refusal, ...atPlaces(outcome.refusal, places) } };
  const { difference } = outcome;
  const isAllNew = outcome.value.created.length === records.length;
  const warnings =
    difference !== undefined
      ? await foreseeWarnings(context, caller.accountId, domain, difference, nameservers)
      : isAllNew && checking !== null
        ? await checking
        : await findWarnings(context, caller.accountId, domain);
  return { ...outcome, value: { changed: outcome.value, setAside, warnings } };
}

interface Target {
  readonly name: ZoneName;
  /** Null: it is to be created. */
  readonly domain: Domain | null;
  /** To create it with, where that is asked for. */
  readonly nameservers: readonly DomainRecord[] | undefined;
}

async function findTarget(
  context: OperationContext,
  caller: Requester,
  text: string,
  isCreating: boolean,
): Promise<Outcome<Target>> {
  const found = await findPathDomain(context, caller, text);
  if (!isCreating) {
    if (!found.ok) return found;
    return done({ name: found.value.name, domain: found.value, nameservers: undefined });
  }
  const name = found.ok ? parsed(found.value.name) : parseZoneName(text, context.settings.zoneNameRules);
  if (!name.ok) return refused('invalid_request', name.problem, 'domain');
  const nameservers = nameserverRecords(context, name.value);
  return done({ name: name.value, domain: found.ok ? found.value : null, nameservers });
}

/** A domain that holds so little is as good as new. */
const FEW_RECORDS = 100;

/** What stays in such a domain beside what is declared; null: too much to know before it is decided. */
async function findKept(
  context: OperationContext,
  { name, domain, nameservers = [] }: Target,
  mode: DeclaredZone['mode'],
): Promise<readonly DomainRecord[] | null> {
  if (domain === null) return nameservers;
  if (domain.recordCount > FEW_RECORDS) return null;
  const zone = await readZone(context, domain.accountId, name);
  if (!zone.ok) return null;
  const { records } = zone.value;
  return mode === 'merge'
    ? records
    : records.filter(({ type, owner }) => type === rrType.NS && owner === APEX);
}

/** While the store decides and commits: for a large zone that takes as long, on another processor. */
async function checkMeanwhile(
  zone: ZoneName,
  records: readonly DomainRecord[],
): Promise<readonly ZoneWarning[]> {
  // The write leaves first.
  await new Promise(setImmediate);
  return runInSteps(checkZone(zone, records));
}

type SoaHead = Pick<Domain, 'name' | 'serial' | 'soaPrimary' | 'soaEmail'>;

function unwritten(name: ZoneName): SoaHead {
  return { name, serial: 0, soaPrimary: null, soaEmail: null };
}

/** What is served anyway is not written down: then the service's defaults stay defaults. */
function newSoaFields(context: OperationContext, head: SoaHead, sent: SoaFields | null): SoaFields | null {
  if (sent === null) return null;
  const { soaPrimary, soaEmail } = sent;
  const served = soaOf(head, context.settings.soa);
  return {
    ...(soaPrimary !== undefined && soaPrimary !== served.primary && { soaPrimary }),
    ...(soaEmail !== undefined && soaEmail !== served.email && { soaEmail }),
  };
}

interface ReadRecords {
  readonly records: readonly DomainRecord[];
  readonly soa: SoaFields | null;
  readonly setAside: readonly SetAside[];
  /** Of each record of a master file, where it stands. */
  readonly places: readonly ImportedRecord[] | null;
}

/** Records between two looks at what else there is to do: some 5 ms. */
const RECORDS_A_STEP = 500;

async function readMasterFile(
  context: OperationContext,
  zone: ZoneName,
  text: string,
): Promise<Outcome<ReadRecords>> {
  const { recordRules, nameservers } = context.settings;
  const origin = parseDomainName(zone);
  assert(origin.ok, 'a zone name is a name');
  const reading = new ZoneImport(zone, { ...recordRules, nameservers });
  let count = 0;
  for (const item of readZoneFile(linesOf(text), origin.value)) {
    if (!reading.take(item)) break;
    if (++count % RECORDS_A_STEP === 0) await new Promise(setImmediate);
    // What is set aside is kept for the answer, one by one.
    const kept = reading.records.length + reading.setAside.length;
    if (kept > MAX_DECLARED_RECORDS) return refuseTooMany(kept);
  }
  const { problems, records: places, setAside, soaPrimary, soaEmail } = reading;
  if (problems.length > 0) return refuseProblems(problems.map(malformedEntry));
  const records: DomainRecord[] = [];
  await runInSteps(visitInSteps(places, ({ record }) => records.push({ id: context.newId(), ...record })));
  const soa = { ...(soaPrimary !== null && { soaPrimary }), ...(soaEmail !== null && { soaEmail }) };
  return done({ records, soa, setAside, places });
}

function malformedEntry(problem: ZoneFileProblem): PartProblem {
  return { ...problem, code: 'invalid_request' };
}

async function readRecordList(
  context: OperationContext,
  zone: ZoneName,
  sent: SentRecords,
): Promise<Outcome<ReadRecords>> {
  if (sent.count > MAX_DECLARED_RECORDS) return refuseTooMany(sent.count);
  const records: DomainRecord[] = [];
  const problems: PartProblem[] = [];
  let index = 0;
  for (const input of sent.records) {
    const record = input.ok ? parseRecord(input.value, zone, context.settings.recordRules) : input;
    if (record.ok) records.push({ id: context.newId(), ...record.value });
    else problems.push(...problemsOf(record.refusal, { index }));
    if (++index % RECORDS_A_STEP === 0) await new Promise(setImmediate);
  }
  if (problems.length > 0) return refuseProblems(problems);
  return done({ records, soa: null, setAside: [], places: null });
}

/** The store knows a record by its position; whoever sent a master file, by its line. */
function atPlaces(
  { problems }: { readonly problems?: readonly Problem[] },
  places: readonly ImportedRecord[] | null,
): { readonly problems?: readonly Problem[] } {
  if (problems === undefined || places === null) return {};
  return {
    problems: problems.slice(0, MAX_PROBLEMS).map(({ index, ...problem }) => {
      const place = index === undefined ? undefined : places.at(index);
      return place === undefined ? problem : { ...problem, line: place.line, column: place.column };
    }),
  };
}

function refuseTooMany(count: number): Outcome<never> {
  const rule = `and a domain can be declared with at most ${MAX_DECLARED_RECORDS}: merge the rest in parts`;
  return refused('invalid_request', `At least ${count} records were sent, ${rule}`);
}
