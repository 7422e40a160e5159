import fc from 'fast-check';
import { expect, test } from 'vitest';
import { change, importZone } from './change-scene.test-support.ts';
import { dividedTextSuite } from './divided-text-suite.test-support.ts';
import { readShown as read, sentAsShown as sent } from './shown-records.test-support.ts';
import { newName, newTxtRecord, type StoreScene, type Tenant } from './store-scene.test-support.ts';

const octets = (...values: number[]) => Uint8Array.from(values);
const text = (content: string) => Buffer.from(content);

/** TXT content that zone files and former, larger limits allow, but that text cannot express. */
const contents: readonly [string, Uint8Array][] = [
  ['an octet that is not UTF-8', octets(0xff)],
  ['such octets among text', octets(0x61, 0xc3, 0x28, 0, 0x22)],
  ['more of them than the limit lets U+FFFD be', new Uint8Array(4096).fill(0xff)],
  ['U+FFFD itself', text('\ufffd')],
  ['a backslash before a quote', text('a\\"b')],
  ['content beyond the limit', new Uint8Array(5000).fill(0x78)],
];

/** Rule 25: writing back what was read changes nothing, for any TXT content. */
export function shownSuite(scene: () => StoreScene): void {
  sameRecordSuite(scene);
  otherRecordSuite(scene);
  dividedTextSuite(scene);
  anyContentSuite(scene);
}

function sameRecordSuite(scene: () => StoreScene): void {
  test.for(contents)('%s, written back as it is shown, stays', async ([, content]) => {
    const { tenant, domain, records } = await holding(scene(), [content]);
    const [record] = records;
    const lastSeq = await scene().store.lastSeq();
    const repeat = { ok: true, changed: false };
    expect(await tenant.create(domain, sent(record))).toMatchObject({ ...repeat, value: record });
    expect(await tenant.update(domain, record.id, { data: record.data })).toMatchObject(repeat);
    const changes = {
      deletes: [],
      updates: [{ id: record.id, patch: { data: record.data } }],
      creates: [sent(record), sent(record)],
    };
    expect(await change(tenant, { name: domain }, changes)).toMatchObject({
      ...repeat,
      value: { unchanged: 3 },
    });
    for (const mode of ['replace', 'merge'] as const) {
      const result = await importZone(tenant, { name: domain }, [sent(record)], { mode });
      expect(result).toMatchObject({ ...repeat, value: { unchanged: 1 } });
    }
    expect(await scene().store.lastSeq()).toBe(lastSeq);
    expect(await tenant.create(domain, sent({ ...record, ttl: 60 }))).toMatchObject({
      refusal: { code: 'record_exists' },
    });
  });

  test.for(contents)('%s stays where other members of the record change', async ([, content]) => {
    const { tenant, domain, records } = await holding(scene(), [content]);
    const [{ id, data }] = records;
    await tenant.update(domain, id, { data, ttl: 60 });
    await importZone(tenant, { name: domain }, [sent({ ...records[0], ttl: 61 })]);
    await tenant.update(domain, id, { data, name: 'other' });
    const after = { ...records[0], owner: 'other', name: 'other', ttl: 61 };
    expect(await read(tenant, domain)).toEqual([after]);
  });
}

