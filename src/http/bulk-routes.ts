// Whole domains at once: master files in and out, batches, checks.
import { formatChangesReply, formatImportReply, formatWarningsReply } from '../contract/format-changes.ts';
import { parseMoment } from '../contract/filter-query.ts';
import { firstText } from '../contract/page-query.ts';
import { parseFlag } from '../contract/parse-flag.ts';
import { batchBody, batchUpdate, createRecordBody, zoneBody } from '../contract/request-bodies.ts';
import { zoneFileType } from '../contract/zone-file-type.ts';
import type { Outcome } from '../model/refusal.ts';
import { changeRecords } from '../operations/change-records.ts';
import { checkDomain } from '../operations/check-domain.ts';
import { declareRecords, type Declared, type DeclaredZone } from '../operations/declare-records.ts';
import { exportZone } from '../operations/export-zone.ts';
import {
  answerDryRun,
  answerError,
  answerFound,
  answerMalformed,
  answerStream,
  type Answer,
} from './answer.ts';
import { readBody, readZoneBody } from './json-body.ts';
import type { RouteHandler } from './route-handler.ts';

const declare =
  (mode: DeclaredZone['mode']): RouteHandler =>
  async (context, caller, { params, query, body }) => {
    const isCreating = parseFlag(query, 'create');
    if (!isCreating.ok) return answerMalformed(isCreating.problem);
    const content = readContent(body);
    if (!content.ok) return content.answer;
    const declared = { mode, content: content.value, isCreating: isCreating.value };
    return answerDeclared(await declareRecords(context, caller, params.domain, declared));
  };

export const bulkRoutes = {
  exportZone: async (context, caller, { params, query }) => {
    const moment = parseMoment(firstText(query['at']));
    if (!moment.ok) return answerMalformed(moment.problem);
    const outcome = await exportZone(context, caller, params.domain, moment.value);
    const answer = answerStream(outcome, ({ text }) => text, zoneFileType);
    if (!outcome.ok) return answer;
    const fileName = `attachment; filename="${outcome.value.domain.name}.zone"`;
    return { ...answer, headers: [...(answer.headers ?? []), 'Content-Disposition', fileName] };
  },

  replaceZone: declare('replace'),
  mergeZone: declare('merge'),

  changeRecords: async (context, caller, { params, body }) => {
    const input = readBody(body, batchBody);
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

  checkDomain: async (context, caller, { params }) =>
    answerFound(await checkDomain(context, caller, params.domain), formatWarningsReply),
} satisfies Record<string, RouteHandler>;

function readContent(
  body: unknown,
):
  | { readonly ok: true; readonly value: DeclaredZone['content'] }
  | { readonly ok: false; readonly answer: Answer } {
  const kind = readZoneBody(body);
  if (!kind.ok) return { ok: false, answer: answerMalformed(kind.problem) };
  if (kind.value.kind === 'text') return { ok: true, value: kind.value.text };
  const input = readBody(body, zoneBody);
  if (!input.ok) return { ok: false, answer: answerError(input.refusal) };
  const { records } = input.value;
  return { ok: true, value: { count: records.length, records: checkEach(records, checkRecord) } };
}

function answerDeclared(outcome: Outcome<Declared>): Answer {
  if (!outcome.ok || outcome.difference === undefined) return answerStream(outcome, formatImportReply);
  const { warnings, setAside } = outcome.value;
  return answerDryRun(outcome, { difference: outcome.difference, warnings, setAside });
}

type Checked<T> = { readonly ok: true; readonly value: T; readonly created: boolean };

/** As they are taken: of a whole zone that is a second's work, and of too many none is. */
function* checkEach<T>(items: readonly unknown[], check: (item: unknown) => T): Generator<T> {
  for (const item of items) yield check(item);
}

function checkRecord(item: unknown) {
  const checked = createRecordBody.check(item, 'A record');
  return checked.ok ? checkedAs(checked.value) : checked;
}

function checkId(item: unknown): Outcome<string> {
  if (typeof item === 'string') return checkedAs(item);
  return { ok: false, refusal: { code: 'invalid_request', message: 'A record id must be a string' } };
}

function checkUpdate(item: unknown) {
  const checked = batchUpdate.check(item, 'A change');
  if (!checked.ok) return checked;
  const { id, ...patch } = checked.value;
  return checkedAs({ id, patch });
}

function checkedAs<T>(value: T): Checked<T> {
  return { ok: true, value, created: false };
}
