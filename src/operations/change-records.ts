import { parseRecord, type RecordInput } from '../model/parse-record.ts';
import { MAX_CHANGES, type RecordsChanged } from '../model/record-changes.ts';
import type { RecordPatch } from '../model/record-patch.ts';
import type { DomainRecord } from '../model/record.ts';
import { refused, type Outcome, type Problem } from '../model/refusal.ts';
import { problemOf, refuseProblems, type PartProblem } from '../model/refuse-problems.ts';
import { findWriteRefusal } from './authorise.ts';
import { commitWrite, type Written } from './commit-write.ts';
import type { OperationContext } from './operation-context.ts';
import { findPathDomain } from './path-domain.ts';
import { termsOf, type Requester } from './requester.ts';

/** Changes as they were sent, each checked for its shape. */
export interface SentChanges {
  readonly deletes: readonly Outcome<string>[];
  readonly updates: readonly Outcome<{ readonly id: string; readonly patch: RecordPatch }>[];
  readonly creates: readonly Outcome<RecordInput>[];
}

/** All or nothing, in one step of the serial. What is malformed is told at once, before the domain is looked at. */
export async function changeRecords(
  context: OperationContext,
  caller: Requester,
  domainText: string,
  sent: SentChanges,
): Promise<Written<RecordsChanged>> {
  const refusal = findWriteRefusal(caller);
  if (refusal !== undefined) return refusal;
  const found = await findPathDomain(context, caller, domainText);
  if (!found.ok) return found;
  const domain = found.value.name;
  const { recordRules: rules } = context.settings;
  const count = sent.deletes.length + sent.updates.length + sent.creates.length;
  if (count > MAX_CHANGES) {
    return refused('invalid_request', `A batch can hold ${MAX_CHANGES} changes, and this one has ${count}`);
  }
  const problems: PartProblem[] = [];
  const deletes = valuesOf(sent.deletes, 'delete', problems);
  const updates = valuesOf(sent.updates, 'update', problems);
  const inputs = sent.creates.map((input) => (input.ok ? parseRecord(input.value, domain, rules) : input));
  const creates = valuesOf(inputs, 'create', problems).map((record): DomainRecord => ({
    id: context.newId(),
    ...record,
  }));
  if (problems.length > 0) return refuseProblems(problems);
  const changes = { deletes, updates, creates };
  return commitWrite(context, {
    kind: 'changeRecords',
    ...termsOf(context, caller),
    domain,
    changes,
    rules,
  });
}

function valuesOf<T>(
  parts: readonly ({ readonly ok: true; readonly value: T } | Extract<Outcome<T>, { readonly ok: false }>)[],
  list: Problem['list'],
  problems: PartProblem[],
): T[] {
  return parts.flatMap((part, index) => {
    if (part.ok) return [part.value];
    problems.push(problemOf(part.refusal, { ...(list && { list }), index }));
    return [];
  });
}
