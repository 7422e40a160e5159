import { assert } from '../base/assert.ts';
import { finishSteps } from '../base/steps.ts';
import type { BatchView } from './batch-view.ts';
import type { Command, CommandResult } from './command.ts';
import { decide } from './decide.ts';
import type { Domain, ZoneName } from '../model/domain.ts';
import { memoryBatchView } from './memory-batch-view.test-support.ts';
import { parseRecord, type RecordInput } from '../model/parse-record.ts';
import type { RecordPatch } from '../model/record-patch.ts';
import type { RecordRules } from '../model/record-rules.ts';
import type { DomainRecord } from '../model/record.ts';

export const zone = 'example.com' as ZoneName;
export const rules: RecordRules = { txtLimitBytes: 4096, defaultTtlSeconds: null };
export const author = { accountId: 'account-1', keyId: 'key-1', atMs: 1_795_000_000_123 };
export const stranger = { accountId: 'account-2', keyId: 'key-2', atMs: 1_795_000_000_456 };

/** A record as parsing gives it, of `name type data`, with TTL 300 and no priority unless told. */
export function record(id: string, text: string, more: Partial<RecordInput> = {}): DomainRecord {
  const [name, type, ...data] = text.split(' ');
  const parsed = parseRecord({ name, type, data: data.join(' '), ttl: 300, ...more }, zone, rules);
  assert(parsed.ok, `the test's record is well-formed: ${text}`);
  return { id, ...parsed.value };
}

/** A store with the domain `example.com` of `author` and its one nameserver (`ns`), and what is done to it in words. */
export function scene(...lines: readonly string[]) {
  const view = memoryBatchView();
  decideAtOnce(
    {
      kind: 'createDomain',
      author,
      name: zone,
      address: null,
      nameservers: [record('ns', '@ NS ns1.example.net')],
    },
    view,
  );
  let ids = 0;
  const create = (text: string, more: Partial<RecordInput> = {}, by = author) =>
    decideAtOnce(
      { kind: 'createRecord', author: by, domain: zone, record: record(`r${++ids}`, text, more) },
      view,
    );
  const patch = (recordId: string, patch: RecordPatch, by = author, ruled = rules) =>
    decideAtOnce({ kind: 'updateRecord', author: by, domain: zone, recordId, patch, rules: ruled }, view);
  const remove = (recordId: string, by = author) =>
    decideAtOnce({ kind: 'deleteRecord', author: by, domain: zone, recordId }, view);
  for (const line of lines) assert(create(line).ok, `the scene is consistent: ${line}`);
  return { view, create, patch, remove };
}

export function domainOf(view: ReturnType<typeof memoryBatchView>): Domain {
  const domain = view.findDomain(zone);
  assert(domain !== undefined, 'the scene has its domain');
  return domain;
}

/** In all its steps. */
export function decideAtOnce<C extends Command>(command: C, view: BatchView): CommandResult<C>;
export function decideAtOnce(command: Command, view: BatchView): CommandResult<Command> {
  return finishSteps(decide(command, view));
}
