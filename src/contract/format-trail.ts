// The JSON text of entries of the trail, as contract rule 82 defines it.
import type { NumberedTrailEntry } from '../model/trail-entry.ts';
import { formatDate } from './format-date.ts';
import { jsonString } from './json-string.ts';

/** `{"id","account","date","action","actor","actor_name","address","object","detail","count","date_first"}`. */
export function formatTrailEntry(entry: NumberedTrailEntry): string {
  const { id, accountId, atMs, sinceMs, action, actor, actorName, address, object, detail, count } = entry;
  const who = `"actor":${jsonString(actor)},"actor_name":${jsonString(actorName)},"address":${textOrNull(address)}`;
  const what = `"object":${jsonString(object)},"detail":${detail ?? 'null'}`;
  const account = textOrNull(accountId === '' ? null : accountId);
  return `{"id":${id},"account":${account},"date":"${formatMoment(atMs)}","action":"${action}",${who},${what},"count":${count},"date_first":"${formatMoment(sinceMs)}"}`;
}

/** An entry a line. */
export function formatTrailLines(entries: readonly NumberedTrailEntry[]): string {
  let text = '';
  for (const entry of entries) text += `${formatTrailEntry(entry)}\n`;
  return text;
}

function textOrNull(text: string | null): string {
  return text === null ? 'null' : jsonString(text);
}

function formatMoment(ms: number): string {
  return formatDate(Math.floor(ms / 1000));
}
