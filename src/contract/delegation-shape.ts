// The shape of the state of a delegation (contract rule 87).
import { Type, type Static } from './schema.ts';

export const delegationStates = [
  'delegated',
  'partly',
  'elsewhere',
  'not_delegated',
  'no_parent_answer',
] as const;

export const delegationProblemCodes = [
  'parent_unknown',
  'server_without_answer',
  'domain_withheld',
  'nameserver_placeholder',
  'nameserver_missing',
  'nameserver_unexpected',
  'glue_missing',
  'glue_unexpected',
  'ds_missing',
  'ds_unexpected',
  'ds_unknown',
] as const;

const nameserverList = Type.Array(Type.String(), { examples: [['ns1.example.net', 'ns2.example.net']] });

const glueList = Type.Array(
  Type.Object({
    name: Type.String({ examples: ['ns1.example.com'] }),
    address: Type.String({ examples: ['192.0.2.53'] }),
  }),
  { description: 'Addresses of nameservers that are inside the domain' },
);

const dsList = Type.Array(Type.String(), { description: 'Data of DS records' });

const serverShape = Type.Object({
  server: Type.String({ examples: ['a.gtld-servers.net'] }),
  address: Type.Union([Type.String(), Type.Null()], { examples: ['192.5.6.30'] }),
  nameservers: Type.Union([nameserverList, Type.Null()], { description: 'null: not known' }),
  glue: Type.Union([glueList, Type.Null()], { description: 'null: not known' }),
  ds: Type.Union([dsList, Type.Null()], { description: 'null: not known' }),
  problem: Type.Union([Type.String(), Type.Null()]),
});

const delegationShape = Type.Object({
  state: Type.Enum(delegationStates, {
    description:
      'delegated: the parent zone names exactly the expected nameservers; partly: some of them, or others as well, or its servers do not agree; elsewhere: only others; not_delegated: none; no_parent_answer: not known',
  }),
  next_step: Type.String({ description: 'What to do next, for people' }),
  parent: Type.Union([Type.String(), Type.Null()], {
    description: 'The parent zone; null: not known',
    examples: ['com'],
  }),
  expected: Type.Object({ nameservers: nameserverList, glue: glueList, ds: dsList }),
  servers: Type.Array(serverShape, { description: 'Each address of each server of the parent zone' }),
  problems: Type.Array(
    Type.Object({
      code: Type.Enum(delegationProblemCodes),
      message: Type.String(),
      servers: Type.Array(Type.String(), { description: 'The servers of the parent zone where it was seen' }),
    }),
  ),
  looked_at: Type.Union(
    [Type.String({ format: 'date-time', examples: ['2026-11-20T09:03:31+00:00'] }), Type.Null()],
    { description: 'When the servers were asked; null: they were not' },
  ),
});

export const delegationReply = Type.Object({ delegation: delegationShape });

/** How the parent zone delegates a domain, how it should, and the next step. */
export type DelegationJson = Readonly<Static<typeof delegationShape>>;
