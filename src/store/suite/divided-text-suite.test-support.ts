import { expect, test } from 'vitest';
import type { DomainRecord } from '../../model/record.ts';
import { importZone } from './change-scene.test-support.ts';
import { readShown as read, sentAsShown as sent } from './shown-records.test-support.ts';
import { newId, newName, newTxtRecord, type StoreScene } from './store-scene.test-support.ts';

const whole = ['ab'];
const divided = ['a', 'b'];

/** DNS-SD (RFC 6763 section 6) has an attribute in each character-string of TXT records. */
export function dividedTextSuite(scene: () => StoreScene): void {
  shownTextSuite(scene);
  importedTextSuite(scene);
}

function shownTextSuite(scene: () => StoreScene): void {
  test('text in several character-strings stays divided when it is written back as shown', async () => {
    const { tenant, domain, records } = await holdingTexts(scene(), [['txtvers=1', 'rp=printers/a', '']]);
    const [record] = records;
    const lastSeq = await scene().store.lastSeq();
    const repeat = { ok: true, changed: false };
    expect(await tenant.create(domain, sent(record))).toMatchObject({ ...repeat, value: record });
    expect(await tenant.update(domain, record.id, { data: record.data })).toMatchObject(repeat);
    for (const mode of ['replace', 'merge'] as const) {
      for (const again of [sent(record), { ...record, id: newId() }]) {
        const result = await importZone(tenant, { name: domain }, [again], { mode });
        expect(result).toMatchObject({ ...repeat, value: { unchanged: 1 } });
      }
    }
    expect(await scene().store.lastSeq()).toBe(lastSeq);
    await tenant.update(domain, record.id, { ttl: 60 });
    await tenant.update(domain, record.id, { data: record.data, name: 'other' });
    const after = { ...record, ttl: 60, owner: 'other', name: 'other' };
    expect(await read(tenant, domain)).toEqual([after]);
  });

  test('data that shows as another record of the name duplicates it, however that is divided', async () => {
    const { tenant, domain, records } = await holdingTexts(scene(), [divided, ['c']]);
    const refused = { refusal: { code: 'record_exists' } };
    expect(await tenant.create(domain, sent({ ...records[0], ttl: 60 }))).toMatchObject(refused);
    expect(await tenant.update(domain, records[1].id, { data: 'ab' })).toMatchObject(refused);
    expect(await read(tenant, domain)).toEqual(records);
  });

  test('reverting brings the division back', async () => {
    const { tenant, domain, records } = await holdingTexts(scene(), [divided]);
    const { serial } = await tenant.get(domain);
    await importZone(tenant, { name: domain }, [newTextRecord(whole)]);
    await scene().must({ kind: 'revertRecords', author: tenant.author, domain, to: serial });
    expect(await read(tenant, domain)).toEqual(records);
  });
}

function importedTextSuite(scene: () => StoreScene): void {
  test('a zone file changes the division of a text, in both modes, and the record keeps its id', async () => {
    for (const mode of ['replace', 'merge'] as const) {
      const { tenant, domain, records } = await holdingTexts(scene(), [whole, ['c']]);
      const again = [divided, ['c']].map(newTextRecord);
      const result = await importZone(tenant, { name: domain }, again, { mode });
      const after = { ...records[0], rdata: again[0].rdata };
      expect(result).toMatchObject({
        value: { created: [], deleted: [], updated: [{ before: records[0], after }], unchanged: 1 },
      });
      expect(await read(tenant, domain)).toEqual([after, records[1]]);
    }
  });

  test('a zone file with one text in two divisions has two records, in any order', async () => {
    for (const file of [
      [whole, divided],
      [divided, whole],
    ]) {
      const { tenant, domain, records } = await holdingTexts(scene(), [whole]);
      const both = file.map(newTextRecord);
      const result = await importZone(tenant, { name: domain }, both, { mode: 'merge' });
      expect(result).toMatchObject({ value: { created: [{}], updated: [], deleted: [], unchanged: 1 } });
      const now = await read(tenant, domain);
      expect(now.map(({ rdata }) => rdata)).toEqual([records[0].rdata, newTextRecord(divided).rdata]);
      const asShown = await importZone(tenant, { name: domain }, now.map(sent));
      expect(asShown).toMatchObject({ changed: false, value: { unchanged: 2 } });
      const one = await importZone(tenant, { name: domain }, [newTextRecord(divided)]);
      expect(one).toMatchObject({ value: { created: [], updated: [], unchanged: 1, deleted: [records[0]] } });
    }
  });

  test('an update to other character-strings is refused if its RRset no longer fits into an answer', async () => {
    const texts = Array.from({ length: 14 }, (_, at) => [`${at}`.padEnd(200, 'x'), 'y'.repeat(4000 - 200)]);
    const held = texts.map(([head, tail]) => [head, ...(tail.match(/.{1,200}/g) ?? [])]);
    const { tenant, domain, records } = await holdingTexts(scene(), held);
    const letters = texts.map((pieces) => newTextRecord(pieces.join('').split('')));
    const result = await importZone(tenant, { name: domain }, letters);
    expect(result).toMatchObject({ refusal: { code: 'invalid_request' } });
    expect(result).toHaveProperty('refusal.problems.0.field', 'data');
    expect(await read(tenant, domain)).toEqual(records);
  });
}

/** Creates a domain with these texts at one name, each in its character-strings. */
async function holdingTexts(scene: StoreScene, texts: readonly (readonly string[])[]) {
  const tenant = await scene.newAccount();
  const { name: domain } = await tenant.createDomain(newName());
  const records = texts.map(newTextRecord);
  await importZone(tenant, { name: domain }, records);
  return { tenant, domain, records };
}

function newTextRecord(strings: readonly string[]): DomainRecord {
  const rdata = Buffer.concat(strings.map((string) => Buffer.of(string.length, ...Buffer.from(string))));
  return { ...newTxtRecord('txt', Buffer.from(strings.join(''))), rdata: new Uint8Array(rdata) };
}
