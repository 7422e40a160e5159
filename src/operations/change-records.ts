import { visitInSteps, type Steps } from '../base/steps.ts';
import type { ZoneName } from '../model/domain.ts';
import type { RecordRules } from '../model/record-rules.ts';
import { runForClient } from './run-for-client.ts';
import type { CommandOf } from '../writes/command.ts';
import { parseRecord, type RecordInput } from '../model/parse-record.ts';
import type { RecordsChanged } from '../model/record-changes.ts';
import type { RecordPatch } from '../model/record-patch.ts';
import type { DomainRecord } from '../model/record.ts';
import type { Problem, RefusalCode } from '../model/refusal.ts';
import { refused, type Refused, type Result, type WriteResult } from '../model/result.ts';
import { problemsOf, refuseProblems, type PartProblem } from '../model/refuse-problems.ts';
import { findCostRefusal } from './account-limits.ts';
import { commitDomainWrite, commitWrite } from './commit-write.ts';
import type { OperationContext } from './operation-context.ts';
import { findPathDomain } from './path-domain.ts';
import { termsOf, type Requester } from './requester.ts';
import { MAX_CHANGES } from '../model/write-limits.ts';
import { warnOfWrite } from './warn-of-write.ts';
import { withShare } from './with-share.ts';
import { changesWeight, zoneWeight } from './work-weights.ts';

/** Changes as they were sent. Each is validated during iteration, so that an oversized batch is rejected without that. */
export interface SentChanges {
  /** The length of all three lists together. */
  readonly count: number;
  readonly deletes: Iterable<Result<string>>;
  readonly updates: Iterable<Result<{ readonly id: string; readonly patch: RecordPatch }>>;
  readonly creates: Iterable<Result<RecordInput>>;
}

/**
 * Makes all changes or none, in one step of the serial. Reports all problems at once: first malformed parts, then
 * conflicts.
 */
export async function changeRecords(
  context: OperationContext,
  caller: Requester,
  domainText: string,
  sent: SentChanges,
): Promise<WriteResult<RecordsChanged>> {
  const found = await findPathDomain(context, caller, domainText);
  if (!found.ok) return found;
  const domain = found.value.name;
  const { recordRules: rules } = context.settings;
  if (sent.count > MAX_CHANGES) {
    const sentence = `A batch can have at most ${MAX_CHANGES} changes; this one has ${sent.count}`;
    return refused('invalid_request', sentence);
  }
  const refusal = await findCostRefusal(context, caller, { rows: sent.count, octets: 0 });
  if (refusal !== undefined) return refusal;
  const problems: PartProblem[] = [];
  const collect = <T>(items: Iterable<T>) => runForClient(collectInSteps(items), caller.getSignal);
  const deletes = valuesOf(await collect(sent.deletes), 'delete', problems);
  const updates = valuesOf(await collect(sent.updates), 'update', problems);
  const inputs = await collect(parseEach(sent.creates, domain, rules));
  const creates = valuesOf(inputs, 'create', problems);
  const changes = {
    deletes: deletes.map(({ value }) => value),
    updates: updates.map(({ value }) => value),
    creates: creates.map(({ value }): DomainRecord => ({ id: context.newId(), ...value })),
  };
  const command = { kind: 'changeRecords', ...termsOf(context, caller), domain, changes, rules } as const;
  if (problems.length === 0) {
    const changed = changesWeight(deletes.length + updates.length, found.value);
    // A dry run foresees the warnings of the whole domain.
    const octets = changed + (command.dryRun === true ? zoneWeight(found.value) : 0);
    return withShare(context, caller, octets, async (sharing) =>
      warnOfWrite(
        context,
        sharing,
        domain,
        await commitDomainWrite(context, command, sharing),
        (made) => made,
      ),
    );
  }
  const conflicts = await findConflicts(context, command, {
    delete: deletes,
    update: updates,
    create: creates,
  });
  return refuseProblems([...problems, ...conflicts]);
}

function* parseEach(inputs: SentChanges['creates'], domain: ZoneName, rules: RecordRules) {
  for (const input of inputs) yield input.ok ? parseRecord(input.value, domain, rules) : input;
}

/** Parts read before other work gets its turn: some 5 ms. */
const PARTS_A_STEP = 500;

function* collectInSteps<T>(items: Iterable<T>): Steps<readonly T[]> {
  const collected: T[] = [];
  yield* visitInSteps(items, (item) => collected.push(item), PARTS_A_STEP);
  return collected;
}

/** The well-formed parts, each with its position in its list. */
type Placed = Readonly<Record<PartList, readonly { readonly index: number }[]>>;

type PartList = NonNullable<Problem['list']>;

/** Finds conflicts among the well-formed parts by a dry run. */
async function findConflicts(
  context: OperationContext,
  { author, ...command }: CommandOf<'changeRecords'>,
  placed: Placed,
): Promise<readonly PartProblem[]> {
  // Without the idempotency key: the dry run must not be stored as the request's result.
  const { accountId, keyId, atMs } = author;
  const tried = await commitWrite(context, { ...command, author: { accountId, keyId, atMs }, dryRun: true });
  if (tried.ok) return [];
  return (tried.refusal.problems ?? []).map((problem) => {
    const { list, index } = problem;
    const place = list && index !== undefined ? placed[list].at(index) : undefined;
    return { ...problem, ...(place && { index: place.index }), code: problem.code as RefusalCode };
  });
}

function valuesOf<T>(
  parts: readonly ({ readonly ok: true; readonly value: T } | Refused)[],
  list: PartList,
  problems: PartProblem[],
): { readonly index: number; readonly value: T }[] {
  return parts.flatMap((part, index) => {
    if (part.ok) return [{ index, value: part.value }];
    problems.push(...problemsOf(part.refusal, { list, index }));
    return [];
  });
}
