// Users, their sessions and the links that let them in: bodies of requests and shapes of answers.
import { roles } from '../model/user.ts';
import { bodyShape, optionalText } from './body-shape.ts';
import { assertionShape } from './credential-shape.ts';
import { Type, type Static } from './schema.ts';

const EXAMPLE_ID = '0193489f-8a3b-7abc-8def-0123456789ab';
const EXAMPLE_DATE = '2026-11-20T09:03:31+00:00';

const date = (description: string) =>
  Type.String({ format: 'date-time', description, examples: [EXAMPLE_DATE] });
const idOf = (description: string) => Type.String({ format: 'uuid', description, examples: [EXAMPLE_ID] });
const textOrNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

const EMAIL = Type.String({ description: 'The e-mail address of the user', examples: ['anna@example.com'] });
const PASSWORD = 'At least 12 characters';

const CODE = optionalText('A one-time code or a recovery code, for a user who has set them up', ['123456']);

export const signInBody = bodyShape(
  Type.Object(
    { email: EMAIL, password: Type.String({ examples: ['correct horse battery'] }), code: CODE },
    { examples: [{ email: 'anna@example.com', password: 'correct horse battery' }] },
  ),
);

export const confirmBody = bodyShape(
  Type.Object(
    {
      password: optionalText('That of the user, unless there is a credential'),
      code: CODE,
      credential: Type.Optional(
        Type.Union([assertionShape.schema, Type.Null()], { description: 'The answer of a passkey' }),
      ),
    },
    { examples: [{ password: 'correct horse battery' }] },
  ),
);

export const updateUserBody = bodyShape(
  Type.Object(
    {
      name: optionalText('The name as others see it', ['Anna']),
      password: optionalText(`${PASSWORD}. All other sessions of the user end`),
    },
    { examples: [{ name: 'Anna' }] },
  ),
);

const TOKEN = Type.String({ description: 'The text of the link after #', examples: ['zwi_…'] });

export const invitationTokenBody = bodyShape(Type.Object({ token: TOKEN }));

export const acceptInvitationBody = bodyShape(
  Type.Object(
    {
      token: TOKEN,
      email: optionalText('Needed if the invitation names none', ['anna@example.com']),
      name: optionalText('Needed for a new user', ['Anna']),
      password: optionalText(
        `${PASSWORD}, for a new user or a recovery. Else that of the user, unless it has signed in`,
      ),
      code: CODE,
    },
    { examples: [{ token: 'zwi_…', name: 'Anna', password: 'correct horse battery' }] },
  ),
);

/** A role in a whole account, or roles in some of its domains; one of the two members is null. */
export const memberRoleMembers = {
  role: Type.Union([Type.Enum([...roles]), Type.Null()], {
    description: 'The role in the whole account; null: grants has those in single domains',
  }),
  grants: Type.Union(
    [
      Type.Array(
        Type.Object({
          role: Type.Enum(['editor', 'viewer']),
          domains: Type.Array(Type.String(), { examples: [['example.com']] }),
        }),
      ),
      Type.Null(),
    ],
    { description: 'Roles in single domains; null: the role is for all' },
  ),
};

const sessionShape = Type.Object({
  id: idOf('The id of the session'),
  date_created: date('When the user signed in'),
  date_seen: date('The last use, to within ten minutes'),
  date_fresh: date(
    'Until then the user counts as having just proved who it is; date_created for one whom a provider has not asked lately',
  ),
  date_ends: date('The session ends then, or twelve hours after its last use'),
  address: textOrNull('The network address of the client that signed in'),
  agent: textOrNull('The User-Agent header of that client'),
  current: Type.Boolean({ description: 'It is the session of this request' }),
});

export const userShape = Type.Object({
  id: idOf('The id of the user'),
  email: EMAIL,
  name: Type.String({ examples: ['Anna'] }),
  operator: Type.Boolean({ description: 'Manages all accounts' }),
});

const userAccountShape = Type.Object({
  id: idOf('The id of the account'),
  name: Type.String({ examples: ['Example Ltd'] }),
  ...memberRoleMembers,
});

export const sessionReply = Type.Object({
  session: sessionShape,
  user: userShape,
  accounts: Type.Array(userAccountShape, { description: 'The accounts that the user belongs to' }),
});

export const sessionsReply = Type.Object({ sessions: Type.Array(sessionShape) });
export const userReply = Type.Object({ user: userShape });

const openInvitationShape = Type.Object({
  kind: Type.Enum(['invitation', 'recovery']),
  email: textOrNull('null: whoever accepts chooses it'),
  account: textOrNull('The name of the account; null for a recovery'),
  ...memberRoleMembers,
  operator: Type.Boolean({ description: 'The user will manage all accounts' }),
  date_expires: date('The link ends then'),
});

export const openInvitationReply = Type.Object({ invitation: openInvitationShape });

export type SessionJson = Readonly<Static<typeof sessionShape>>;
export type SessionReplyJson = Readonly<Static<typeof sessionReply>>;
export type OpenInvitationJson = Readonly<Static<typeof openInvitationShape>>;
export type UserJson = Readonly<Static<typeof userShape>>;
