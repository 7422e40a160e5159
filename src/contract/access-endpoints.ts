// Operators look into accounts of others, after saying why.
import { accessBody, accessesReply, accessReply } from './access-shape.ts';
import type { Endpoint } from './endpoint.ts';

const GROUP = 'Users and sessions';

export const accessEndpoints = [
  {
    id: 'createAccess',
    method: 'POST',
    path: '/v2/accounts/{id}/access',
    group: GROUP,
    needs: 'operator',
    fresh: true,
    summary: 'Say why you look into an account, and read it for an hour',
    body: accessBody,
    answers: { 201: accessReply },
    refusals: [404],
  },
  {
    id: 'endAccess',
    method: 'DELETE',
    path: '/v2/accounts/{id}/access',
    group: GROUP,
    needs: 'operator',
    summary: 'End the access to an account',
    answers: { 204: null },
    refusals: [404],
  },
  {
    id: 'listOwnAccesses',
    method: 'GET',
    path: '/v2/accesses',
    group: GROUP,
    needs: 'operator',
    summary: 'List the accounts that you look into',
    answers: { 200: accessesReply },
    refusals: [],
  },
  {
    id: 'listAccesses',
    method: 'GET',
    path: '/v2/account/accesses',
    group: GROUP,
    needs: ['users:read', 'accounts:read'],
    summary: 'List the operators who look into an account, and why',
    answers: { 200: accessesReply },
    refusals: [404],
    namesAccount: true,
  },
] as const satisfies readonly Endpoint[];
