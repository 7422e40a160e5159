// Whole domains: export, import, batches and checks.
import type { Endpoint } from './endpoint.ts';
import * as bodies from './request-bodies.ts';
import * as shapes from './response-shapes.ts';
import { ZONE_FILE_TYPE } from './zone-file-type.ts';

const DOMAIN = '/v2/domains/{domain}';
const ZONE_FILE = '/v2/domains/{domain}/zonefile';

export const zoneEndpoints = [
  {
    id: 'exportZone',
    method: 'GET',
    path: ZONE_FILE,
    group: 'Whole domains',
    needs: 'zones:read',
    summary: 'Export a domain as a zone file',
    answers: { 200: shapes.zoneFileReply },
    contentType: ZONE_FILE_TYPE,
    atMoment: true,
    showsSigning: true,
    refusals: [404, 409],
    tagged: true,
    tellsSerial: true,
  },
  {
    id: 'replaceZone',
    method: 'PUT',
    path: ZONE_FILE,
    group: 'Whole domains',
    needs: 'zones:write',
    summary: 'Import a zone file or records, replacing all other records of the domain',
    body: bodies.zoneBody,
    carries: 'zone',
    takesPresigned: true,
    answers: { 200: shapes.importReply },
    refusals: [404, 409],
    tellsSerial: true,
  },
  {
    id: 'mergeZone',
    method: 'POST',
    path: ZONE_FILE,
    group: 'Whole domains',
    needs: 'zones:write',
    summary: 'Import a zone file or records, keeping all other records of the domain',
    body: bodies.zoneBody,
    carries: 'zone',
    answers: { 200: shapes.importReply },
    refusals: [404, 409],
    tellsSerial: true,
  },
  {
    id: 'changeRecords',
    method: 'POST',
    path: `${DOMAIN}/batch`,
    group: 'Whole domains',
    needs: ['records:create', 'records:update', 'records:delete'],
    summary: 'Delete, update and create many records as one change',
    body: bodies.batchBody,
    carries: 'batch',
    answers: { 200: shapes.changesReply },
    refusals: [404, 409],
    tellsSerial: true,
    warns: true,
  },
  {
    id: 'checkDomain',
    method: 'GET',
    path: `${DOMAIN}/check`,
    group: 'Whole domains',
    needs: 'zones:read',
    summary: 'List likely mistakes in a domain',
    answers: { 200: shapes.warningsReply },
    refusals: [404],
    tagged: true,
    tellsSerial: true,
  },
] as const satisfies readonly Endpoint[];
