// Replaces former nameservers in many domains, one after the other, each by ordinary writes (contract rule 60).
import { checkClient } from './run-for-client.ts';
import type { Domain, ZoneName } from '../model/domain.ts';
import { parseHostName } from '../model/host-name.ts';
import { refuseUnknownDomain } from '../model/refuse-unknown.ts';
import type { Refusal } from '../model/refusal.ts';
import { refused, success, type Result, type WriteResult } from '../model/result.ts';
import type { Page, PageRequest } from '../store/store.ts';
import { revisionOf } from '../writes/revision.ts';
import { StoreUnavailable } from '../writes/store-errors.ts';
import { findCostRefusal } from './account-limits.ts';
import { readApexNameservers } from './apex-nameservers.ts';
import { commitWrite } from './commit-write.ts';
import { nameserverRecord, NAMESERVER_TTL_SECONDS } from './create-domain.ts';
import {
  findNameserverChanges,
  MAX_NAMED_DOMAINS,
  planNameservers,
  type NameserverPlan,
  type SentNameservers,
} from './nameserver-plan.ts';
import type { OperationContext } from './operation-context.ts';
import { termsOf, type Requester } from './requester.ts';

/** The outcome for one domain, or its plan. */
export interface DomainNameservers {
  readonly domain: ZoneName;
  readonly changed: boolean;
  /** The host names of its NS records. */
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** Present if the primary nameserver of the SOA changed. */
  readonly soaPrimary?: { readonly before: string | null; readonly after: string };
  /** Why the domain, or a part of it, was left as it is. */
  readonly refusal?: Refusal;
}

/** A domain costs its row, its NS records and the entries of their replacement. */
const ROWS_A_DOMAIN = 12;

/** A request that takes longer ends with the domains that it has done. Clients wait at least half a minute. */
const MAX_WORK_MS = 5_000;

/**
 * Safe to repeat: a domain without former nameservers stays as it is. Changes the domains of one page; other writes of the
 * account and of others take place between them.
 */
export async function setNameservers(
  context: OperationContext,
  caller: Requester,
  sent: SentNameservers,
  page: PageRequest,
): Promise<Result<Page<DomainNameservers>>> {
  const { ifMatch, ifNoneMatch } = caller.terms ?? {};
  if ((ifMatch ?? ifNoneMatch) !== undefined)
    return refused('invalid_request', 'If-Match and If-None-Match are not for requests about many domains');
  const plan = planNameservers(sent, await context.nameserverSets.of(caller.accountId));
  if (!plan.ok) return plan;
  const targets = await readTargets(context, caller, plan.value, page);
  const work = { rows: targets.rows.length * ROWS_A_DOMAIN, octets: 0 };
  const refusal = await findCostRefusal(context, caller, work);
  if (refusal !== undefined) return refusal;
  const rows = await changeEach(context, caller, plan.value, targets.rows);
  const isCut = rows.length < targets.rows.length;
  return success({ rows, hasBefore: false, hasAfter: targets.hasAfter || isCut, total: targets.total });
}

type Target = Pick<Domain, 'name'> | Domain;

async function readTargets(
  { store }: OperationContext,
  { accountId, getSignal }: Requester,
  { domains }: NameserverPlan,
  { key, limit: wanted }: PageRequest,
): Promise<Page<Target>> {
  const limit = Math.min(wanted, MAX_NAMED_DOMAINS);
  if (domains === undefined)
    return store.listDomains(accountId, { direction: 'after', key, limit }, undefined, getSignal);
  const after = domains.filter((name) => key === null || name > key);
  const names = after.slice(0, limit);
  const rows = names.map(async (name) => (await store.findDomain(accountId, name)) ?? { name });
  return {
    rows: await Promise.all(rows),
    hasBefore: false,
    hasAfter: after.length > names.length,
    total: domains.length,
  };
}

/** Ends early if the time is up, or if the store goes away after a change: that must not be reported as none (rule 9). */
async function changeEach(
  context: OperationContext,
  caller: Requester,
  plan: NameserverPlan,
  targets: readonly Target[],
): Promise<DomainNameservers[]> {
  const done: DomainNameservers[] = [];
  const beganMs = context.monotonic.elapsedMs();
  for (const target of targets) {
    try {
      checkClient(caller.getSignal?.());
      done.push(await changeDomain(context, caller, plan, target));
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || !done.some(({ changed }) => changed)) throw error;
      return done;
    }
    if (context.monotonic.elapsedMs() - beganMs > MAX_WORK_MS) return done;
  }
  return done;
}

async function changeDomain(
  context: OperationContext,
  caller: Requester,
  plan: NameserverPlan,
  target: Target,
): Promise<DomainNameservers> {
  if (!('id' in target)) {
    const { refusal } = refuseUnknownDomain(target.name);
    context.sought.note(caller, { request: 'setNameservers', kind: 'domain', id: target.name });
    return { domain: target.name, changed: false, before: [], after: [], refusal };
  }
  const rows = (await readApexNameservers(context, target)).map((row) => ({
    ...row,
    data: asciiHost(row.data),
  }));
  const before = rows.map(({ data }) => data);
  const { deletes, creates, soaPrimary } = findNameserverChanges(plan, rows, target.soaPrimary);
  const left = { domain: target.name, changed: false, before, after: before };
  let changed = left;
  if (deletes.length + creates.length > 0) {
    const ttl = rows.at(0)?.ttl ?? NAMESERVER_TTL_SECONDS;
    const ids = deletes.map(({ id }) => id);
    const result = await replaceRecords(context, caller, target, { ids, creates, ttl });
    if (!result.ok) return { ...left, refusal: result.refusal };
    const kept = before.filter((host) => !deletes.some(({ data }) => data === host));
    changed = { ...left, changed: true, after: [...kept, ...creates] };
  }
  if (soaPrimary === undefined) return changed;
  const result = await replacePrimary(context, caller, target, soaPrimary).catch((error: unknown) => {
    if (!(error instanceof StoreUnavailable) || !changed.changed) throw error;
    return refused(
      'busy',
      'The NS records were replaced, but not the primary nameserver: repeat the request',
    );
  });
  if (!result.ok) return { ...changed, refusal: result.refusal };
  return { ...changed, changed: true, soaPrimary: { before: target.soaPrimary, after: soaPrimary } };
}

/** NS records keep U-labels as they were sent. */
function asciiHost(text: string): string {
  const name = parseHostName(text);
  return name.ok ? name.value : text;
}

function replaceRecords(
  context: OperationContext,
  caller: Requester,
  domain: Domain,
  {
    ids,
    creates,
    ttl,
  }: { readonly ids: readonly string[]; readonly creates: readonly string[]; readonly ttl: number },
): Promise<WriteResult<unknown>> {
  const { name } = domain;
  return commitWrite(
    context,
    {
      kind: 'changeRecords',
      ...termsOf(context, caller),
      // A change since the records were read is another decision.
      ifMatch: [revisionOf(domain)],
      domain: name,
      changes: {
        deletes: ids,
        updates: [],
        creates: creates.map((host) => nameserverRecord(context, name, host, ttl)),
      },
      rules: context.settings.recordRules,
    },
    caller.getSignal,
  );
}

async function replacePrimary(
  context: OperationContext,
  caller: Requester,
  { name }: Domain,
  soaPrimary: string,
): Promise<WriteResult<unknown>> {
  const command = { kind: 'updateDomain', ...termsOf(context, caller), name, soaPrimary } as const;
  return commitWrite(context, command, caller.getSignal);
}
