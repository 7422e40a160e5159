// Routes of domains and what belongs to them, except their records.
import {
  formatDnssecReply,
  formatDomain,
  formatDomainReply,
  formatNameservers,
  formatSoaReply,
} from '../contract/format-domain.ts';
import { parseSearch } from '../contract/filter-query.ts';
import type { ListFormat } from '../contract/format-page.ts';
import { parseFlag } from '../contract/parse-flag.ts';
import { formatPropagationReply } from '../contract/format-propagation.ts';
import { formatRolloverReply, formatSigningStatusReply } from '../contract/format-signing-status.ts';
import { parsePropagationQuery } from '../contract/propagation-query.ts';
import {
  createDomainBody,
  nameserversBody,
  startRolloverBody,
  changeDnssecBody,
  dsSeenBody,
  updateDomainBody,
  updateSoaBody,
} from '../contract/request-bodies.ts';
import type { Domain } from '../model/domain.ts';
import { isServed } from '../model/withholding.ts';
import { changeDnssec } from '../operations/change-dnssec.ts';
import { cancelRollover } from '../operations/cancel-rollover.ts';
import { createDomain } from '../operations/create-domain.ts';
import { deleteDomain } from '../operations/delete-domain.ts';
import { noteDsSeen } from '../operations/note-ds-seen.ts';
import { listDnssec } from '../operations/list-dnssec.ts';
import { getDomain, getSoa, listDomains } from '../operations/read-domains.ts';
import { getSigningStatus } from '../operations/get-signing-status.ts';
import { getPropagation } from '../operations/get-propagation.ts';
import { setNameservers, type DomainNameservers } from '../operations/set-nameservers.ts';
import { startRollover } from '../operations/start-rollover.ts';
import { updateDomain } from '../operations/update-domain.ts';
import { updateSoa } from '../operations/update-soa.ts';
import { answerCreated, answerDone, answerError, answerFound, answerMalformed } from './answer.ts';
import { readBody, readOptionalBody } from './json-body.ts';
import { answerList } from './list-answer.ts';
import { withMark } from './withheld-tag.ts';
import type { RouteHandler } from './route-handler.ts';

const domainList: ListFormat<Domain> = {
  member: 'domains',
  listKey: 'name',
  filteredBy: ['search'],
  keyOf: (domain) => domain.name,
  formatRow: formatDomain,
};

const nameserverList: ListFormat<DomainNameservers> = {
  member: 'domains',
  listKey: 'name',
  keyOf: ({ domain }) => domain,
  formatRow: formatNameservers,
};

const setDnssec: RouteHandler = async (context, caller, { params, query, body }) => {
  const force = parseFlag(query, 'force');
  if (!force.ok) return answerMalformed(force.problem);
  const input = readBody(body, updateDomainBody);
  if (!input.ok) return answerError(input.refusal);
  const wanted = { ...input.value, force: force.value };
  return answerDone(await updateDomain(context, caller, params.domain, wanted));
};

export const domainRoutes = {
  listDomains: async (context, caller, request, getSignal) => {
    const search = parseSearch(request.query);
    if (!search.ok) return answerMalformed(search.problem);
    return answerList(caller, request, domainList, (page) =>
      listDomains(context, caller, page, search.value, getSignal),
    );
  },

  createDomain: async (context, caller, { body }) => {
    const input = readBody(body, createDomainBody);
    if (!input.ok) return answerError(input.refusal);
    return answerCreated(await createDomain(context, caller, input.value), formatDomainReply);
  },

  getDomain: async (context, caller, { params }) => {
    const result = await getDomain(context, caller, params.domain);
    const isMarked = result.ok && !isServed(result.value);
    return answerFound(isMarked ? withMark(result) : result, formatDomainReply);
  },

  updateDomain: setDnssec,
  patchDomain: setDnssec,

  deleteDomain: async (context, caller, { params }) =>
    answerDone(await deleteDomain(context, caller, params.domain)),

  getSoa: async (context, caller, { params }) =>
    answerFound(await getSoa(context, caller, params.domain), formatSoaReply),

  updateSoa: async (context, caller, { params, body }) => {
    const patch = readBody(body, updateSoaBody);
    if (!patch.ok) return answerError(patch.refusal);
    return answerDone(await updateSoa(context, caller, params.domain, patch.value));
  },

  listDnssec: async (context, caller, { params }) =>
    answerFound(await listDnssec(context, caller, params.domain), formatDnssecReply),

  getSigningStatus: async (context, caller, { params }, getSignal) =>
    answerFound(await getSigningStatus(context, caller, params.domain, getSignal), formatSigningStatusReply),

  changeDnssec: async (context, caller, { params, body }) => {
    const input = readBody(body, changeDnssecBody);
    if (!input.ok) return answerError(input.refusal);
    return answerDone(await changeDnssec(context, caller, params.domain, input.value));
  },

  noteDsSeen: async (context, caller, { params, body }) => {
    const input = readBody(body, dsSeenBody);
    if (!input.ok) return answerError(input.refusal);
    return answerDone(await noteDsSeen(context, caller, params.domain, input.value));
  },

  startRollover: async (context, caller, { params, body }) => {
    const input = readOptionalBody(body, startRolloverBody);
    if (!input.ok) return answerError(input.refusal);
    const result = await startRollover(context, caller, params.domain, input.value);
    return answerCreated(result, formatRolloverReply);
  },

  cancelRollover: async (context, caller, { params }) =>
    answerDone(await cancelRollover(context, caller, params.domain, params.id)),

  setNameservers: async (context, caller, request) => {
    const input = readOptionalBody(request.body, nameserversBody);
    if (!input.ok) return answerError(input.refusal);
    const isDryRun = caller.terms?.dryRun === true;
    return answerList(caller, request, { ...nameserverList, isDryRun }, (page) =>
      setNameservers(context, caller, input.value, page),
    );
  },

  getPropagation: async (context, caller, { params, query }, getSignal) => {
    const asked = parsePropagationQuery(query);
    if (!asked.ok) {
      return answerError({ code: 'invalid_request', message: asked.problem, field: asked.field });
    }
    const result = await getPropagation(context, caller, params.domain, asked.value, getSignal);
    return answerFound(result, formatPropagationReply);
  },
} satisfies Record<string, RouteHandler>;
