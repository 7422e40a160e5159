// Records, one at a time.
import type { Endpoint } from './endpoint.ts';
import * as bodies from './request-bodies.ts';
import * as shapes from './response-shapes.ts';

const RECORDS = '/v2/domains/{domain}/records';
const RECORD = '/v2/domains/{domain}/records/{id}';

export const recordEndpoints = [
  {
    id: 'listRecords',
    method: 'GET',
    path: RECORDS,
    group: 'Records',
    needs: 'records:read',
    summary: 'List a domain’s records, in creation order',
    answers: { 200: shapes.recordPage },
    refusals: [404],
    paged: true,
    filtered: 'records',
    tagged: true,
  },
  {
    id: 'searchRecords',
    method: 'GET',
    path: '/v2/records',
    group: 'Records',
    needs: 'records:read',
    summary: 'Find records in all of the account’s domains',
    answers: { 200: shapes.foundRecordPage },
    refusals: [],
    paged: true,
    filtered: 'records',
  },
  {
    id: 'createRecord',
    method: 'POST',
    path: RECORDS,
    group: 'Records',
    needs: 'records:create',
    summary: 'Create a record (200 if the same record exists)',
    body: bodies.createRecordBody,
    answers: { 201: shapes.recordReply, 200: shapes.recordReply },
    refusals: [404, 409],
    tellsSerial: true,
    warns: true,
  },
  {
    id: 'getRecord',
    method: 'GET',
    path: RECORD,
    group: 'Records',
    needs: 'records:read',
    summary: 'Show a record',
    answers: { 200: shapes.recordReply },
    refusals: [404],
    tagged: true,
  },
  {
    id: 'updateRecord',
    method: 'PATCH',
    path: RECORD,
    group: 'Records',
    needs: 'records:update',
    summary: 'Change a record',
    body: bodies.updateRecordBody,
    answers: { 204: null },
    refusals: [404, 409],
    tellsSerial: true,
  },
  {
    id: 'deleteRecord',
    method: 'DELETE',
    path: RECORD,
    group: 'Records',
    needs: 'records:delete',
    summary: 'Delete a record',
    answers: { 204: null },
    refusals: [404],
    tellsSerial: true,
  },
] as const satisfies readonly Endpoint[];
