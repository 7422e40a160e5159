// Routes of the history: changes, reverting, deleted domains and restoring.
import { changeFilterMembers, parseChangeFilter } from '../contract/change-query.ts';
import { formatChangesReply } from '../contract/format-changes.ts';
import { formatDomainReply } from '../contract/format-domain.ts';
import { formatChange, formatDeletedDomain, type ShownChange } from '../contract/format-history.ts';
import type { ListFormat } from '../contract/format-page.ts';
import { MAX_SERIAL } from '../contract/propagation-query.ts';
import { restoreBody, revertBody } from '../contract/request-bodies.ts';
import type { DeletedDomain } from '../model/domain.ts';
import { listChanges, listDeletedDomains } from '../operations/read-history.ts';
import { restoreDomain } from '../operations/restore-domain.ts';
import { revertRecords } from '../operations/revert-records.ts';
import { answerCreated, answerError, answerMalformed, answerStream } from './answer.ts';
import { readBody, readOptionalBody } from './json-body.ts';
import { answerList } from './list-answer.ts';
import type { RouteHandler } from './route-handler.ts';

const changeList: ListFormat<ShownChange & { readonly seq: number }> = {
  member: 'changes',
  listKey: 'number',
  filteredBy: changeFilterMembers,
  keyOf: ({ seq }) => String(seq),
  formatRow: formatChange,
  lengthOf: (change) => (change.old?.data.length ?? 0) + (change.new?.data.length ?? 0),
};

const deletedDomainList: ListFormat<DeletedDomain> = {
  member: 'deleted_domains',
  listKey: 'numbers',
  keyOf: ({ deletedAtMs, id }) => `${deletedAtMs}.${id}`,
  formatRow: formatDeletedDomain,
};

export const historyRoutes = {
  listChanges: (context, caller, request, getSignal) => {
    const filter = parseChangeFilter(request.query);
    if (!filter.ok) return Promise.resolve(answerMalformed(filter.problem));
    return answerList(caller, request, changeList, (page) =>
      listChanges(context, caller, request.params.domain, page, filter.value, getSignal),
    );
  },

  revertRecords: async (context, caller, { params, body }) => {
    const input = readBody(body, revertBody);
    if (!input.ok) return answerError(input.refusal);
    const { to } = input.value;
    if (to > MAX_SERIAL) {
      const message = `to must be a serial, 0 to ${MAX_SERIAL}`;
      return answerError({ code: 'invalid_request', message, field: 'to' });
    }
    return answerStream(await revertRecords(context, caller, params.domain, to), formatChangesReply);
  },

  listDeletedDomains: (context, caller, request, getSignal) =>
    answerList(caller, request, deletedDomainList, (page) =>
      listDeletedDomains(context, caller, page, getSignal),
    ),

  restoreDomain: async (context, caller, { params, body }) => {
    const input = readOptionalBody(body, restoreBody);
    if (!input.ok) return answerError(input.refusal);
    const result = await restoreDomain(context, caller, params.domain, input.value.id);
    return answerCreated(result.ok ? { ...result, changed: false } : result, formatDomainReply);
  },
} satisfies Record<string, RouteHandler>;
