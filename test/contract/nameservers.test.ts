import { expect, test } from 'vitest';
import { bulkBody, counts } from '../harness/bulk-replies.ts';
import { createDomain, createRecord } from '../harness/fixtures.ts';
import { serviceNameservers, startForFile } from '../harness/service.ts';

const service = await startForFile();
const { http, dns } = service;

test('rule 39: NS records of the zone itself are replaced if one that is known is sent, and stay otherwise', async () => {
  const domain = await createDomain(service);
  const path = `/v2/domains/${domain}/zonefile`;
  const [first, second] = serviceNameservers;
  await createRecord(service, domain, { name: '', type: 'NS', data: 'ns.secondary.example.' });
  const nameservers = () => dns.look(domain, 'NS');
  const line = (host: string) => `@ 3600 IN NS ${host}.\n`;
  const old = bulkBody(await http.put(path, line('ns1.old.example')));
  expect(old.set_aside!.map(({ reason }) => reason)).toEqual([
    expect.stringContaining('create it in the domain'),
  ]);
  expect(await nameservers()).toEqual([first, second, 'ns.secondary.example'].sort());
  const edited = bulkBody(await http.put(path, line(first) + line('ns.secondary.example')));
  expect(edited.set_aside).toEqual([]);
  expect(counts(edited.changes)).toBe('0 created, 1 updated, 1 deleted, 1 unchanged');
  expect(await nameservers()).toEqual([first, 'ns.secondary.example'].sort());
});
