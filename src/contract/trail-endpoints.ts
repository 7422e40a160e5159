// The trail says who did what, when and from where. No route changes it (contract rule 82).
import type { Endpoint } from './endpoint.ts';
import { JSON_LINES_TYPE } from './json-lines-type.ts';
import { trailExport, trailPage } from './trail-shape.ts';

const GROUP = 'Account';

export const trailEndpoints = [
  {
    id: 'listTrail',
    method: 'GET',
    path: '/v2/trail',
    group: GROUP,
    needs: ['trail:read', 'accounts:read'],
    summary: 'List who did what in an account, latest first: log-ins, refusals, keys, rights, exports',
    answers: { 200: trailPage },
    refusals: [404],
    paged: true,
    filtered: 'trail',
  },
  {
    id: 'exportTrail',
    method: 'GET',
    path: '/v2/trail/export',
    group: GROUP,
    needs: ['trail:read', 'accounts:read'],
    summary: 'Export the trail as JSON lines, earliest first',
    answers: { 200: trailExport },
    contentType: JSON_LINES_TYPE,
    refusals: [404],
    filtered: 'trail',
  },
] as const satisfies readonly Endpoint[];
