import { expect, test } from 'vitest';
import { bulkBody } from '../harness/bulk-replies.ts';
import { createDomain } from '../harness/fixtures.ts';
import type { HttpReply } from '../harness/http-client.ts';
import { startForFile } from '../harness/service.ts';

/*
 * The same record by every way in: POST of a record, a batch, a list of records, a zone file. The verdict must be the same
 * everywhere, and so must the stored record. Rule 39 lists the differences that remain.
 */

const service = await startForFile();
const { http } = service;
const zone = await createDomain(service);
const international = await createDomain(service, `xn--mnchen-3ya.${zone}`);

interface Sent {
  readonly type: string;
  readonly name: string;
  readonly data: string;
  readonly ttl?: number | string;
  readonly priority?: number;
}

const REFUSED = 400;

/** The stored record as text without its domain, or the status of the refusal. */
function outcomeOf(reply: HttpReply): string | number {
  if (reply.status !== 200) return reply.status;
  const record = bulkBody(reply).changes.created.at(0);
  if (record === undefined) return 'skipped';
  const { name, ttl, type, priority, data } = record;
  return [name === '' ? '@' : name, ttl, type, ...(priority < 0 ? [] : [priority]), data]
    .join(' ')
    .replaceAll(zone, 'ZONE');
}

/** The outcomes of the three ways over JSON, which are always the same, and that of a zone file. */
async function send(
  domain: string,
  sent: Sent,
  line: string,
): Promise<{ json: unknown; file: unknown; problem: string | undefined }> {
  const path = `/v2/domains/${domain}`;
  const given = { ttl: 300, ...sent };
  const single = outcomeOf(await http.post(`${path}/records?dry_run=true`, given));
  const batch = outcomeOf(await http.post(`${path}/batch?dry_run=true`, { create: [given] }));
  const list = outcomeOf(await http.post(`${path}/zonefile?dry_run=true`, { records: [given] }));
  const reply = await http.post(`${path}/zonefile?dry_run=true`, `$TTL 300\n${line}\n`);
  expect({ batch, list }).toEqual({ batch: single, list: single });
  const problem =
    reply.status === 200
      ? undefined
      : (reply.json as { problems?: { line: number; message: string }[] }).problems;
  return {
    json: single,
    file: outcomeOf(reply),
    problem: problem?.map(({ line: at, message }) => `${at} ${message}`).join(),
  };
}

const long = 'x'.repeat(63);

