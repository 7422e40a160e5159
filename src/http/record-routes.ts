// A domain's records.
import type { ListFormat } from '../contract/format-page.ts';
import { formatRecord, formatRecordReply, type ShownRecord } from '../contract/format-record.ts';
import { createRecordBody, updateRecordBody } from '../contract/request-bodies.ts';
import { createRecord } from '../operations/create-record.ts';
import { deleteRecord } from '../operations/delete-record.ts';
import { getRecord } from '../operations/get-record.ts';
import { listRecords } from '../operations/list-records.ts';
import { updateRecord } from '../operations/update-record.ts';
import { answerCreated, answerDone, answerError, answerFound } from './answer.ts';
import { readBody } from './json-body.ts';
import { answerList } from './list-answer.ts';
import type { RouteHandler } from './route-handler.ts';

const recordList: ListFormat<ShownRecord> = {
  member: 'records',
  listKey: 'id',
  keyOf: (record) => record.id,
  formatRow: formatRecord,
};

export const recordRoutes = {
  listRecords: (context, caller, request) =>
    answerList(request, recordList, (page) => listRecords(context, caller, request.params.domain, page)),

  createRecord: async (context, caller, { params, body }) => {
    const input = readBody(body, createRecordBody);
    if (!input.ok) return answerError(input.refusal);
    const outcome = await createRecord(context, caller, params.domain, input.value);
    return answerCreated(outcome, formatRecordReply);
  },

  getRecord: async (context, caller, { params }) =>
    answerFound(await getRecord(context, caller, params.domain, params.id), formatRecordReply),

  updateRecord: async (context, caller, { params, body }) => {
    const patch = readBody(body, updateRecordBody);
    if (!patch.ok) return answerError(patch.refusal);
    return answerDone(await updateRecord(context, caller, params.domain, params.id, patch.value));
  },

  deleteRecord: async (context, caller, { params }) =>
    answerDone(await deleteRecord(context, caller, params.domain, params.id)),
} satisfies Record<string, RouteHandler>;
