// The history of domains, and the ways back to an earlier state.
import type { Endpoint } from './endpoint.ts';
import * as bodies from './request-bodies.ts';
import * as shapes from './response-shapes.ts';

const DOMAIN = '/v2/domains/{domain}';

export const historyEndpoints = [
  {
    id: 'listChanges',
    method: 'GET',
    path: `${DOMAIN}/changes`,
    group: 'History',
    needs: 'zones:read',
    summary: 'List the changes of a domain, newest first',
    answers: { 200: shapes.changePage },
    refusals: [404],
    paged: true,
    filtered: 'changes',
    tagged: true,
    tellsHistoryStart: true,
  },
  {
    id: 'revertRecords',
    method: 'POST',
    path: `${DOMAIN}/revert`,
    group: 'History',
    needs: 'zones:write',
    summary: 'Revert a domain’s records and SOA fields to an earlier serial',
    body: bodies.revertBody,
    answers: { 200: shapes.changesReply },
    refusals: [404, 409],
    tellsSerial: true,
  },
  {
    id: 'listDeletedDomains',
    method: 'GET',
    path: '/v2/deleted_domains',
    group: 'History',
    needs: 'domains:read',
    summary: 'List deleted domains that can be restored, most recently deleted first',
    answers: { 200: shapes.deletedDomainPage },
    refusals: [],
    paged: true,
  },
  {
    id: 'restoreDomain',
    method: 'POST',
    path: `${DOMAIN}/restore`,
    group: 'History',
    needs: 'domains:create',
    summary: 'Restore a deleted domain with everything it had',
    body: bodies.restoreBody,
    bodyMayBeEmpty: true,
    answers: { 200: shapes.domainReply },
    refusals: [404, 409],
    tellsSerial: true,
  },
] as const satisfies readonly Endpoint[];