/** Record, line of a zone file, outcome. */
const alike: [Sent, string, string | number][] = [
  // Names.
  [{ type: 'A', name: '', data: '192.0.2.1' }, '@ A 192.0.2.1', '@ 300 A 192.0.2.1'],
  [{ type: 'A', name: '@', data: '192.0.2.1' }, '@ A 192.0.2.1', '@ 300 A 192.0.2.1'],
  [{ type: 'A', name: 'www', data: '192.0.2.1' }, 'www A 192.0.2.1', 'www 300 A 192.0.2.1'],
  [{ type: 'A', name: `www.${zone}`, data: '192.0.2.1' }, `www.${zone}. A 192.0.2.1`, 'www 300 A 192.0.2.1'],
  [{ type: 'A', name: `www.${zone}.`, data: '192.0.2.1' }, `www.${zone}. A 192.0.2.1`, 'www 300 A 192.0.2.1'],
  [{ type: 'A', name: 'WwW', data: '192.0.2.1' }, 'WwW A 192.0.2.1', 'WwW 300 A 192.0.2.1'],
  [{ type: 'A', name: '*', data: '192.0.2.1' }, '* A 192.0.2.1', '* 300 A 192.0.2.1'],
  [{ type: 'A', name: '*.a', data: '192.0.2.1' }, '*.a A 192.0.2.1', '*.a 300 A 192.0.2.1'],
  [{ type: 'A', name: 'a.*.b', data: '192.0.2.1' }, 'a.*.b A 192.0.2.1', 'a.*.b 300 A 192.0.2.1'],
  [{ type: 'A', name: '_a._tcp', data: '192.0.2.1' }, '_a._tcp A 192.0.2.1', '_a._tcp 300 A 192.0.2.1'],
  [{ type: 'A', name: '0/25', data: '192.0.2.1' }, '0/25 A 192.0.2.1', '0/25 300 A 192.0.2.1'],
  [{ type: 'A', name: '-x-', data: '192.0.2.1' }, '-x- A 192.0.2.1', '-x- 300 A 192.0.2.1'],
  [{ type: 'A', name: 'a\\.b', data: '192.0.2.1' }, 'a\\.b A 192.0.2.1', 'a\\.b 300 A 192.0.2.1'],
  [{ type: 'A', name: 'a\\046b', data: '192.0.2.1' }, 'a\\046b A 192.0.2.1', 'a\\.b 300 A 192.0.2.1'],
  [{ type: 'A', name: 'a\\255', data: '192.0.2.1' }, 'a\\255 A 192.0.2.1', 'a\\255 300 A 192.0.2.1'],
  [{ type: 'A', name: 'a\\256', data: '192.0.2.1' }, 'a\\256 A 192.0.2.1', REFUSED],
  [{ type: 'A', name: 'a..b', data: '192.0.2.1' }, 'a..b A 192.0.2.1', REFUSED],
  [{ type: 'A', name: long, data: '192.0.2.1' }, `${long} A 192.0.2.1`, `${long} 300 A 192.0.2.1`],
  [{ type: 'A', name: `${long}x`, data: '192.0.2.1' }, `${long}x A 192.0.2.1`, REFUSED],
  [
    { type: 'A', name: `${long}.${long}.${long}.${long}`, data: '192.0.2.1' },
    `${long}.${long}.${long}.${long} A 192.0.2.1`,
    REFUSED,
  ],
  [{ type: 'A', name: 'www.example.net.', data: '192.0.2.1' }, 'www.example.net. A 192.0.2.1', REFUSED],
  // U-labels in names.
  [{ type: 'A', name: 'münchen', data: '192.0.2.1' }, 'münchen A 192.0.2.1', 'münchen 300 A 192.0.2.1'],
  [{ type: 'A', name: 'MÜNCHEN', data: '192.0.2.1' }, 'MÜNCHEN A 192.0.2.1', 'MÜNCHEN 300 A 192.0.2.1'],
  [
    { type: 'A', name: 'xn--mnchen-3ya', data: '192.0.2.1' },
    'xn--mnchen-3ya A 192.0.2.1',
    'xn--mnchen-3ya 300 A 192.0.2.1',
  ],
  [{ type: 'A', name: 'a\\.b.ö', data: '192.0.2.1' }, 'a\\.b.ö A 192.0.2.1', 'a\\.b.ö 300 A 192.0.2.1'],
  [{ type: 'A', name: '*.ö', data: '192.0.2.1' }, '*.ö A 192.0.2.1', '*.ö 300 A 192.0.2.1'],
  [{ type: 'A', name: '_x.ö', data: '192.0.2.1' }, '_x.ö A 192.0.2.1', '_x.ö 300 A 192.0.2.1'],
  [{ type: 'A', name: `ö.${zone}.`, data: '192.0.2.1' }, `ö.${zone}. A 192.0.2.1`, 'ö 300 A 192.0.2.1'],
  [{ type: 'A', name: 'a。ö', data: '192.0.2.1' }, 'a。ö A 192.0.2.1', 'a.ö 300 A 192.0.2.1'],
  [{ type: 'A', name: 'ö\\.b', data: '192.0.2.1' }, 'ö\\.b A 192.0.2.1', REFUSED],
  [{ type: 'A', name: 'a\u200db', data: '192.0.2.1' }, 'a\u200db A 192.0.2.1', REFUSED],
  [{ type: 'A', name: 'ö'.repeat(60), data: '192.0.2.1' }, `${'ö'.repeat(60)} A 192.0.2.1`, REFUSED],
  // Names in data.
  [{ type: 'CNAME', name: 'a', data: 'b.example' }, 'a CNAME b.example.', 'a 300 CNAME b.example'],
  [{ type: 'CNAME', name: 'a', data: 'B.Example' }, 'a CNAME B.Example.', 'a 300 CNAME B.Example'],
  [
    { type: 'CNAME', name: 'a', data: 'bücher.example' },
    'a CNAME bücher.example.',
    'a 300 CNAME bücher.example',
  ],
  [
    { type: 'CNAME', name: 'a', data: 'x\\.y.ö.example' },
    'a CNAME x\\.y.ö.example.',
    'a 300 CNAME x\\.y.ö.example',
  ],
  [
    { type: 'CNAME', name: 'a', data: 'Mail.ö.example' },
    'a CNAME Mail.ö.example.',
    'a 300 CNAME Mail.ö.example',
  ],
  [{ type: 'CNAME', name: 'a', data: 'ö\\.x.example' }, 'a CNAME ö\\.x.example.', REFUSED],
  [{ type: 'CNAME', name: 'a', data: 'a\u200db.example' }, 'a CNAME a\u200db.example.', REFUSED],
  [{ type: 'CNAME', name: 'a', data: '*.example' }, 'a CNAME *.example.', 'a 300 CNAME *.example'],
  [{ type: 'CNAME', name: 'a', data: `${long}x.example` }, `a CNAME ${long}x.example.`, REFUSED],
  [{ type: 'CNAME', name: '', data: 'b.example' }, '@ CNAME b.example.', 409],
  [{ type: 'NS', name: 'sub', data: 'ns.ö.example' }, 'sub NS ns.ö.example.', 'sub 300 NS ns.ö.example'],
  [{ type: 'PTR', name: 'a', data: 'b.example' }, 'a PTR b.example.', 'a 300 PTR b.example'],
  [{ type: 'DNAME', name: 'a', data: 'ö.example' }, 'a DNAME ö.example.', 'a 300 DNAME ö.example'],
  [{ type: 'RP', name: 'a', data: 'a.ö. b.ö.' }, 'a RP a.ö. b.ö.', 'a 300 RP a.ö. b.ö.'],
  [
    { type: 'HTTPS', name: 'a', data: '1 ö.example. alpn=h2' },
    'a HTTPS 1 ö.example. alpn=h2',
    'a 300 HTTPS 1 ö.example. alpn=h2',
  ],
  // Priorities.
  [
    { type: 'MX', name: '', data: 'mail.example', priority: 10 },
    '@ MX 10 mail.example.',
    '@ 300 MX 10 mail.example',
  ],
  [{ type: 'MX', name: '', data: '10 mail.example' }, '@ MX 10 mail.example.', '@ 300 MX 10 mail.example'],
  [
    { type: 'MX', name: '', data: '10 mail.example', priority: 10 },
    '@ MX 10 mail.example.',
    '@ 300 MX 10 mail.example',
  ],
  [{ type: 'MX', name: '', data: '10 mail.example', priority: 20 }, '@ MX 20 10 mail.example.', REFUSED],
  [{ type: 'MX', name: '', data: '65536 mail.example' }, '@ MX 65536 mail.example.', REFUSED],
  [{ type: 'MX', name: '', data: '0 .' }, '@ MX 0 .', '@ 300 MX 0 .'],
  [
    { type: 'SRV', name: '_a._tcp', data: '1 2 3 ö.example' },
    '_a._tcp SRV 1 2 3 ö.example.',
    '_a._tcp 300 SRV 1 2 3 ö.example',
  ],
  // TTLs.
  [{ type: 'A', name: 'a', data: '192.0.2.1', ttl: 1 }, 'a 1 A 192.0.2.1', 'a 1 A 192.0.2.1'],
  [
    { type: 'A', name: 'a', data: '192.0.2.1', ttl: 2_147_483_647 },
    'a 2147483647 A 192.0.2.1',
    'a 2147483647 A 192.0.2.1',
  ],
  [{ type: 'A', name: 'a', data: '192.0.2.1', ttl: 2_147_483_648 }, 'a 2147483648 A 192.0.2.1', REFUSED],
  [{ type: 'A', name: 'a', data: '192.0.2.1', ttl: -1 }, 'a -1 A 192.0.2.1', REFUSED],
  // Types, known and unknown.
  [{ type: 'a', name: 'a', data: '192.0.2.1' }, 'a a 192.0.2.1', 'a 300 A 192.0.2.1'],
  [{ type: 'TYPE1', name: 'a', data: '192.0.2.1' }, 'a TYPE1 192.0.2.1', 'a 300 A 192.0.2.1'],
  [
    { type: 'TYPE65280', name: 'a', data: '\\# 2 C0DE' },
    'a TYPE65280 \\# 2 C0DE',
    'a 300 TYPE65280 \\# 2 C0DE',
  ],
  [{ type: 'TYPE65280', name: 'a', data: '\\# 0' }, 'a TYPE65280 \\# 0', 'a 300 TYPE65280 \\# 0'],
  [{ type: 'TYPE65280', name: 'a', data: 'c0de' }, 'a TYPE65280 c0de', REFUSED],
  [{ type: 'A', name: 'a', data: '\\# 3 C00002' }, 'a A \\# 3 C00002', REFUSED],
  [{ type: 'MX', name: 'a', data: '\\# 3 000A00' }, 'a MX \\# 3 000A00', 'a 300 MX 10 .'],
  [{ type: 'ANY', name: 'a', data: '\\# 0' }, 'a ANY \\# 0', REFUSED],
  [{ type: 'OPT', name: 'a', data: '\\# 0' }, 'a OPT \\# 0', REFUSED],
  [{ type: 'NOPE', name: 'a', data: 'x' }, 'a NOPE x', REFUSED],
  [{ type: 'APL', name: 'a', data: '' }, 'a APL', 'a 300 APL '],
  [{ type: 'A', name: 'a', data: '' }, 'a A', REFUSED],
  [
    { type: 'HIP', name: 'a', data: '2 200100107B1A74DF365639CC39F1D578 AwEAAbdx r.ö.' },
    'a HIP 2 200100107B1A74DF365639CC39F1D578 AwEAAbdx r.ö.',
    'a 300 HIP 2 200100107B1A74DF365639CC39F1D578 AwEAAbdx r.ö.',
  ],
  [{ type: 'X25', name: 'a', data: '"311061700956"' }, 'a X25 "311061700956"', 'a 300 X25 "311061700956"'],
  // Text.
  [{ type: 'TXT', name: 'a', data: '"b c"' }, 'a TXT "b c"', 'a 300 TXT "b c"'],
  [{ type: 'TXT', name: 'a', data: 'b' }, 'a TXT b', 'a 300 TXT "b"'],
  [{ type: 'TXT', name: 'a', data: '""' }, 'a TXT ""', 'a 300 TXT ""'],
  [{ type: 'TXT', name: 'a', data: '"b" "c"' }, 'a TXT "b" "c"', 'a 300 TXT "bc"'],
  [{ type: 'TXT', name: 'a', data: '"münchen"' }, 'a TXT "münchen"', 'a 300 TXT "münchen"'],
  [{ type: 'TXT', name: 'a', data: '"say \\"hi\\""' }, 'a TXT "say \\"hi\\""', 'a 300 TXT "say \\"hi\\""'],
  [{ type: 'TXT', name: 'a', data: '"b' }, 'a TXT "b', REFUSED],
  [{ type: 'TXT', name: 'a', data: `"${'x'.repeat(4097)}"` }, `a TXT ${'"x" '.repeat(4097)}`, REFUSED],
  [
    { type: 'TXT', name: 'a', data: `"${'x'.repeat(4096)}"` },
    `a TXT ${`"${'x'.repeat(128)}" `.repeat(32)}`,
    `a 300 TXT "${'x'.repeat(4096)}"`,
  ],
];

