// Routes that ask other servers about a domain (contract rules 86 and 87).
import { delegationReply } from './delegation-shape.ts';
import type { Endpoint } from './endpoint.ts';
import { explanationReply } from './explanation-shape.ts';

export const lookupEndpoints = [
  {
    id: 'explainAnswer',
    method: 'GET',
    path: '/v2/domains/{domain}/explain',
    group: 'Domains',
    needs: 'zones:read',
    summary: 'Show what the nameserver answers to a question, and which records make it so',
    answers: { 200: explanationReply },
    asksQuestion: true,
    atMoment: true,
    refusals: [404, 409],
  },
  {
    id: 'getDelegation',
    method: 'GET',
    path: '/v2/domains/{domain}/delegation',
    group: 'Domains',
    needs: 'domains:read',
    summary: 'Show how the parent zone delegates a domain, and what the registrar must be told',
    answers: { 200: delegationReply },
    refreshes: true,
    refusals: [404],
  },
] as const satisfies readonly Endpoint[];
