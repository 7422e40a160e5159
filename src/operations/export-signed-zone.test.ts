import { describe, expect, test } from 'vitest';
import { rrType } from '../dns/codes.ts';
import { formatDomainName } from '../dns/name.ts';
import { formatRdata } from '../dns/rdata/rdata.ts';
import { checkSignedZone } from '../dnssec/check-signed-zone.test-support.ts';
import { nameOf, readZoneRecords, type ZoneRecord } from '../dnssec/zone-records.test-support.ts';
import { readApexNameservers } from './apex-nameservers.ts';
import { createDomain } from './create-domain.ts';
import { createRecord } from './create-record.ts';
import { deleteRecord } from './delete-record.ts';
import { exportSignedZone, SMALL_SIGNED_RECORDS } from './export-signed-zone.ts';
import { exportZone } from './export-zone.ts';
import { importZone } from './import-zone.ts';
import { openOperationScene, type OperationScene } from './operation-scene.test-support.ts';
import { findPathDomain } from './path-domain.ts';
import { startRollover } from './start-rollover.ts';
import { ShareTooLarge, WorkMemory } from './work-memory.ts';

/** With sets of different TTLs, a wildcard, an empty non-terminal, delegations with and without DS, glue and a DNAME. */
const ZONE = `
@ 300 A 192.0.2.1
@ 200 A 192.0.2.2
WWW 300 CNAME @
a.b 300 TXT "x"
*.wild 300 AAAA 2001:db8::1
sub 3600 NS ns.sub
sub 300 DS 1 13 2 ${'00'.repeat(32)}
ns.sub 300 A 192.0.2.3
plain 300 NS ns.example.net.
moved 300 DNAME example.net.
at\\.dot 300 A 192.0.2.4
`;

const scenes = { nsec: await openOperationScene('nsec'), nsec3: await openOperationScene('nsec3') };
const denials = ['nsec', 'nsec3'] as const;

describe.each(denials)('a domain signed with %s', (denial) => {
  const scene = scenes[denial];

  test('is exported as it is served: complete and rightly signed', async () => {
    const domain = await createSigned(scene, 'all.example', ZONE);
    const records = await exportOf(scene, domain);
    expectRight(records, domain);
    const chained = { nsec: rrType.NSEC, nsec3: rrType.NSEC3 }[denial];
    const types = new Set(records.map(({ type }) => type));
    const { SOA, NS, DNSKEY, CDS, CDNSKEY, RRSIG, NSEC3PARAM } = rrType;
    for (const type of [SOA, NS, DNSKEY, CDS, CDNSKEY, RRSIG, chained]) expect(types).toContain(type);
    expect(types.has(NSEC3PARAM)).toBe(denial === 'nsec3');
    expect(records[0].type).toBe(SOA);
    const plain = await readAll((await valueOf(exportZone(scene.context, scene.caller, domain))).text);
    const unsigned = readZoneRecords(plain, nameOf(domain)).map(textOf);
    expect(records.map(textOf)).toEqual(expect.arrayContaining(unsigned));
    expect(records.filter(({ type }) => type === rrType.A).map(({ ttl }) => ttl)).toContain(200);
  });

  test('is exported with the nameservers of the service if it has none', async () => {
    const { context, caller } = scene;
    const domain = await createSigned(scene, 'bare.example', '');
    const own = await readApexNameservers(context, await valueOf(findPathDomain(context, caller, domain)));
    for (const { id } of own) await deleteRecord(context, caller, domain, id);
    const records = await exportOf(scene, domain);
    expectRight(records, domain);
    const nameservers = records.filter(({ type }) => type === rrType.NS);
    expect(nameservers.map(({ rdata }) => formatRdata(rrType.NS, rdata))).toEqual(['ns1.example.net.']);
  });

  test('is exported with both keys while they are exchanged', async () => {
    const { context, caller } = scene;
    const domain = await createSigned(scene, 'rolling.example', ZONE);
    await valueOf(startRollover(context, caller, domain, {}));
    const records = await exportOf(scene, domain);
    expectRight(records, domain);
    const keys = records.filter(({ type }) => type === rrType.DNSKEY);
    const signatures = records.filter(({ type }) => type === rrType.RRSIG);
    const ofKeys = signatures.filter(({ rdata }) => rdata[0] === 0 && rdata[1] === rrType.DNSKEY);
    expect([keys.length, ofKeys.length]).toEqual([2, 2]);
  });

  test('is exported in pieces if it has many records, long ones or deep names', async () => {
    const many = Array.from({ length: SMALL_SIGNED_RECORDS + 5 }, (_, at) => `n${at} 60 A 192.0.2.1`);
    const long = Array.from({ length: 40 }, (_, at) => `n${at} 60 TXT ${`"${'x'.repeat(250)}" `.repeat(16)}`);
    const deep = Array.from({ length: 40 }, (_, at) => `${'a.'.repeat(90)}n${at} 60 A 192.0.2.1`);
    for (const [name, lines] of Object.entries({ many, long, deep })) {
      const domain = await createSigned(scene, `${name}.example`, lines.join('\n'));
      expectRight(await exportOf(scene, domain), domain);
    }
  }, 30_000);
});

