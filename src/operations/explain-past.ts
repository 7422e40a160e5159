// Explains the answer to a question as a domain was at an earlier moment (contract rule 86).
import * as describe from '../checks/explain/describe-steps.ts';
import { explainAnswer } from '../checks/explain/explain-answer.ts';
import type { ExplainedQuestion, Explanation } from '../checks/explain/explanation.ts';
import type { GetSignal } from '../base/fair-semaphore.ts';
import { rcode } from '../dns/codes.ts';
import { showName } from '../dns/show-name.ts';
import type { Domain } from '../model/domain.ts';
import { ownerDomainName } from '../model/record-name.ts';
import { success, type Result } from '../model/result.ts';
import type { PastMoment } from '../store/zone-view.ts';
import { StoreBusy } from '../writes/store-errors.ts';
import { findAnsweringDomain } from './find-answering-domain.ts';
import type { OperationContext } from './operation-context.ts';
import { readPastNames, type PastNames } from './past-names.ts';

export interface PastExplanation extends Explanation {
  /** That of the domain at the moment. */
  readonly serial: number;
}

/** The names are read after the changes. Where others change the domain meanwhile, all is read again: three times in a row is a program. */
const MAX_ATTEMPTS = 3;

/** @throws StoreBusy if the domain changes all the time */
export async function explainPast(
  context: OperationContext,
  domain: Domain,
  question: ExplainedQuestion,
  moment: PastMoment,
  getSignal: GetSignal,
): Promise<Result<PastExplanation>> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const names = await readPastNames(context, domain, moment, getSignal);
    if (!names.ok) return names;
    if (names.value === null) {
      const step = describe.tooMuchSince(domain.name);
      return success({ prediction: null, steps: [step], serial: domain.serial });
    }
    const explanation = await explainThen(context, domain, question, names.value);
    if (await names.value.isUnchanged()) return success({ ...explanation, serial: names.value.serial });
  }
  throw new StoreBusy('The domain keeps changing while its history is read; try again');
}

async function explainThen(
  context: OperationContext,
  domain: Domain,
  question: ExplainedQuestion,
  { isServed, reader }: PastNames,
): Promise<Explanation> {
  if (!isServed)
    return {
      prediction: { rcode: rcode.REFUSED, answer: [] },
      steps: [describe.withheldThen(domain.name)],
    };
  const other = await findAnsweringDomain(context, domain, question);
  if (other !== undefined) {
    const name = showName(ownerDomainName(question.owner, domain.name));
    return { prediction: null, steps: [describe.otherDomainNow(name, other)] };
  }
  const zone = { name: domain.name, isSigned: null, nameservers: context.settings.nameservers };
  return explainAnswer(zone, question, reader);
}