test('rule 39: each way in judges alike and stores the same', async () => {
  for (const [sent, line, outcome] of alike) {
    const { json, file, problem } = await send(zone, sent, line);
    expect.soft({ json, file }, `${line}: ${problem ?? ''}`).toEqual({ json: outcome, file: outcome });
    if (problem !== undefined) expect.soft(problem).toMatch(/^2 /);
  }
});

/** Record, line of a zone file, outcome over JSON, outcome of the zone file. The notation is another one. */
const different: [Sent, string, string | number, string | number][] = [
  // A final dot in JSON is a mistake (rule 21); in a zone file it makes a name absolute.
  [{ type: 'A', name: 'www.', data: '192.0.2.1' }, 'www. A 192.0.2.1', 'www 300 A 192.0.2.1', REFUSED],
  // Names in data are absolute in JSON (rule 24), and relative without a final dot in a zone file.
  [{ type: 'CNAME', name: 'a', data: 'b' }, 'a CNAME b', 'a 300 CNAME b', 'a 300 CNAME b.ZONE'],
  [{ type: 'CNAME', name: 'a', data: '@' }, 'a CNAME @', REFUSED, 'a 300 CNAME ZONE'],
  // TTLs of 0 and with units (rule 22).
  [{ type: 'A', name: 'a', data: '192.0.2.1', ttl: 0 }, 'a 0 A 192.0.2.1', REFUSED, 'a 0 A 192.0.2.1'],
  [{ type: 'A', name: 'a', data: '192.0.2.1', ttl: '1h' }, 'a 1h A 192.0.2.1', REFUSED, 'a 3600 A 192.0.2.1'],
  // JSON keeps data verbatim (rule 24); data of a zone file is shown in one spelling.
  [
    { type: 'CNAME', name: 'a', data: 'b.example.' },
    'a CNAME b.example.',
    'a 300 CNAME b.example.',
    'a 300 CNAME b.example',
  ],
  [
    { type: 'AAAA', name: 'a', data: '2001:DB8:0::1' },
    'a AAAA 2001:DB8:0::1',
    'a 300 AAAA 2001:DB8:0::1',
    'a 300 AAAA 2001:db8::1',
  ],
  [
    { type: 'A', name: 'a', data: '\\# 4 C0000201' },
    'a A \\# 4 C0000201',
    'a 300 A \\# 4 C0000201',
    'a 300 A 192.0.2.1',
  ],
  [
    { type: 'CAA', name: 'a', data: '0 issue "ö"' },
    'a CAA 0 issue "ö"',
    'a 300 CAA 0 issue "ö"',
    'a 300 CAA 0 issue "\\195\\182"',
  ],
  // TXT data of JSON is text without escapes, cut at 255 octets (rule 25).
  [{ type: 'TXT', name: 'a', data: 'b\\067' }, 'a TXT b\\067', 'a 300 TXT "b\\067"', 'a 300 TXT "bC"'],
  [{ type: 'TXT', name: 'a', data: 'b c' }, 'a TXT b c', 'a 300 TXT "b c"', 'a 300 TXT "bc"'],
  [{ type: 'TXT', name: 'a', data: 'b;c' }, 'a TXT b;c', 'a 300 TXT "b;c"', 'a 300 TXT "b"'],
  [{ type: 'TXT', name: 'a', data: '\\255' }, 'a TXT \\255', 'a 300 TXT "\\255"', 'a 300 TXT "\ufffd"'],
  [{ type: 'TXT', name: 'a', data: '"\\\\""' }, 'a TXT "\\\\\\""', REFUSED, 'a 300 TXT "\\\\""'],
  [
    { type: 'TXT', name: 'a', data: 'x'.repeat(256) },
    `a TXT ${'x'.repeat(256)}`,
    `a 300 TXT "${'x'.repeat(256)}"`,
    REFUSED,
  ],
  // The priority of other types has no meaning (rule 23), and no place in a zone file.
  [
    { type: 'A', name: 'a', data: '192.0.2.1', priority: 7 },
    'a A 192.0.2.1',
    'a 300 A 7 192.0.2.1',
    'a 300 A 192.0.2.1',
  ],
  // MX without a preference has 0 in JSON (rule 23).
  [{ type: 'MX', name: 'a', data: 'b.example' }, 'a MX b.example.', 'a 300 MX 0 b.example', REFUSED],
  // Records that belong to another provider are skipped in a zone file.
  [
    { type: 'NS', name: '', data: 'ns.old.example' },
    '@ NS ns.old.example.',
    '@ 300 NS ns.old.example',
    'skipped',
  ],
  [
    { type: 'DS', name: '', data: `1 13 2 ${'ab'.repeat(32)}` },
    `@ DS 1 13 2 ${'ab'.repeat(32)}`,
    `@ 300 DS 1 13 2 ${'ab'.repeat(32)}`,
    'skipped',
  ],
  [{ type: 'SOA', name: '', data: 'a. b. 1 2 3 4 5' }, '@ SOA a. b. 1 2 3 4 5', REFUSED, 'skipped'],
  [{ type: 'NSEC3PARAM', name: '', data: '1 0 0 -' }, '@ NSEC3PARAM 1 0 0 -', REFUSED, 'skipped'],
];

