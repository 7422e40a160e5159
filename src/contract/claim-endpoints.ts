// The control of domains, and the nameservers of accounts (contract rule 85).
import { accountNameserversReply, claimPlanReply, claimReply } from './claim-shape.ts';
import type { Endpoint } from './endpoint.ts';
import { serviceNameserversReply } from './nameserver-shape.ts';

const CLAIM = '/v2/domains/{domain}/claim';

export const claimEndpoints = [
  {
    id: 'getClaim',
    method: 'GET',
    path: CLAIM,
    group: 'Domains',
    needs: 'domains:read',
    summary: 'Show whether control of a domain was shown, and how to show it',
    answers: { 200: claimReply },
    refusals: [404],
  },
  {
    id: 'checkClaim',
    method: 'POST',
    path: `${CLAIM}/check`,
    group: 'Domains',
    needs: 'domains:update',
    summary: 'Look now whether control of a domain was shown; it is served from then on',
    answers: { 200: claimReply },
    plan: claimPlanReply,
    refusals: [404],
  },
  {
    id: 'getAccountNameservers',
    method: 'GET',
    path: '/v2/account/nameservers',
    group: 'Account',
    needs: 'account:read',
    summary: 'List the nameservers that new domains of the account get',
    answers: { 200: accountNameserversReply },
    refusals: [],
  },
  {
    id: 'listNameservers',
    method: 'GET',
    path: '/v2/nameservers',
    group: 'Accounts and keys',
    needs: 'accounts:read',
    summary: 'List the nameservers of the whole service, and how far each process is',
    answers: { 200: serviceNameserversReply },
    refusals: [],
  },
  {
    id: 'verifyDomain',
    method: 'POST',
    path: '/v2/accounts/{id}/domains/{domain}/verify',
    group: 'Accounts and keys',
    needs: 'accounts:write',
    fresh: true,
    summary: 'Vouch for an account that controls a domain, which is served from then on',
    answers: { 200: claimReply },
    plan: claimPlanReply,
    refusals: [404],
  },
] as const satisfies readonly Endpoint[];