function otherRecordSuite(scene: () => StoreScene): void {
  test('records with the same shown text are imported separately', async () => {
    const alike = [octets(0xff), octets(0xfe), text('\ufffd')];
    const { tenant, domain, records } = await holding(scene(), alike);
    const again = records.map(sent);
    expect(await importZone(tenant, { name: domain }, again)).toMatchObject({
      changed: false,
      value: { unchanged: 3 },
    });
    const fewer = await importZone(tenant, { name: domain }, again.slice(1));
    expect(fewer).toMatchObject({ value: { deleted: [records[2]], created: [], updated: [], unchanged: 2 } });
    const more = await importZone(tenant, { name: domain }, [...again, sent({ ...records[0], name: 'new' })]);
    expect(more).toMatchObject({ value: { deleted: [], created: [{ name: 'new' }], unchanged: 2 } });
    expect((await read(tenant, domain)).at(-1)?.rdata).toEqual(newTxtRecord('', text('\ufffd')).rdata);
  });

  test('the TTL selects one of several records with the same shown text', async () => {
    const { tenant, domain, records } = await holding(scene(), [octets(0xff), octets(0xfe)]);
    await tenant.update(domain, records[1].id, { ttl: 60 });
    expect(await tenant.create(domain, sent({ ...records[1], ttl: 60 }))).toMatchObject({
      value: { id: records[1].id },
    });
    const turned = [sent({ ...records[1], ttl: 60 }), sent(records[0])];
    expect(await importZone(tenant, { name: domain }, turned)).toMatchObject({ changed: false });
  });

  test('octets from a zone file are stored exactly', async () => {
    const { tenant, domain } = await holding(scene(), [octets(0xff)]);
    const [other, both] = [newTxtRecord('txt', octets(0xfe)), newTxtRecord('txt', octets(0xff))];
    await importZone(tenant, { name: domain }, [other, both], { mode: 'merge' });
    expect((await read(tenant, domain)).map(({ rdata }) => rdata[1])).toEqual([0xff, 0xfe]);
  });

  test('reverting restores the octets that U+FFFD replaced', async () => {
    const { tenant, domain, records } = await holding(scene(), [octets(0xff)]);
    const [{ id, data }] = records;
    const { serial } = await tenant.get(domain);
    for (const written of ['a', data]) await tenant.update(domain, id, { data: written });
    expect((await read(tenant, domain))[0].rdata).toEqual(newTxtRecord('', text('\ufffd')).rdata);
    await scene().must({ kind: 'revertRecords', author: tenant.author, domain, to: serial });
    expect(await read(tenant, domain)).toEqual(records);
  });

  test('data that cannot be written is refused if no record shows it', async () => {
    const { tenant, domain, records } = await holding(scene(), [text('a')]);
    for (const content of [text('a\\"b'), new Uint8Array(5000).fill(0x78), new Uint8Array(4096).fill(0xff)]) {
      const record = sent(newTxtRecord('txt', content));
      const refused = { code: 'invalid_request', field: 'data' };
      expect(await tenant.create(domain, record)).toMatchObject({ refusal: refused });
      expect(await tenant.update(domain, records[0].id, { data: record.data })).toMatchObject({
        refusal: refused,
      });
      expect(await importZone(tenant, { name: domain }, [record])).toMatchObject({
        refusal: { problems: [{ ...refused, index: 0 }] },
      });
    }
    expect(await read(tenant, domain)).toEqual(records);
  });
}

function anyContentSuite(scene: () => StoreScene): void {
  test('a domain with any TXT content, written back as shown, is unchanged', async () => {
    const tenant = await scene().newAccount();
    const piece = fc.oneof(
      fc.constantFrom('\0', '\uffff', '\ufffd', '"', '\\', ' ', 'é', '😀').map(text),
      fc.uint8Array({ maxLength: 3 }),
    );
    const content = fc.array(piece, { maxLength: 5 }).map((pieces) => Buffer.concat(pieces));
    const anyContents = fc.uniqueArray(content, {
      maxLength: 8,
      selector: (octets) => octets.toString('hex'),
    });
    await fc.assert(
      fc.asyncProperty(anyContents, async (held) => {
        const { domain, records } = await holding(scene(), held, tenant);
        const lastSeq = await scene().store.lastSeq();
        const result = await importZone(tenant, { name: domain }, records.map(sent));
        expect(result).toMatchObject({ changed: false, value: { unchanged: held.length } });
        for (const record of records) {
          const created = await tenant.create(domain, sent(record));
          expect(created).toMatchObject({ changed: false, value: { data: record.data } });
          const updated = await tenant.update(domain, record.id, { data: record.data });
          expect(updated).toMatchObject({ changed: false, value: record });
        }
        expect(await scene().store.lastSeq()).toBe(lastSeq);
        await tenant.deleteDomain(domain);
      }),
      { numRuns: 20 },
    );
  });
}

/** Creates a domain with these TXT contents at one name. */
async function holding(scene: StoreScene, held: readonly Uint8Array[], by?: Tenant) {
  const tenant = by ?? (await scene.newAccount());
  const { name: domain } = await tenant.createDomain(newName());
  const records = held.map((content) => newTxtRecord('txt', content));
  await importZone(tenant, { name: domain }, records);
  return { tenant, domain, records };
}
