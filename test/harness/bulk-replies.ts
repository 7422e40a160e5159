import { expect } from 'vitest';
import type { HttpReply, RecordBody } from './http-client.ts';

/* Replies to requests about whole domains. */

export interface Changes {
  readonly created: readonly RecordBody[];
  readonly updated: readonly {
    readonly before: RecordBody;
    readonly after: RecordBody;
    readonly strings?: { readonly before: string; readonly after: string };
  }[];
  readonly deleted: readonly RecordBody[];
  readonly unchanged: number;
  readonly soa?: { readonly before: object; readonly after: object };
}

export interface Adjusted {
  readonly code: string;
  readonly count: number;
  readonly message: string;
  readonly examples: readonly { readonly line?: number; readonly index?: number; readonly record: string }[];
}

export interface Warning {
  readonly code: string;
  readonly severity: string;
  readonly name: string;
  readonly type: string | null;
  readonly record: string | null;
  readonly message: string;
}

export interface Problem {
  readonly list?: string;
  readonly index?: number;
  readonly field?: string;
  readonly line?: number;
  readonly column?: number;
  readonly code: string;
  readonly message: string;
}

export interface HistoryChange {
  readonly serial: number;
  readonly date: string;
  readonly key: string;
  readonly address: string | null;
  readonly note: string | null;
  readonly action: string;
  readonly old: RecordBody | null;
  readonly new: RecordBody | null;
  readonly soa: object | null;
  readonly strings?: { readonly before: string; readonly after: string };
}

export interface BulkBody {
  readonly dry_run?: true;
  readonly changes: Changes;
  readonly set_aside?: readonly { readonly line: number; readonly reason: string; readonly record: string }[];
  readonly adjusted?: readonly Adjusted[];
  readonly warnings?: readonly Warning[];
}

/** The body of a write or a dry run. */
export function bulkBody(reply: HttpReply): BulkBody {
  expect(reply.status, reply.text).toBe(200);
  expect(reply.headers['content-type']).toBe('application/json');
  return JSON.parse(reply.text) as BulkBody;
}

/** Formats the number of changes of each kind. */
export function counts({ created, updated, deleted, unchanged }: Changes): string {
  return `${created.length} created, ${updated.length} updated, ${deleted.length} deleted, ${unchanged} unchanged`;
}

export function problemsOf(reply: HttpReply, status = 400): readonly Problem[] {
  expect(reply.status, reply.text).toBe(status);
  const { problems, more } = JSON.parse(reply.text) as { problems: readonly Problem[]; more: number };
  expect(more).toBe(0);
  return problems;
}

interface Rows {
  readonly changes: HistoryChange;
  readonly warnings: Warning;
  readonly records: RecordBody & { readonly domain: string };
  readonly deleted_domains: Readonly<Record<string, string>>;
}

/** The rows of a list reply. */
export function rowsOf<Member extends keyof Rows>(reply: HttpReply, member: Member): readonly Rows[Member][] {
  expect(reply.status, reply.text).toBe(200);
  return (JSON.parse(reply.text) as Record<Member, readonly Rows[Member][]>)[member];
}
