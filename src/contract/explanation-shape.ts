// The shape of the explanation of an answer (contract rule 86).
import { Type, type Static } from './schema.ts';

export const explainedStepCodes = [
  'withheld',
  'other_domain',
  'exact_match',
  'made_by_service',
  'made_by_signing',
  'wildcard',
  'cname',
  'dname',
  'leaves_domain',
  'alias_loop',
  'alias_chain_long',
  'name_too_long',
  'delegation',
  'glue',
  'occluded',
  'empty_non_terminal',
  'no_such_name',
  'no_such_type',
  'not_known',
  'signed',
  'unsigned',
] as const;

const rcodeShape = Type.String({ examples: ['NOERROR'] });

const recordLines = Type.Array(Type.String(), { examples: [['www.example.com. 300 IN A 192.0.2.7']] });

const stepShape = Type.Object({
  code: Type.Enum(explainedStepCodes),
  name: Type.String({ description: 'The name that the step is about', examples: ['*.example.com'] }),
  message: Type.String(),
  records: Type.Array(Type.String(), { description: 'Ids of the records that made it' }),
});

const predictedShape = Type.Object({
  rcode: rcodeShape,
  answer: Type.Array(
    Type.Object({
      name: Type.String({ examples: ['www.example.com'] }),
      type: Type.String({ examples: ['A'] }),
    }),
    { description: 'The sets of the answer section' },
  ),
});

const servedShape = Type.Object({
  rcode: rcodeShape,
  authoritative: Type.Boolean(),
  answer: recordLines,
  authority: recordLines,
  additional: recordLines,
});

const resolverShape = Type.Object({
  address: Type.String({ examples: ['9.9.9.9'] }),
  rcode: Type.Union([rcodeShape, Type.Null()]),
  authenticated: Type.Union([Type.Boolean(), Type.Null()], {
    description: 'Whether the resolver says that it has validated the answer (AD)',
  }),
  answer: Type.Union([recordLines, Type.Null()], { description: 'With the time that is left of each TTL' }),
  duration_ms: Type.Union([Type.Integer(), Type.Null()]),
  problem: Type.Union([Type.String(), Type.Null()]),
});

const explanationShape = Type.Object({
  name: Type.String({ examples: ['www.example.com'] }),
  type: Type.String({ examples: ['A'] }),
  serial: Type.Integer({
    description: 'That of the domain when its records were read, or at the moment that was asked for',
  }),
  steps: Type.Array(stepShape, { description: 'From the question to the answer' }),
  predicted: Type.Union([predictedShape, Type.Null()], {
    description: 'The answer that follows from the records; null: they do not tell it',
  }),
  served: Type.Union([servedShape, Type.Null()], {
    description: 'The answer of the nameserver beside this process; null: none was asked, or it gave none',
  }),
  agrees: Type.Union([Type.Boolean(), Type.Null()], {
    description: 'Whether the answer is as predicted; null: one of them is not known',
  }),
  note: Type.Union([Type.String(), Type.Null()], { description: 'What is not known, or does not agree' }),
  resolver: Type.Union([resolverShape, Type.Null()]),
});

export const explanationReply = Type.Object({ explanation: explanationShape });

/** The answer to a question, and why it is this one. */
export type ExplanationJson = Readonly<Static<typeof explanationShape>>;
