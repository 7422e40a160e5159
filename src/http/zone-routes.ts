// Whole domains: export and import of zones, batches, checks.
import { formatChangesReply, formatImportReply, formatWarningsReply } from '../contract/format-changes.ts';
import { parseMoment } from '../contract/filter-query.ts';
import { firstText } from '../contract/page-query.ts';
import { parseFlag } from '../contract/parse-flag.ts';
import { batchBody, batchUpdate, createRecordBody, zoneBody } from '../contract/request-bodies.ts';
import { ZONE_FILE_TYPE } from '../contract/zone-file-type.ts';
import { refused, success, type Result, type WriteResult } from '../model/result.ts';
import { changeRecords } from '../operations/change-records.ts';
import { checkDomain } from '../operations/check-domain.ts';
import { importZone, type ImportedZone, type ZoneImport } from '../operations/import-zone.ts';
import { importPresignedZone } from '../operations/import-presigned-zone.ts';
import { exportDomain } from '../operations/export-domain.ts';
import {
  answerDryRun,
  answerError,
  answerFound,
  answerMalformed,
  answerStream,
  type Answer,
} from './answer.ts';
import { readLargeBody, readZoneBody } from './json-body.ts';
import { withMark } from './withheld-tag.ts';
import type { RouteHandler } from './route-handler.ts';

const PRESIGNED_REPLACES = 'presigned=true replaces the whole domain: use PUT';
const PRESIGNED_IS_TEXT =
  'presigned=true needs a zone file (Content-Type: text/dns), because records in JSON have no signatures';

const importWith =
  (mode: ZoneImport['mode']): RouteHandler =>
  async (context, caller, { params, query, body }) => {
    const isCreating = parseFlag(query, 'create');
    if (!isCreating.ok) return answerMalformed(isCreating.problem);
    const isPresigned = parseFlag(query, 'presigned');
    if (!isPresigned.ok) return answerMalformed(isPresigned.problem);
    if (isPresigned.value && mode !== 'replace') return answerMalformed(PRESIGNED_REPLACES);
    const content = await readContent(body);
    if (!content.ok) return content.answer;
    if (isPresigned.value) {
      if (typeof content.value !== 'string') return answerMalformed(PRESIGNED_IS_TEXT);
      const file = { content: content.value, isCreating: isCreating.value };
      return answerImport(await importPresignedZone(context, caller, params.domain, file));
    }
    const zone = { mode, content: content.value, isCreating: isCreating.value };
    return answerImport(await importZone(context, caller, params.domain, zone));
  };

export const zoneRoutes = {
  exportZone: async (context, caller, { params, query }) => {
    const moment = parseMoment(firstText(query['at']));
    if (!moment.ok) return answerMalformed(moment.problem);
    const isSigned = parseFlag(query, 'dnssec');
    if (!isSigned.ok) return answerMalformed(isSigned.problem);
    const choice = { moment: moment.value, isSigned: isSigned.value };
    const result = await exportDomain(context, caller, params.domain, choice);
    const answer = answerStream(result, ({ text }) => text, ZONE_FILE_TYPE);
    if (!result.ok) return answer;
    const fileName = `attachment; filename="${result.value.domain.name}.zone"`;
    return { ...answer, headers: [...(answer.headers ?? []), 'Content-Disposition', fileName] };
  },

  replaceZone: importWith('replace'),
  mergeZone: importWith('merge'),

  changeRecords: async (context, caller, { params, body }) => {
    const input = await readLargeBody(body, batchBody);
    if (!input.ok) return answerError(input.refusal);
    const { delete: deletes = [], update: updates = [], create: creates = [] } = input.value;
    const sent = {
      count: deletes.length + updates.length + creates.length,
      deletes: checkEach(deletes, checkId),
      updates: checkEach(updates, checkUpdate),
      creates: checkEach(creates, checkRecord),
    };
    return answerStream(await changeRecords(context, caller, params.domain, sent), formatChangesReply);
  },

  checkDomain: async (context, caller, { params }) => {
    const result = await checkDomain(context, caller, params.domain);
    const isMarked = result.ok && result.value.some(({ code }) => code === 'domain_withheld');
    return answerFound(isMarked ? withMark(result) : result, formatWarningsReply);
  },
} satisfies Record<string, RouteHandler>;

type ReadContent =
  | { readonly ok: true; readonly value: ZoneImport['content'] }
  | { readonly ok: false; readonly answer: Answer };

async function readContent(body: unknown): Promise<ReadContent> {
  const kind = readZoneBody(body);
  if (!kind.ok) return { ok: false, answer: answerMalformed(kind.problem) };
  if (kind.value.kind === 'text') return { ok: true, value: kind.value.text };
  const input = await readLargeBody(body, zoneBody);
  if (!input.ok) return { ok: false, answer: answerError(input.refusal) };
  const { records } = input.value;
  return { ok: true, value: { count: records.length, records: checkEach(records, checkRecord) } };
}

function answerImport(result: WriteResult<ImportedZone>): Answer {
  if (!result.ok || result.difference === undefined) return answerStream(result, formatImportReply);
  const { warnings, skipped, adjusted } = result.value;
  return answerDryRun(result, { difference: result.difference, warnings, skipped, adjusted });
}

/** Checks items as they are iterated: a whole zone takes a second, and oversized lists are rejected without iterating. */
function* checkEach<T>(items: readonly unknown[], check: (item: unknown) => T): Generator<T> {
  for (const item of items) yield check(item);
}

function checkRecord(item: unknown) {
  return createRecordBody.check(item, 'A record');
}

function checkId(item: unknown): Result<string> {
  return typeof item === 'string'
    ? success(item)
    : refused('invalid_request', 'A record id must be a string');
}

function checkUpdate(item: unknown) {
  const checked = batchUpdate.check(item, 'A change');
  if (!checked.ok) return checked;
  const { id, ...patch } = checked.value;
  return success({ id, patch });
}