describe('the rows of one owner', () => {
  const scene = scenes.nsec;
  const addresses = Array.from({ length: 2000 }, (_, at) => `one 60 A 192.0.${at >> 8}.${at & 255}`);

  test('are weighed if they are many', async () => {
    const domain = await createSigned(scene, 'owner.example', addresses.join('\n'));
    const records = await exportOf(scene, domain);
    expectRight(records, domain);
    expect(records.filter(({ type }) => type === rrType.A)).toHaveLength(addresses.length);
    const context = { ...scene.context, workMemory: new WorkMemory(1024 * 1024) };
    await expect(exportOf({ ...scene, context }, domain)).rejects.toThrow(ShareTooLarge);
  });
});

test('an export with signatures shows one moment, and has the revision of its serial', async () => {
  const { context, caller } = scenes.nsec;
  const domain = await createSigned(scenes.nsec, 'moment.example', '');
  const exported = await exportSignedZone(context, caller, domain);
  await createRecord(context, caller, domain, { type: 'A', name: 'www', data: '192.0.2.1', ttl: 60 });
  if (!exported.ok) throw new Error(exported.refusal.message);
  expect(await readAll(exported.value.text)).not.toContain('www');
  const found = await valueOf(findPathDomain(context, caller, domain));
  const again = await exportSignedZone(context, caller, domain);
  expect(again).toMatchObject({
    serial: found.serial,
    revision: `"${found.id.toString(16)}-${found.serial.toString(16)}"`,
  });
});

test('an unsigned domain and an earlier state have no signatures', async () => {
  const { context, caller } = scenes.nsec;
  await createDomain(context, caller, { domain: 'plain.example' });
  const many = Array.from({ length: SMALL_SIGNED_RECORDS + 1 }, (_, at) => `n${at} 60 A 192.0.2.1`);
  for (const content of ['', many.join('\n')]) {
    await importZone(context, caller, 'plain.example', { mode: 'merge', content });
    expect(await exportSignedZone(context, caller, 'plain.example')).toMatchObject({
      refusal: { code: 'dnssec_conflict', message: expect.stringContaining('is not signed') as string },
    });
  }
  const domain = await createSigned(scenes.nsec, 'past.example', '');
  expect(await exportSignedZone(context, caller, domain, { serial: 1 })).toMatchObject({
    refusal: { code: 'invalid_request', field: 'at' },
  });
  expect(await exportSignedZone(context, caller, 'none.example')).toMatchObject({
    refusal: { code: 'unknown_domain' },
  });
});

async function createSigned({ context, caller }: OperationScene, domain: string, zone: string) {
  await valueOf(createDomain(context, caller, { domain, dns_sec: 'enabled' }));
  if (zone !== '') await valueOf(importZone(context, caller, domain, { mode: 'merge', content: zone }));
  return domain;
}

async function exportOf({ context, caller }: OperationScene, domain: string): Promise<ZoneRecord[]> {
  const { text } = await valueOf(exportSignedZone(context, caller, domain));
  return readZoneRecords(await readAll(text), nameOf(domain));
}

function expectRight(records: readonly ZoneRecord[], domain: string): void {
  expect(checkSignedZone(records, nameOf(domain), Math.floor(Date.now() / 1000))).toEqual([]);
}

async function valueOf<T>(
  result: Promise<{ ok: true; value: T } | { ok: false; refusal: { message: string } }>,
) {
  const awaited = await result;
  if (!awaited.ok) throw new Error(awaited.refusal.message);
  return awaited.value;
}

async function readAll(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}

/** Without the TTL, which is that of the set. */
function textOf({ owner, type, rdata }: ZoneRecord): string {
  return `${formatDomainName(owner)} ${type} ${formatRdata(type, rdata)}`;
}
