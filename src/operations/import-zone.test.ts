import { expect, test } from 'vitest';
import { openOperationScene } from './operation-scene.test-support.ts';
import { changeRecords } from './change-records.ts';
import { checkDomain } from './check-domain.ts';
import { createDomain } from './create-domain.ts';
import { createRecord } from './create-record.ts';
import { importZone } from './import-zone.ts';
import { deleteRecord } from './delete-record.ts';
import { exportZone } from './export-zone.ts';
import { findPathDomain } from './path-domain.ts';
import { SMALL_EXPORT_RECORDS } from './stream-zone.ts';
import { updateDomain } from './update-domain.ts';
import { SMALL_SHARE_OCTETS } from './work-memory.ts';
import { MAX_OPEN_VIEWS_PER_ACCOUNT, ZoneViews } from './zone-views.ts';
import type { Store } from '../store/store.ts';
import { CommitInDoubt, StoreBusy } from '../writes/store-errors.ts';

const { context, caller } = await openOperationScene();
const www = { type: 'A', name: 'www', data: '192.0.2.1', ttl: 300 };

async function textOf(domain: string): Promise<string> {
  const exported = await exportZone(context, caller, domain);
  if (!exported.ok) throw new Error(exported.refusal.message);
  return readAll(exported.value.text);
}

async function readAll(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}

test('importing an export changes nothing, and neither do SOA fields that are served already', async () => {
  await createDomain(context, caller, { domain: 'round.example', ip: '192.0.2.1' });
  const content = await textOf('round.example');
  const before = await findPathDomain(context, caller, 'round.example');
  const result = await importZone(context, caller, 'round.example', { mode: 'replace', content });
  expect(result).toMatchObject({
    value: {
      changed: { created: [], updated: [], deleted: [] },
      skipped: [],
      warnings: [{ code: 'nameserver_single' }],
    },
  });
  expect(await findPathDomain(context, caller, 'round.example')).toEqual(before);
});

test('an export shows one moment, even if the domain changes meanwhile', async () => {
  await createDomain(context, caller, { domain: 'moment.example' });
  const exported = await exportZone(context, caller, 'moment.example');
  if (!exported.ok) throw new Error(exported.refusal.message);
  await createRecord(context, caller, 'moment.example', www);
  expect(await readAll(exported.value.text)).not.toContain('www');
  expect(await textOf('moment.example')).toContain('www');
});

test('only a few whole domains are read at the same time, and each releases its permit', async () => {
  await createDomain(context, caller, { domain: 'places.example' });
  // A small domain is read at once.
  const content = Array.from({ length: SMALL_EXPORT_RECORDS }, (_, i) => `h${i} 60 A 192.0.2.1`).join('\n');
  await importZone(context, caller, 'places.example', { mode: 'merge', content });
  const open = () => exportZone(context, caller, 'places.example');
  const exports = await Promise.all(Array.from({ length: MAX_OPEN_VIEWS_PER_ACCOUNT }, open));
  let isOpen = false;
  const next = open().finally(() => (isOpen = true));
  await new Promise(setImmediate);
  expect(isOpen).toBe(false);
  const [first] = exports;
  if (!first.ok) throw new Error(first.refusal.message);
  await first.value.text.next();
  await first.value.text.return();
  const again = await next;
  expect(again).toMatchObject({ ok: true });
  for (const result of [...exports.slice(1), again]) {
    if (result.ok) await readAll(result.value.text);
  }
  expect(await exportZone(context, caller, 'none.example')).toMatchObject({ ok: false });
  expect(await textOf('places.example')).toContain('SOA');
});

test('a short export waits for none of those that are not read', async () => {
  await createDomain(context, caller, { domain: 'long.example' });
  await createDomain(context, caller, { domain: 'short.example' });
  const content = Array.from({ length: SMALL_EXPORT_RECORDS }, (_, i) => `h${i} 60 A 192.0.2.1`).join('\n');
  await importZone(context, caller, 'long.example', { mode: 'merge', content });
  const open = () => exportZone(context, caller, 'long.example');
  const unread = await Promise.all(Array.from({ length: MAX_OPEN_VIEWS_PER_ACCOUNT }, open));
  const short = Array.from({ length: 20 }, () => exportZone(context, caller, 'short.example'));
  for (const one of await Promise.all(short)) expect(one).toMatchObject({ ok: true });
  for (const result of unread) if (result.ok) await readAll(result.value.text);
});

