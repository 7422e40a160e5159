// Explains the answer of the nameserver to a question about a domain (contract rule 86).
import type { GetSignal } from '../base/fair-semaphore.ts';
import { explainAnswer } from '../checks/explain/explain-answer.ts';
import * as describe from '../checks/explain/describe-steps.ts';
import type { ExplainedQuestion, Explanation } from '../checks/explain/explanation.ts';
import { MAX_LOOKS_BELOW, MAX_NAMES_READ, MAX_RECORDS_READ } from '../checks/explain/limited-names.ts';
import { rcode } from '../dns/codes.ts';
import type { Message } from '../dns/message.ts';
import { isDataType, parseRecordType } from '../dns/rdata/record-type-registry.ts';
import { showName } from '../dns/show-name.ts';
import type { Domain } from '../model/domain.ts';
import { quoteText } from '../model/quote-text.ts';
import { ownerDomainName, parseRecordName } from '../model/record-name.ts';
import { refused, success, type Result } from '../model/result.ts';
import { isServed } from '../model/withholding.ts';
import type { PastMoment } from '../store/zone-view.ts';
import { findCostRefusal } from './account-limits.ts';
import type { OperationContext } from './operation-context.ts';
import { findPathDomain } from './path-domain.ts';
import { explainPast } from './explain-past.ts';
import type { Requester } from './requester.ts';
import type { ResolverAnswer } from './asked-answer.ts';
import { findAnsweringDomain } from './find-answering-domain.ts';
import { createStoreNames, isSearched } from './store-names.ts';
import { weighHistory } from './weigh-history.ts';
import type { Work } from './work-budget.ts';

export interface QuestionInput {
  /** As in contract rule 21. */
  readonly name: string;
  readonly type: string;
  /** The address of a resolver that is asked as well. */
  readonly resolver?: string | undefined;
  /** An earlier moment of the domain; nobody is asked about it. */
  readonly at?: PastMoment | undefined;
}

export interface ExplainedName extends Explanation {
  /** Lower case, without the final dot. */
  readonly name: string;
  readonly type: number;
  /** The serial of the domain when its records were read. */
  readonly serial: number;
  /** The answer of the nameserver beside this process; null: none was asked, or it gave none. */
  readonly served: Message | null;
  /** Whether the answer is as predicted; null: one of them is not known. */
  readonly agrees: boolean | null;
  /** A sentence without a full stop on what is not known or does not agree; null: nothing. */
  readonly note: string | null;
  /** Null: the request named none. */
  readonly resolver: (ResolverAnswer & { readonly address: string }) | null;
}

/** Nobody can be asked about the past. */
const unasked = {
  served: null,
  agrees: null,
  note: 'This is how the records were then. No nameserver was asked, and what the service makes and other domains are as they are today',
  resolver: null,
};

/** @param getSignal called only if the request has to wait */
export async function explainName(
  context: OperationContext,
  caller: Requester,
  domainText: string,
  input: QuestionInput,
  getSignal: GetSignal,
): Promise<Result<ExplainedName>> {
  const found = await findPathDomain(context, caller, domainText);
  if (!found.ok) return found;
  const domain = found.value;
  const question = parseQuestion(input, domain);
  if (!question.ok) return question;
  const { at } = input;
  if (at !== undefined && input.resolver !== undefined)
    return refused('invalid_request', 'A resolver cannot be asked about an earlier moment', 'resolver');
  const resolver = findResolver(context, input);
  if (!resolver.ok) return resolver;
  const work = costOf(domain);
  const rows = work.rows + (at === undefined ? 0 : await weighHistory(context, caller));
  const refusal = await findCostRefusal(context, caller, { ...work, rows });
  if (refusal !== undefined) return refusal;
  const { owner, type } = question.value;
  const name = ownerDomainName(owner, domain.name);
  if (at !== undefined) {
    const past = await explainPast(context, domain, question.value, at, getSignal);
    if (!past.ok) return past;
    return success({ ...past.value, ...unasked, name: showName(name), type });
  }
  const asked = { name, type };
  const [explanation, served, ofResolver] = await Promise.all([
    explain(context, domain, question.value, getSignal),
    context.askNameserver?.(domain.accountId, asked, getSignal),
    resolver.value && context.askedResolvers?.ask(caller.accountId, resolver.value, asked, getSignal),
  ]);
  const answer = served !== undefined && !('problem' in served) ? served : null;
  const agrees = answer && explanation.prediction && isAsPredicted(answer, explanation.prediction);
  return success({
    ...explanation,
    name: showName(name),
    type,
    serial: domain.serial,
    served: answer,
    agrees,
    note: noteOf(served, agrees),
    resolver: resolver.value === undefined || !ofResolver ? null : { address: resolver.value, ...ofResolver },
  });
}

