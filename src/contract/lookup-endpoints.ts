// Routes that ask other servers about a domain (contract rules 86 and 87).
import { delegationReply } from './delegation-shape.ts';
import type { Endpoint } from './endpoint.ts';

export const lookupEndpoints = [
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
