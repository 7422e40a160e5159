// Routes of the users of an account, its invitations, and recoveries.
import {
  formatInvitationPlan,
  formatInvitationsReply,
  formatMemberPlan,
  formatMemberReply,
  formatMembersReply,
  formatNewInvitationReply,
  formatRecoveryPlan,
  formatRecoveryReply,
} from '../contract/format-member.ts';
import { createInvitationBody, domainRoleBody, memberRoleBody } from '../contract/member-shape.ts';
import { firstText } from '../contract/page-query.ts';
import type { DomainRoleInput } from '../model/parse-member-role.ts';
import { success, type Result } from '../model/result.ts';
import { removeMember, updateMember } from '../operations/change-members.ts';
import { createInvitation, recoverUser, revokeInvitation } from '../operations/invite.ts';
import { listInvitations, listMembers } from '../operations/read-members.ts';
import type { Requester } from '../operations/requester.ts';
import { answerCreated, answerDone, answerError, answerFound } from './answer.ts';
import { ownOrigin } from './browser-origin.ts';
import { readBody } from './json-body.ts';
import type { ApiRequest, RouteHandler } from './route-handler.ts';

export const memberRoutes = {
  listUsers: async (context, caller, request) =>
    answerFound(await listMembers(context, caller, namedAccount(request)), formatMembersReply),

  updateMember: async (context, caller, request) => {
    const input = readBody(request.body, memberRoleBody);
    if (!input.ok) return answerError(input.refusal);
    const grants = readDomainRoles(input.value.grants);
    if (!grants.ok) return answerError(grants.refusal);
    const place = { userId: request.params.id, account: namedAccount(request) };
    const result = await updateMember(context, caller, place, { ...input.value, grants: grants.value });
    return answerFound(result, isDryRun(caller) ? formatMemberPlan : formatMemberReply);
  },

  removeUser: async (context, caller, request) => {
    const place = { userId: request.params.id, account: namedAccount(request) };
    const result = await removeMember(context, caller, place);
    return isDryRun(caller) ? answerFound(result, formatMemberPlan) : answerDone(result);
  },

  recoverUser: async (context, caller, request) => {
    const origin = ownOrigin(request, context.settings.publicUrl);
    const result = await recoverUser(context, caller, request.params.id, origin);
    return isDryRun(caller)
      ? answerFound(result, formatRecoveryPlan)
      : answerCreated(result, formatRecoveryReply);
  },

  listInvitations: async (context, caller, request) =>
    answerFound(await listInvitations(context, caller, namedAccount(request)), formatInvitationsReply),

  createInvitation: async (context, caller, request) => {
    const input = readBody(request.body, createInvitationBody);
    if (!input.ok) return answerError(input.refusal);
    const grants = readDomainRoles(input.value.grants);
    if (!grants.ok) return answerError(grants.refusal);
    const origin = ownOrigin(request, context.settings.publicUrl);
    const wanted = { ...input.value, grants: grants.value };
    const result = await createInvitation(context, caller, wanted, origin);
    if (isDryRun(caller)) return answerFound(result, ({ invitation }) => formatInvitationPlan(invitation));
    return answerCreated(result, formatNewInvitationReply);
  },

  revokeInvitation: async (context, caller, request) => {
    const result = await revokeInvitation(context, caller, request.params.id, namedAccount(request));
    return isDryRun(caller) ? answerFound(result, formatInvitationPlan) : answerDone(result);
  },
} satisfies Record<string, RouteHandler>;

/** Undefined: the account of the request. */
function namedAccount({ query }: Pick<ApiRequest, 'query'>): string | undefined {
  const account = firstText(query['account']) ?? '';
  return account === '' ? undefined : account;
}

/** Each entry is checked by itself, so that the problem names it. */
function readDomainRoles(entries: readonly unknown[] | undefined): Result<DomainRoleInput[] | undefined> {
  if (entries === undefined) return success(undefined);
  const grants: DomainRoleInput[] = [];
  for (const [index, entry] of entries.entries()) {
    const grant = domainRoleBody.check(entry, `grants[${index}]`);
    if (!grant.ok) return grant;
    grants.push(grant.value);
  }
  return success(grants);
}

/** A dry run on users and invitations answers with the objects themselves (contract rule 41). */
function isDryRun({ terms }: Requester): boolean {
  return terms?.dryRun === true;
}
