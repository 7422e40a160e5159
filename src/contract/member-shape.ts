// The users of an account and its invitations: bodies of requests and shapes of answers.
import { MAX_GRANTS, MAX_NAMED_DOMAINS } from '../model/rights-limits.ts';
import { bodyShape, optionalFlag, optionalText, optionalWord } from './body-shape.ts';
import { Type, type Static } from './schema.ts';
import { memberRoleMembers, userShape } from './session-shape.ts';

const EXAMPLE_ID = '0193489f-8a3b-7abc-8def-0123456789ab';
const EXAMPLE_DATE = '2026-11-20T09:03:31+00:00';

const date = (description: string) =>
  Type.String({ format: 'date-time', description, examples: [EXAMPLE_DATE] });

/** One entry of `grants`, checked one by one. */
export const domainRoleBody = bodyShape(
  Type.Object({
    role: Type.Enum(['editor', 'viewer']),
    domains: Type.Array(Type.String(), { examples: [['example.com']] }),
  }),
);

const roleMembers = {
  role: optionalWord(
    ['owner', 'editor', 'viewer'],
    'A role in the whole account. owner: everything; editor: domains and records; viewer: reads them. Either role or grants',
  ),
  grants: Type.Optional(
    Type.Union([Type.Array(domainRoleBody.schema), Type.Null()], {
      description: `1 to ${MAX_GRANTS} roles in single domains, which need not exist yet; at most ${MAX_NAMED_DOMAINS} domains in all. Either role or grants`,
    }),
  ),
};

export const memberRoleBody = bodyShape(Type.Object(roleMembers, { examples: [{ role: 'editor' }] }));

export const createInvitationBody = bodyShape(
  Type.Object(
    {
      ...roleMembers,
      email: optionalText('Only the user with this address can accept; absent: anybody who has the link', [
        'bert@example.com',
      ]),
      operator: optionalFlag(
        'The user will manage all accounts; only administrators and operators give that',
      ),
      account: optionalText('Id of the account; if absent, the account of the request'),
    },
    { examples: [{ email: 'bert@example.com', role: 'viewer' }] },
  ),
);

const memberShape = Type.Object({
  ...userShape.properties,
  ...memberRoleMembers,
  date_joined: date('When the user joined the account'),
  password: Type.Boolean({ description: 'The user can sign in with a password' }),
  one_time_codes: Type.Boolean({ description: 'Signing in with the password needs a one-time code as well' }),
  passkeys: Type.Integer({ description: 'The number of passkeys' }),
});

export const invitationShape = Type.Object({
  id: Type.String({ format: 'uuid', examples: [EXAMPLE_ID] }),
  email: Type.Union([Type.String(), Type.Null()], { description: 'null: the person who accepts chooses it' }),
  ...memberRoleMembers,
  operator: Type.Boolean({ description: 'The user will manage all accounts' }),
  date_created: date('When it was made'),
  date_expires: date('The link ends then'),
  created_by: Type.String({
    description: 'The id of a key, or user: and the id of a user; empty: the service',
  }),
});

const LINK = Type.String({
  description: 'Good for one use. Only the answer to its creation shows it',
  examples: ['https://dns.example.net/invite#zwi_…'],
});

const recoveryShape = Type.Object({ date_expires: date('The link ends then'), link: LINK });

export const membersReply = Type.Object({ users: Type.Array(memberShape) });
export const memberReply = Type.Object({ user: memberShape });
export const memberPlanReply = Type.Object({ dry_run: Type.True(), user: memberShape });
export const invitationsReply = Type.Object({ invitations: Type.Array(invitationShape) });
export const newInvitationShape = Type.Object({ ...invitationShape.properties, link: LINK });
export const newInvitationReply = Type.Object({ invitation: newInvitationShape });
export const invitationPlanReply = Type.Object({ dry_run: Type.True(), invitation: invitationShape });
export const recoveryReply = Type.Object({ recovery: recoveryShape });
export const recoveryPlanReply = Type.Object({
  dry_run: Type.True(),
  recovery: Type.Object({ date_expires: date('The link would end then') }),
});

export type MemberJson = Readonly<Static<typeof memberShape>>;
export type MemberPlanJson = Readonly<Static<typeof memberPlanReply>>;
export type InvitationJson = Readonly<Static<typeof invitationShape>>;
/** A new invitation; only this shape contains the link. */
export type NewInvitationJson = Readonly<Static<typeof newInvitationShape>>;
export type InvitationPlanJson = Readonly<Static<typeof invitationPlanReply>>;
export type RecoveryJson = Readonly<Static<typeof recoveryShape>>;
export type RecoveryPlanJson = Readonly<Static<typeof recoveryPlanReply>>;
export type DomainRoleJson = Readonly<Static<typeof domainRoleBody.schema>>;