function parseQuestion(
  { name, type: typeText }: QuestionInput,
  { name: zone }: Domain,
): Result<ExplainedQuestion> {
  const owner = parseRecordName(name, zone);
  if (!owner.ok) return refused('invalid_request', owner.problem, 'name');
  const type = parseRecordType(typeText);
  if (type === undefined || !isDataType(type)) {
    const message = `${quoteText(typeText)} is not a type of records, such as A or TYPE65280`;
    return refused('invalid_request', message, 'type');
  }
  return success({ owner: owner.value.owner, type });
}

function findResolver(
  { askedResolvers }: OperationContext,
  { resolver }: QuestionInput,
): Result<string | undefined> {
  if (resolver === undefined) return success(undefined);
  if (askedResolvers === undefined)
    return refused('invalid_request', 'This service asks no resolvers for customers', 'resolver');
  const found = askedResolvers.find(resolver);
  if ('problem' in found) return refused('invalid_request', found.problem, 'resolver');
  return success(found.address);
}

/**
 * The most that is read: names, their records, and a domain that is searched. Comparing a record takes a quarter of the time of
 * reading it.
 */
function costOf(domain: Domain): Work {
  const { recordCount, octets } = domain;
  const looks = isSearched(domain) ? MAX_LOOKS_BELOW / 4 : 0;
  return {
    rows: MAX_NAMES_READ + Math.min(recordCount, MAX_RECORDS_READ) + looks * recordCount,
    octets: looks * octets,
  };
}

async function explain(
  context: OperationContext,
  domain: Domain,
  question: ExplainedQuestion,
  getSignal: GetSignal,
): Promise<Explanation> {
  const name = showName(ownerDomainName(question.owner, domain.name));
  const other = await findAnsweringDomain(context, domain, question);
  const withheld = isServed(domain) ? [] : [describe.withheld(domain.name, domain.withheld)];
  if (other !== undefined)
    return { prediction: null, steps: [...withheld, describe.otherDomain(name, other)] };
  if (withheld.length > 0) return { prediction: { rcode: rcode.REFUSED, answer: [] }, steps: withheld };
  const zone = {
    name: domain.name,
    isSigned: domain.denial !== null,
    nameservers: context.settings.nameservers,
  };
  return explainAnswer(zone, question, createStoreNames(context, domain, getSignal));
}

/** Compares the code and the sets of the answer section. */
function isAsPredicted(
  served: Message,
  { rcode: code, answer }: NonNullable<Explanation['prediction']>,
): boolean {
  const sets = new Set(served.answers.map(({ owner, type }) => `${showName(owner)} ${type}`));
  return (
    served.rcode === code &&
    sets.size === answer.length &&
    answer.every(({ name, type }) => sets.has(`${name} ${type}`))
  );
}

function noteOf(
  served: Message | { readonly problem: string } | undefined,
  agrees: boolean | null,
): string | null {
  if (served === undefined)
    return 'No nameserver was asked, because none runs beside this process: the answer is predicted from the records';
  if ('problem' in served) return `The nameserver gave no answer: ${served.problem}`;
  if (agrees === false)
    return 'The nameserver answers otherwise than the records say: if a change is on its way to it, ask again';
  return null;
}
