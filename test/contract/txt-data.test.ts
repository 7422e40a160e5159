import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bulkBody, counts } from '../harness/bulk-replies.ts';
import {
  createDomain,
  createRecord,
  expectError,
  expectUnchanged,
  listOwnRecords,
  listRecords,
  postRecord,
  readRecord,
} from '../harness/fixtures.ts';
import { chooseSeed } from '../harness/random.ts';
import { startForFile } from '../harness/service.ts';

const service = await startForFile();
const { http, dns } = service;
const longTexts = await startForFile({ ZONEWRIGHT_TXT_LIMIT: '64500' });

const DKIM_KEY = 'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA'.repeat(16);
const DKIM = `v=DKIM1; k=rsa; p=${DKIM_KEY}`;

/** Data as sent, and the content that DNS serves. */
const contents: [string, string][] = [
  ['v=spf1 mx -all', 'v=spf1 mx -all'],
  ['"v=spf1 mx -all"', 'v=spf1 mx -all'],
  ['"a" "b"', 'ab'],
  ['"a "  "b"', 'a b'],
  ['"a" "b" "c"', 'abc'],
  ['""', ''],
  ['  bare  ', 'bare'],
  [' \t"quoted"\n', 'quoted'],
  ['"  kept  "', '  kept  '],
  ['two  spaces', 'two  spaces'],
  ['a\\b', 'a\\b'],
  ['"a\\b"', 'a\\b'],
  ['a\\', 'a\\'],
  ['"a\\"', 'a\\'],
  ['\\', '\\'],
  ['a\\\\b', 'a\\\\b'],
  ['\\065', '\\065'],
  ['"\\;"', '\\;'],
  ['"say \\"hi\\" now"', 'say "hi" now'],
  ['say "hi" now', 'say "hi" now'],
  ['a"b', 'a"b'],
  ['"\\"\\""', '""'],
  ["it's; (fine) $ORIGIN @ *", "it's; (fine) $ORIGIN @ *"],
  ['grüße 🎉', 'grüße 🎉'],
  ['"line\nbreak\ttab\u0007bell"', 'line\nbreak\ttab\u0007bell'],
  ['"a\u0000b"', 'a\u0000b'],
  ['{"json":true}', '{"json":true}'],
  [DKIM, DKIM],
  [`"${DKIM}"`, DKIM],
  [`"${DKIM.slice(0, 255)}" "${DKIM.slice(255, 510)}" "${DKIM.slice(510)}"`, DKIM],
];

test.each(contents)(
  'rule 25: %j keeps its content, is returned in one pair of quotes and can be written back',
  async (given, content) => {
    const domain = await createDomain(service);
    const record = await createRecord(service, domain, { type: 'TXT', data: given });
    expect(record.data).toBe(`"${content.replaceAll('"', '\\"')}"`);
    expect(await dns.look(`www.${domain}`, 'TXT')).toEqual([content]);
    await expectUnchanged(service, domain, async () => {
      const again = await postRecord(service, domain, record);
      expect([again.status, again.json.record]).toEqual([200, record]);
      expect(
        (await http.patch(`/v2/domains/${domain}/records/${record.id}`, { data: record.data })).status,
      ).toBe(204);
    });
  },
);

const unwritable: [string, string][] = [
  ['octets that are not UTF-8', '"\\255\\195(" "\\000"'],
  ['a backslash before a quote', '"a\\\\\\"b"'],
  [
    'more such octets than U+FFFD fit',
    Array.from({ length: 16 }, () => `"${'\\254'.repeat(255)}"`).join(' '),
  ],
];

test.each(unwritable)('rule 25: a record of a zone file with %s can be written back', async (_, data) => {
  const domain = await createDomain(service);
  const path = `/v2/domains/${domain}`;
  const zoneFile = `txt 300 IN TXT ${data}\ntxt 300 IN TXT ${data} "2"\n`;
  bulkBody(await http.post(`${path}/zonefile`, zoneFile));
  const records = await listOwnRecords(service, domain);
  const [record] = records;
  const all = await listRecords(service, domain);
  await expectUnchanged(service, domain, async () => {
    for (const sent of records) expect((await postRecord(service, domain, sent)).json.record).toEqual(sent);
    expect((await http.patch(`${path}/records/${record.id}`, { data: record.data })).status).toBe(204);
    const batch = { update: [{ id: record.id, data: record.data, ttl: 300 }], create: records };
    expect(counts(bulkBody(await http.post(`${path}/batch`, batch)).changes)).toMatch(/ 3 unchanged$/);
    for (const method of ['put', 'post'] as const) {
      const declared = bulkBody(await http[method](`${path}/zonefile`, { records: all }));
      expect(counts(declared.changes)).toMatch(/^0 created, 0 updated, 0 deleted, /);
    }
  });
  const { changes } = bulkBody(await http.put(`${path}/zonefile`, zoneFile));
  expect(counts(changes)).toMatch(/^0 created, 0 updated, 0 deleted, /);
});

