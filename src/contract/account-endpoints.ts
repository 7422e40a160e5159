// The caller's account; for administrators all accounts and keys.
import type { Endpoint } from './endpoint.ts';
import * as bodies from './request-bodies.ts';
import * as shapes from './response-shapes.ts';

export const accountEndpoints = [
  {
    id: 'getAccount',
    method: 'GET',
    path: '/v2/account',
    group: 'Account',
    summary: 'Show the key’s own account',
    answers: { 200: shapes.ownAccountReply },
    refusals: [],
  },
  {
    id: 'listAccounts',
    method: 'GET',
    path: '/v2/accounts',
    group: 'Accounts and keys',
    summary: 'List all accounts (admin keys)',
    answers: { 200: shapes.accountPage },
    refusals: [],
    paged: true,
  },
  {
    id: 'createAccount',
    method: 'POST',
    path: '/v2/accounts',
    group: 'Accounts and keys',
    summary: 'Open an account and its first key (admin keys)',
    body: bodies.createAccountBody,
    answers: { 201: shapes.newAccountReply },
    plan: shapes.accountPlanReply,
    refusals: [],
  },
  {
    id: 'listKeys',
    method: 'GET',
    path: '/v2/keys',
    group: 'Accounts and keys',
    summary: 'List an account’s keys, never their text (admin keys)',
    answers: { 200: shapes.keyPage },
    refusals: [404],
    paged: true,
    namesAccount: true,
  },
  {
    id: 'createKey',
    method: 'POST',
    path: '/v2/keys',
    group: 'Accounts and keys',
    summary: 'Create a key (admin keys)',
    body: bodies.createKeyBody,
    answers: { 201: shapes.newKeyReply },
    plan: shapes.keyPlanReply,
    refusals: [404],
  },
  {
    id: 'revokeKey',
    method: 'DELETE',
    path: '/v2/keys/{id}',
    group: 'Accounts and keys',
    summary: 'Revoke a key (admin keys)',
    answers: { 204: null },
    plan: shapes.keyPlanReply,
    refusals: [404],
  },
] as const satisfies readonly Endpoint[];