test('rule 39: the ways in differ only where their notations do', async () => {
  for (const [sent, line, json, file] of different) {
    const found = await send(zone, sent, line);
    expect.soft({ json: found.json, file: found.file }, line).toEqual({ json, file });
  }
});

test('rule 39: the same record with another TTL is refused in a list, and skipped in a zone file', async () => {
  const path = `/v2/domains/${zone}/zonefile?dry_run=true`;
  const record = { type: 'A', name: 'a', data: '192.0.2.1', ttl: 300 };
  expect((await http.post(path, { records: [record, { ...record, ttl: 60 }] })).status).toBe(409);
  const { changes, set_aside: skipped } = bulkBody(
    await http.post(path, 'a 300 A 192.0.2.1\na 60 A 192.0.2.1\n'),
  );
  expect([changes.created.length, skipped?.map(({ line }) => line)]).toEqual([1, [2]]);
});

test('rule 39: the name of the domain and $ORIGIN can have U-labels', async () => {
  const name = international.replace('xn--mnchen-3ya', 'münchen');
  const sent = { type: 'MX', name: `ö.${name}`, data: `5 mail.${name}` };
  const shown = `ö 300 MX 5 mail.${name}`.replaceAll(zone, 'ZONE');
  for (const line of [`ö.${name}. MX 5 mail.${name}.`, `$ORIGIN ${name}.\nö MX 5 mail.${name}.`]) {
    expect(await send(international, sent, line)).toEqual({ json: shown, file: shown, problem: undefined });
  }
});