test('rule 25: character-strings of a zone file are served as they are, also after they are written back', async () => {
  const domain = await createDomain(service);
  const path = `/v2/domains/${domain}`;
  const zoneFile = `txt 300 IN TXT "txtvers=1" "rp=printers/a" ""\n`;
  bulkBody(await http.post(`${path}/zonefile`, zoneFile));
  const [record] = await listOwnRecords(service, domain);
  expect(record.data).toBe('"txtvers=1rp=printers/a"');
  const all = await listRecords(service, domain);
  await expectUnchanged(service, domain, async () => {
    for (const data of [record.data, 'txtvers=1rp=printers/a', '"txtvers=1" "rp=printers/a"'])
      expect((await postRecord(service, domain, { ...record, data })).json.record).toEqual(record);
    expect((await http.patch(`${path}/records/${record.id}`, { data: record.data })).status).toBe(204);
    bulkBody(await http.put(`${path}/zonefile`, { records: all }));
    bulkBody(await http.put(`${path}/zonefile`, zoneFile));
  });
  const { packet } = await dns.ask(`txt.${domain}`, 'TXT');
  expect((packet.answers[0].data as Buffer[]).map(String)).toEqual(['txtvers=1', 'rp=printers/a', '']);
  expect((await http.get(`${path}/zonefile`)).text).toContain('TXT   "txtvers=1" "rp=printers/a" ""');
});

test.each([
  ['"abc', /^Record data must be enclosed in quotes/],
  ['abc"', /^Record data must be enclosed in quotes/],
  ['"', /^Record data must be enclosed in quotes/],
  ['"a" b', /^Record data must be enclosed in quotes/],
  ['a "b"', /^Record data must be enclosed in quotes/],
  ['a\\"b', /./],
  ['"a\\\\"b"', /./],
  ['"a\\\\\\"b"', /./],
])('rule 25: %j is 400', async (data, text) => {
  const domain = await createDomain(service);
  const { id } = await createRecord(service, domain, { type: 'TXT', data: 'before' });
  await expectUnchanged(service, domain, async () => {
    expectError(await postRecord(service, domain, { type: 'TXT', data }), 400, text);
    expectError(await http.patch(`/v2/domains/${domain}/records/${id}`, { data }), 400, text);
  });
});

test('rule 25: any text inside quotes is served, and writing it back as it is shown changes nothing', async () => {
  const seed = chooseSeed();
  console.log(`TEST_SEED=${seed}`);
  const unit = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom('"', '\\', ' ', ';', '\t', '\\"', '" "', 'ü', '@') },
    { weight: 2, arbitrary: fc.string({ unit: 'grapheme', maxLength: 6 }) },
  );
  const texts = fc.sample(
    fc.array(unit, { maxLength: 12 }).map((parts) => parts.join('')),
    { seed, numRuns: 150 },
  );
  const domain = await createDomain(service);
  let number = 0;
  for (const content of texts) {
    const name = `n${number++}`;
    const data = `"${content.replaceAll('"', '\\"')}"`;
    const reply = await postRecord(service, domain, { type: 'TXT', name, data });
    if (content.includes('\\"')) {
      expectError(reply, 400);
      continue;
    }
    expect(reply.status, `${data} ${reply.text}`).toBe(201);
    const record = reply.json.record!;
    expect(record.data).toBe(data);
    expect(await dns.look(`${name}.${domain}`, 'TXT')).toEqual([content]);
    expect((await postRecord(service, domain, record)).json.record).toEqual(record);
  }
});

test.each([
  [0, [0]],
  [1, [1]],
  [254, [254]],
  [255, [255]],
  [256, [255, 1]],
  [510, [255, 255]],
  [511, [255, 255, 1]],
  [4096, [...Array.from({ length: 16 }, () => 255), 16]],
])('rule 25: %i bytes are sent as character-strings of %j bytes', async (size, lengths) => {
  const domain = await createDomain(service);
  await createRecord(service, domain, { type: 'TXT', data: `"${'x'.repeat(size)}"` });
  const { packet } = await dns.ask(`www.${domain}`, 'TXT', { tcp: true });
  expect((packet.answers[0].data as Buffer[]).map((part) => part.length)).toEqual(lengths);
});

test('rule 25: content of more than 4,096 bytes (not characters) is 400 with a message that names the limit', async () => {
  const domain = await createDomain(service);
  const { id } = await createRecord(service, domain, { type: 'TXT', data: 'ü'.repeat(2048) });
  const quotes = `"${'\\"'.repeat(4096)}"`;
  expect((await createRecord(service, domain, { type: 'TXT', name: 'quotes', data: quotes })).data).toBe(
    quotes,
  );
  await expectUnchanged(service, domain, async () => {
    for (const data of [
      'x'.repeat(4097),
      `"${'x'.repeat(4097)}"`,
      'ü'.repeat(2049),
      `"${'x'.repeat(4000)}" "${'x'.repeat(97)}"`,
    ]) {
      expectError(await postRecord(service, domain, { type: 'TXT', data }), 400, /4,?096/);
      expectError(await http.patch(`/v2/domains/${domain}/records/${id}`, { data }), 400, /4,?096/);
    }
  });
});

test('rule 25: with a configured limit of 64,500 bytes, content of exactly that size is accepted', async () => {
  const domain = await createDomain(longTexts);
  const content = 'x'.repeat(64_499) + 'y';
  const { id } = await createRecord(longTexts, domain, { type: 'TXT', name: 'l', data: content });
  expect((await readRecord(longTexts, domain, id)).data).toBe(`"${content}"`);
  expect(await longTexts.dns.look(`l.${domain}`, 'TXT')).toEqual([content]);
  await expectUnchanged(longTexts, domain, async () => {
    expectError(
      await postRecord(longTexts, domain, { type: 'TXT', name: 'm', data: `${content}z` }),
      400,
      /64,?500/,
    );
  });
  expect(await listOwnRecords(longTexts, domain)).toHaveLength(1);
});
