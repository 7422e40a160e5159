// API keys: the bodies that create them, and how they are shown.
import { permissions } from '../model/permission.ts';
import {
  MAX_GRANT_NAMES,
  MAX_GRANT_TYPES,
  MAX_GRANTS,
  MAX_NAMED_DOMAINS,
  MAX_NETWORKS,
} from '../model/rights-limits.ts';
import { bodyShape, optionalInteger, optionalText, optionalTexts, optionalWord } from './body-shape.ts';
import { Type, type Static } from './schema.ts';

const EXAMPLE_ID = '0193489f-8a3b-7abc-8def-0123456789ab';
const EXAMPLE_DATE = '2026-11-20T09:03:31+00:00';

const MAY = `Permissions: ${permissions.join(', ')}`;
const DOMAINS = `At most ${MAX_NAMED_DOMAINS} domains in all rights together; absent: all domains of the account`;
const NAMES = `At most ${MAX_GRANT_NAMES} names of records, relative to the domain. @ is the domain itself, **.dyn are all names below dyn, _acme-challenge.** are all names that begin with the label; absent: all names`;
const TYPES = `At most ${MAX_GRANT_TYPES} record types; absent: all types`;

/** One entry of `rights`, checked one by one. */
export const grantBody = bodyShape(
  Type.Object({
    may: Type.Array(Type.String(), { description: MAY, examples: [['records:create', 'records:delete']] }),
    domains: optionalTexts(DOMAINS, [['example.com']]),
    names: optionalTexts(NAMES, [['_acme-challenge.www']]),
    types: optionalTexts(TYPES, [['TXT']]),
  }),
);

export const createKeyBody = bodyShape(
  Type.Object(
    {
      label: optionalText('A label that tells the key from others', ['acme on web1']),
      scope: optionalWord(
        ['full', 'read', 'admin', 'limited'],
        'read: can only read; full (default): can also change everything in its account; admin: can also manage accounts and keys; limited: has the rights of the member rights',
      ),
      account: optionalText('Id of the account; if absent, the account of the API key'),
      rights: Type.Optional(
        Type.Union([Type.Array(grantBody.schema), Type.Null()], {
          description: `1 to ${MAX_GRANTS} entries; what one of them allows is allowed. The scope is then limited`,
        }),
      ),
      template: optionalWord(
        ['certificates', 'address', 'metrics'],
        'Ready-made rights. certificates: the TXT records that prove control of host to a certificate authority; address: the A and AAAA records of host; metrics: /metrics only',
      ),
      host: optionalText('The full name of a host in a domain of the account, for the templates', [
        'www.example.com',
      ]),
      networks: optionalTexts(
        `At most ${MAX_NETWORKS} addresses and networks from which the key can be used; absent: all`,
        [['192.0.2.0/24', '2001:db8::1']],
      ),
      date_expires: optionalText('The key is refused from then on; absent: never', [EXAMPLE_DATE]),
    },
    { examples: [{ label: 'acme on web1', template: 'certificates', host: 'www.example.com' }] },
  ),
);

export const rotateKeyBody = bodyShape(
  Type.Object(
    { overlap: optionalInteger('Seconds for which both keys can be used; absent: 0', [86_400]) },
    { examples: [{ overlap: 86_400 }] },
  ),
);

const keyScope = Type.Enum(['admin', 'full', 'read', 'limited']);

const orNull = <S extends Parameters<typeof Type.Union>[0][number]>(schema: S, description: string) =>
  Type.Union([schema, Type.Null()], { description });

const members = {
  scope: keyScope,
  label: Type.String(),
  date_created: Type.String({ format: 'date-time', examples: [EXAMPLE_DATE] }),
  rights: orNull(Type.Array(grantBody.schema), 'null: those of the scope'),
  summary: Type.String({ description: 'The rights as a sentence', examples: ['May see domains'] }),
  networks: orNull(Type.Array(Type.String()), 'null: all'),
  date_expires: orNull(Type.String({ format: 'date-time' }), 'null: never'),
  date_used: orNull(Type.String({ format: 'date-time' }), 'The last use, to within ten minutes; null: none'),
};

export const keyShape = Type.Object({
  id: Type.String({ format: 'uuid', examples: [EXAMPLE_ID] }),
  ...members,
});

export const newKeyShape = Type.Object({
  id: Type.String({ format: 'uuid', examples: [EXAMPLE_ID] }),
  key: Type.String({ description: 'The text of the key. Only the answer to its creation shows it' }),
  ...members,
});

export type KeyJson = Readonly<Static<typeof keyShape>>;
/** A new key; only this shape contains the text of the key. */
export type NewKeyJson = Readonly<Static<typeof newKeyShape>>;
export type KeyScope = KeyJson['scope'];
export type KeyTemplate = 'certificates' | 'address' | 'metrics';
