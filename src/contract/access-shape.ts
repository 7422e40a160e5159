// Operators who look into accounts of others: bodies of requests and shapes of answers.
import { MAX_REASON_CHARACTERS } from '../model/user.ts';
import { bodyShape } from './body-shape.ts';
import { Type, type Static } from './schema.ts';

const EXAMPLE_ID = '0193489f-8a3b-7abc-8def-0123456789ab';
const EXAMPLE_DATE = '2026-11-20T09:03:31+00:00';
const REASON = 'Ticket 4711: mail does not arrive';

const id = Type.String({ format: 'uuid', examples: [EXAMPLE_ID] });

export const accessBody = bodyShape(
  Type.Object(
    {
      reason: Type.String({
        description: `1 to ${MAX_REASON_CHARACTERS} characters, for the owners of the account`,
        examples: [REASON],
      }),
    },
    { examples: [{ reason: REASON }] },
  ),
);

const accessShape = Type.Object({
  id,
  account: id,
  user: Type.Object({ id, email: Type.String({ examples: ['olga@example.net'] }) }),
  reason: Type.String({ examples: [REASON] }),
  date_created: Type.String({ format: 'date-time', examples: [EXAMPLE_DATE] }),
  date_expires: Type.String({ format: 'date-time', examples: [EXAMPLE_DATE] }),
});

export const accessReply = Type.Object({ access: accessShape });
export const accessesReply = Type.Object({ accesses: Type.Array(accessShape) });

export type AccessJson = Readonly<Static<typeof accessShape>>;
