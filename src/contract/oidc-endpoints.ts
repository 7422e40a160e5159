// Signing in with OpenID Connect. The provider sends the browser back to a page outside the interface (`OIDC_CALLBACK_PATH`).
import type { Endpoint } from './endpoint.ts';
import * as shapes from './oidc-shape.ts';

const GROUP = 'Users and sessions';

/** Answers with redirects, as browsers need it; routes below `/v2` never do (contract rule 1). */
export const OIDC_CALLBACK_PATH = '/sign-in/oidc';

export const oidcEndpoints = [
  {
    id: 'getProvider',
    method: 'GET',
    path: '/v2/session/oidc',
    group: GROUP,
    needs: 'anyone',
    summary: 'Show the OpenID Connect provider with which users can sign in',
    answers: { 200: shapes.providerReply },
    refusals: [],
  },
  {
    id: 'startProviderSignIn',
    method: 'POST',
    path: '/v2/session/oidc/start',
    group: GROUP,
    needs: 'anyone',
    summary: 'Begin to sign in with the provider; the browser goes on at the URL of the answer',
    body: shapes.startBody,
    bodyMayBeEmpty: true,
    answers: { 200: shapes.startReply },
    refusals: [],
  },
  {
    id: 'startProviderConfirmation',
    method: 'POST',
    path: '/v2/session/oidc/confirm',
    group: GROUP,
    needs: 'user',
    summary: 'Begin to prove again with the provider who the user is',
    body: shapes.startBody,
    bodyMayBeEmpty: true,
    answers: { 200: shapes.startReply },
    refusals: [],
  },
  {
    id: 'startProviderInvitation',
    method: 'POST',
    path: '/v2/invitation/oidc/start',
    group: GROUP,
    needs: 'anyone',
    summary: 'Begin to accept an invitation with the provider',
    body: shapes.startInvitationBody,
    answers: { 200: shapes.startReply },
    refusals: [404],
  },
  {
    id: 'listIdentities',
    method: 'GET',
    path: '/v2/user/oidc',
    group: GROUP,
    needs: 'user',
    summary: 'List the identities at providers that sign the user in',
    answers: { 200: shapes.identitiesReply },
    refusals: [],
  },
  {
    id: 'startProviderLink',
    method: 'POST',
    path: '/v2/user/oidc/start',
    group: GROUP,
    needs: 'user',
    fresh: true,
    summary: 'Begin to link the user’s identity at the provider',
    body: shapes.startBody,
    bodyMayBeEmpty: true,
    answers: { 200: shapes.startReply },
    refusals: [],
  },
  {
    id: 'unlinkIdentity',
    method: 'DELETE',
    path: '/v2/user/oidc',
    group: GROUP,
    needs: 'user',
    fresh: true,
    summary: 'Unlink the user’s identity at the provider',
    answers: { 204: null },
    refusals: [404, 409],
  },
] as const satisfies readonly Endpoint[];
