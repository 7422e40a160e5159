// Accounts as administrators see them: whether they are suspended or deleted, and the bodies that change that.
import { suspendedAnswers } from '../model/account-standing.ts';
import { bodyShape } from './body-shape.ts';
import { Type, type Static } from './schema.ts';

const EXAMPLE_DATE = '2026-11-20T09:03:31+00:00';
const EXAMPLE_REASON = 'Domains of this account send unsolicited mail: write to abuse@example.net';

const date = Type.String({ format: 'date-time', examples: [EXAMPLE_DATE] });

const answers = Type.Enum(suspendedAnswers, {
  description: 'Whether the nameservers go on to answer for the domains of the account',
});

const standingMembers = {
  state: Type.Enum(['active', 'suspended', 'deleted']),
  suspension: Type.Union([
    Type.Object({
      reason: Type.String({ description: 'A sentence of the operator', examples: [EXAMPLE_REASON] }),
      answers,
      date_suspended: date,
    }),
    Type.Null(),
  ]),
  deletion: Type.Union([
    Type.Object({
      date_deleted: date,
      date_removed: Type.String({
        format: 'date-time',
        description: 'The account can be restored until then',
        examples: [EXAMPLE_DATE],
      }),
      restorable: Type.Boolean({ description: 'false: its removal has begun' }),
    }),
    Type.Null(),
  ]),
  progress: Type.Union([Type.Object({ done: Type.Integer(), total: Type.Integer() }), Type.Null()], {
    description: 'Domains that are withheld, or served again, while that goes on; null: all are',
  }),
};

export const accountShape = Type.Object({
  id: Type.String({ format: 'uuid', examples: ['0193489f-8a3b-7abc-8def-0123456789ab'] }),
  name: Type.String({ examples: ['Example Ltd'] }),
  email: Type.String({ examples: ['dns@example.com'] }),
  date_created: date,
  ...standingMembers,
});

export const accountReply = Type.Object({ account: accountShape });
export const standingReply = Type.Object({ standing: Type.Object(standingMembers) });
export const accountChangePlan = Type.Object({ dry_run: Type.True(), account: accountShape });

/** Octets of the media type `ARCHIVE_TYPE`. */
export const archiveReply = Type.String({ description: 'A tar archive, compressed with gzip' });

export const accountDeletionPlan = Type.Object({
  dry_run: Type.True(),
  account: accountShape,
  removes: Type.Object(
    {
      domains: Type.Integer(),
      records: Type.Integer(),
      keys: Type.Integer(),
      users: Type.Integer({ description: 'Those who belong to other accounts stay there' }),
      invitations: Type.Integer(),
    },
    { description: 'What goes with the account when the time has passed in which it can be restored' },
  ),
});

export const suspendAccountBody = bodyShape(
  Type.Object(
    {
      reason: Type.String({
        description: 'A sentence for the people of the account; each write that is refused shows it',
        examples: [EXAMPLE_REASON],
      }),
      answers,
    },
    { examples: [{ reason: EXAMPLE_REASON, answers: 'stop' }] },
  ),
);

/** An account, for administrators. */
export type AccountJson = Readonly<Static<typeof accountShape>>;
/** Whether an account is suspended or deleted. */
export type StandingJson = Readonly<Static<typeof standingReply>>['standing'];
export type SuspendedAnswers = NonNullable<StandingJson['suspension']>['answers'];
/** The dry run of suspending, resuming or restoring an account. */
export type AccountChangePlanJson = Readonly<Static<typeof accountChangePlan>>;
/** The dry run of deleting an account. */
export type AccountDeletionPlanJson = Readonly<Static<typeof accountDeletionPlan>>;