test('a committed import is reported as such, even if its warnings cannot be determined', async () => {
  await createDomain(context, caller, { domain: 'done.example', ip: '192.0.2.1' });
  let reads = 0;
  let failure: Error = new StoreBusy('Long reads are under way');
  const openZoneView: Store['openZoneView'] = (...domain) =>
    reads++ === 0 ? context.store.openZoneView(...domain) : Promise.reject(failure);
  const store = Object.create(context.store, { openZoneView: { value: openZoneView } }) as Store;
  const content = `${await textOf('done.example')}www 300 CNAME nowhere\n`;
  const runImport = (terms: object) =>
    importZone({ ...context, store, zoneViews: new ZoneViews(store) }, { ...caller, terms }, 'done.example', {
      mode: 'replace',
      content,
    });
  const result = await runImport({});
  expect(result).toMatchObject({ ok: true, value: { changed: { unchanged: 2 }, warnings: [] } });
  expect(reads).toBe(2);
  expect(await textOf('done.example')).toContain('CNAME');
  reads = 0;
  await expect(runImport({ dryRun: true })).rejects.toThrow(StoreBusy);
  reads = 0;
  failure = new Error('a bug');
  await expect(runImport({})).rejects.toThrow(CommitInDoubt);
});

test('the preconditions of a write without changes are checked', async () => {
  const created = await createDomain(context, caller, { domain: 'terms.example' });
  const write = (terms: object) => updateDomain(context, { ...caller, terms }, 'terms.example', {});
  expect(await write({ ifMatch: ['"0-0"'] })).toMatchObject({ refusal: { code: 'precondition_failed' } });
  expect(created.ok && created.revision).toMatch(/^"/);
  const ifMatch = [created.ok ? created.revision : ''];
  expect(await write({ ifMatch })).toMatchObject({ ok: true });
  expect(await write({ dryRun: true })).toMatchObject({ difference: { unchanged: 1 }, warnings: [] });
});

test('a dry run that creates a domain returns its future records and warnings', async () => {
  const content =
    '$TTL 60\n@ SOA ns.old.example. dns.old.example. 1 2 3 4 5\n@ NS ns.old.example.\n@ MX 1 mail\n';
  const runImport = (terms: object) =>
    importZone(context, { ...caller, terms }, 'young.example', {
      mode: 'merge',
      content,
      isCreating: true,
    });
  const foreseen = await runImport({ dryRun: true });
  expect(foreseen).toMatchObject({
    difference: { created: [{ type: 15 }], soa: { after: { soaEmail: 'dns@old.example' } } },
    value: {
      skipped: [{ line: 2 }, { line: 3 }],
      warnings: [{ code: 'target_missing' }, { code: 'nameserver_single' }],
    },
  });
  expect(await findPathDomain(context, caller, 'young.example')).toMatchObject({ ok: false });
  const done = await runImport({});
  if (!done.ok || !foreseen.ok) throw new Error('refused');
  expect(done.value.skipped).toEqual(foreseen.value.skipped);
  expect(done.value.warnings.map(({ message }) => message)).toEqual(
    foreseen.value.warnings.map(({ message }) => message),
  );
  expect(await textOf('young.example')).toContain('ns1.example.net.');
});

test('an import does not create a domain with an invalid name', async () => {
  const runImport = (domain: string, isCreating: boolean) =>
    importZone(context, caller, domain, { mode: 'replace', content: '', isCreating });
  expect(await runImport('com', true)).toMatchObject({
    refusal: { code: 'invalid_request', field: 'domain' },
  });
  expect(await runImport('a..b', true)).toMatchObject({
    refusal: { code: 'invalid_request', field: 'domain' },
  });
  expect(await runImport('a..b', false)).toMatchObject({ refusal: { code: 'unknown_domain' } });
});

test('skipped records of a zone file count towards the limit of records', async () => {
  await createDomain(context, caller, { domain: 'aside.example' });
  const content = '$GENERATE 0-200000 @ 60 NS ns$.old.example.\n';
  const result = await importZone(context, caller, 'aside.example', { mode: 'merge', content });
  expect(result.ok ? '' : result.refusal.message).toMatch(/^At least 200001 records/);
});

test('oversized batches and imports are refused before any record is validated', async () => {
  await createDomain(context, caller, { domain: 'large.example' });
  const untaken = {
    [Symbol.iterator]: () => {
      throw new Error('no record may be validated');
    },
  };
  const batch = { count: 10_001, deletes: [], updates: [], creates: untaken };
  expect(await changeRecords(context, caller, 'large.example', batch)).toMatchObject({
    refusal: { code: 'invalid_request' },
  });
  const content = { count: 200_001, records: untaken };
  expect(await importZone(context, caller, 'large.example', { mode: 'merge', content })).toMatchObject({
    refusal: { code: 'invalid_request' },
  });
});

test.each(['replace', 'merge'] as const)(
  'a %s import into a new domain returns the same warnings as a check afterwards',
  async (mode) => {
    const domain = `warned-${mode}.example`;
    await createDomain(context, caller, { domain, ip: '10.0.0.1' });
    const runImport = (content: string) => importZone(context, caller, domain, { mode, content });
    const text = `@ 60 MX 10 nowhere\nwww 60 CNAME ${domain}.\n`;
    const first = await runImport(text);
    expect(first).toMatchObject({ ok: true, value: { changed: { created: [{}, {}] } } });
    const found = await checkDomain(context, caller, domain);
    expect(found.ok && found.value.length).toBe(mode === 'merge' ? 3 : 2);
    expect(first.ok && first.value.warnings).toEqual(found.ok && found.value);
    // The warnings are returned even if nothing changes.
    const second = await runImport(text);
    expect(second.ok && second.value.warnings).toEqual(found.ok && found.value);
  },
);

test('imports that hold all small memory of an account do not wait for more of it', async () => {
  const domains = ['a', 'b', 'c', 'd'].map((label) => `held-${label}.example`);
  for (const domain of domains) await createDomain(context, caller, { domain });
  const content = 'www 300 A 192.0.2.1\n';
  const imports = domains.map(async (domain) => {
    const share = await context.workMemory.reserve(caller.accountId, SMALL_SHARE_OCTETS - 10_000);
    try {
      return await importZone(context, { ...caller, share }, domain, { mode: 'replace', content });
    } finally {
      share.release();
    }
  });
  for (const result of await Promise.all(imports)) expect(result.ok).toBe(true);
});

test('the nameservers at the moment of the write decide whether an import replaces them', async () => {
  const domain = 'turned.example';
  await createDomain(context, caller, { domain });
  const content = '@ 60 NS ns1.other.example.\n@ 60 NS ns2.other.example.\n';
  const other = { type: 'NS', name: '', data: 'ns1.other.example', ttl: 60 };
  const created = await createRecord(context, caller, domain, other);
  if (!created.ok) throw new Error(created.refusal.message);
  const { id } = created.value;
  let isFirst = true;
  const write: Store['write'] = async (command) => {
    if (isFirst) {
      isFirst = false;
      const deleted = await deleteRecord(context, caller, domain, id);
      expect(deleted).toMatchObject({ ok: true });
    }
    return context.store.write(command);
  };
  const store = Object.assign(Object.create(context.store) as Store, { write });
  const result = await importZone({ ...context, store }, caller, domain, { mode: 'replace', content });
  expect(result).toMatchObject({ ok: true });
  const text = await textOf(domain);
  for (const host of ['ns1.example.net.', 'ns1.other.example.']) expect(text).toContain(`NS    ${host}`);
});
