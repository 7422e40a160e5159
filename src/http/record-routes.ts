// Routes of records.
import type { ListFormat } from '../contract/format-page.ts';
import { parseRecordFilter, recordFilterMembers } from '../contract/filter-query.ts';
import {
  formatFoundRecord,
  formatRecord,
  formatRecordLines,
  formatRecordReply,
  type ShownRecord,
} from '../contract/format-record.ts';
import { JSON_LINES_TYPE } from '../contract/json-lines-type.ts';
import { createRecordBody, updateRecordBody } from '../contract/request-bodies.ts';
import { createRecord } from '../operations/create-record.ts';
import { deleteRecord } from '../operations/delete-record.ts';
import { exportRecords } from '../operations/export-records.ts';
import { getRecord, listRecords, searchRecords } from '../operations/read-records.ts';
import { updateRecord } from '../operations/update-record.ts';
import {
  answerCreated,
  answerDone,
  answerError,
  answerFound,
  answerMalformed,
  answerStream,
} from './answer.ts';
import { readBody } from './json-body.ts';
import { answerList } from './list-answer.ts';
import type { RouteHandler } from './route-handler.ts';

const recordList: ListFormat<ShownRecord> = {
  member: 'records',
  listKey: 'id',
  filteredBy: recordFilterMembers,
  keyOf: (record) => record.id,
  formatRow: formatRecord,
  lengthOf: ({ data }) => data.length,
};

const foundList: ListFormat<FoundRecord> = {
  member: 'records',
  listKey: 'place',
  filteredBy: recordFilterMembers,
  keyOf: ({ domain, id }) => `${domain} ${id}`,
  formatRow: formatFoundRecord,
  lengthOf: ({ data }) => data.length,
};

type FoundRecord = ShownRecord & { readonly domain: string };

export const recordRoutes = {
  listRecords: async (context, caller, request, getSignal) => {
    const filter = parseRecordFilter(request.query);
    if (!filter.ok) return answerMalformed(filter.problem);
    const { domain } = request.params;
    return answerList(caller, request, recordList, (page) =>
      listRecords(context, caller, domain, page, filter.value, getSignal),
    );
  },

  exportRecords: async (context, caller, { params }) => {
    const result = await exportRecords(context, caller, params.domain, formatRecordLines);
    const answer = answerStream(result, ({ text }) => text, JSON_LINES_TYPE);
    if (!result.ok) return answer;
    const fileName = `attachment; filename="${result.value.domain.name}.records.jsonl"`;
    return { ...answer, headers: [...(answer.headers ?? []), 'Content-Disposition', fileName] };
  },

  searchRecords: async (context, caller, request, getSignal) => {
    const filter = parseRecordFilter(request.query);
    if (!filter.ok) return answerMalformed(filter.problem);
    return answerList(caller, request, foundList, (page) =>
      searchRecords(context, caller, page, filter.value, getSignal),
    );
  },

  createRecord: async (context, caller, { params, body }) => {
    const input = readBody(body, createRecordBody);
    if (!input.ok) return answerError(input.refusal);
    const result = await createRecord(context, caller, params.domain, input.value);
    return answerCreated(result, formatRecordReply);
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
