// The shapes of the control of a domain, and of the nameservers of an account (contract rule 85).
import { Type, type Static } from './schema.ts';

const EXAMPLE_DATE = '2026-11-20T09:03:31+00:00';

export const claimStates = ['open', 'unverified', 'verified'] as const;

export const claimProofs = ['delegation', 'challenge', 'administrator', 'parent'] as const;

const seenShape = Type.Object({
  role: Type.Enum(['parent', 'nameserver'], {
    description: 'parent: a server of the parent zone; nameserver: one that the parent zone names',
  }),
  server: Type.String({ examples: ['a.gtld-servers.net'] }),
  address: Type.Union([Type.String(), Type.Null()], { examples: ['192.5.6.30'] }),
  nameservers: Type.Union([Type.Array(Type.String()), Type.Null()], {
    description: 'Those to which a server of the parent zone delegates the domain; null: not known',
  }),
  challenge: Type.Union([Type.Boolean(), Type.Null()], {
    description: 'Whether a nameserver has the TXT record; null: not known',
  }),
  problem: Type.Union([Type.String(), Type.Null()]),
});

const dateOrNull = Type.Union([Type.String({ format: 'date-time', examples: [EXAMPLE_DATE] }), Type.Null()]);

const claimShape = Type.Object({
  state: Type.Enum(claimStates, {
    description:
      'open: nobody has to show control of it; unverified: it is not served before control was shown',
  }),
  how: Type.Union([Type.Enum(claimProofs), Type.Null()], {
    description:
      'How control was shown; administrator: one has said so; parent: it is inside another domain of the account',
  }),
  next_step: Type.String({ description: 'What to do next, for people' }),
  nameservers: Type.Array(Type.String(), { description: 'Those of the account' }),
  challenge: Type.Union([
    Type.Object({
      name: Type.String({ examples: ['_zonewright-challenge.example.com'] }),
      type: Type.String({ examples: ['TXT'] }),
      data: Type.String({ examples: ['zonewright-claim=0123456789abcdef0123456789abcdef01234567'] }),
    }),
    Type.Null(),
  ]),
  seen: Type.Array(seenShape, { description: 'As the servers were last asked' }),
  date_checked: dateOrNull,
  date_verified: dateOrNull,
  date_expires: dateOrNull,
});

export const claimReply = Type.Object({ claim: claimShape });
export const claimPlanReply = Type.Object({ dry_run: Type.True(), claim: claimShape });
export const accountNameserversReply = Type.Object({ nameservers: Type.Array(Type.String()) });

/** Whether control of a domain was shown, and the next step. */
export type ClaimJson = Readonly<Static<typeof claimShape>>;
