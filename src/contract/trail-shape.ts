// The trail: shapes of its answers.
import { trailActions } from '../model/trail-entry.ts';
import { trailMetaShape } from './response-shapes.ts';
import { Type, type Static } from './schema.ts';

const EXAMPLE_ID = '0193489f-8a3b-7abc-8def-0123456789ab';
const EXAMPLE_DATE = '2026-11-20T09:03:31+00:00';

const textOrNull = (description: string, examples: readonly string[]) =>
  Type.Union([Type.String(), Type.Null()], { description, examples });

const trailEntryShape = Type.Object({
  id: Type.Integer({ description: 'Unique, and rising in the order of writing', examples: [4711] }),
  account: textOrNull('The id of the account that sees it; null: only operators do', [EXAMPLE_ID]),
  date: Type.String({ format: 'date-time', examples: [EXAMPLE_DATE] }),
  action: Type.Enum(trailActions, { examples: ['key.create'] }),
  actor: Type.String({
    description: 'The id of an API key, `user:` and the id of a user, or "" for nobody who is known',
    examples: [`user:${EXAMPLE_ID}`],
  }),
  actor_name: Type.String({
    description: 'At that time: the e-mail address of the user, or the label of the key',
    examples: ['anna@example.com'],
  }),
  address: textOrNull('The client’s address', ['192.0.2.1']),
  object: Type.String({
    description: 'The id of a key, user, account, session or invitation, or the name of a domain',
    examples: [EXAMPLE_ID],
  }),
  detail: Type.Union([Type.Object({}), Type.Null()], {
    description: 'More about it, for people: texts, numbers and true',
    examples: [{ label: 'terraform', scope: 'full' }],
  }),
  count: Type.Integer({ description: 'So many times: repeats within a minute are one entry', examples: [1] }),
  date_first: Type.String({
    format: 'date-time',
    description: 'The first of several; date is the last one',
    examples: [EXAMPLE_DATE],
  }),
});

export const trailPage = Type.Object({ trail: Type.Array(trailEntryShape), meta: trailMetaShape });

export const trailExport = Type.String({ description: 'Entries of the trail as JSON, one a line' });

export type TrailEntryJson = Readonly<
  Omit<Static<typeof trailEntryShape>, 'detail'> & {
    detail: Readonly<Record<string, string | number | boolean>> | null;
  }
>;
