// OpenID Connect: bodies of requests, shapes of answers and their JSON text.
import type { Identity } from '../model/identity.ts';
import { bodyShape, optionalText } from './body-shape.ts';
import { formatDate } from './format-date.ts';
import { jsonString } from './json-string.ts';
import { Type, type Static } from './schema.ts';

const NEXT = optionalText('The path of the page to which the browser comes back; by default /', ['/domains']);

export const startBody = bodyShape(Type.Object({ next: NEXT }, { examples: [{ next: '/domains' }] }));

export const startInvitationBody = bodyShape(
  Type.Object({
    token: Type.String({ description: 'The text of the link after #', examples: ['zwi_…'] }),
    next: NEXT,
  }),
);

export const startReply = Type.Object({
  url: Type.String({
    description: 'The log-in page of the provider',
    examples: ['https://login.example.net/authorize?…'],
  }),
});

export const providerReply = Type.Object({
  oidc: Type.Union(
    [
      Type.Object({
        name: Type.String({ description: 'What people call the provider', examples: ['Example Login'] }),
      }),
      Type.Null(),
    ],
    { description: 'null: users cannot sign in with one' },
  ),
});

export type ProviderJson = Static<typeof providerReply>['oidc'];

export const identitiesReply = Type.Object({
  identities: Type.Array(
    Type.Object({
      issuer: Type.String({ examples: ['https://login.example.net'] }),
      subject: Type.String({ description: 'The user’s id at the provider' }),
      date_created: Type.String({ format: 'date-time', description: 'When it was linked' }),
    }),
  ),
});

/** The identity of a user at a provider. */
export type IdentityJson = Static<typeof identitiesReply>['identities'][number];

export function formatProviderReply(name: string | null): string {
  return `{"oidc":${name === null ? 'null' : `{"name":${jsonString(name)}}`}}`;
}

/** @param url the log-in page */
export function formatStartReply(url: string): string {
  return `{"url":${jsonString(url)}}`;
}

export function formatIdentitiesReply(identities: readonly Identity[]): string {
  const list = identities.map(
    ({ issuer, subject, createdAtSeconds }) =>
      `{"issuer":${jsonString(issuer)},"subject":${jsonString(subject)},"date_created":"${formatDate(createdAtSeconds)}"}`,
  );
  return `{"identities":[${list.join()}]}`;
}
