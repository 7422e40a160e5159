import { createClient } from '/dist/client/zonewright-client.js';

/** Performs each operation of a web console once. */
export async function work(url, key) {
  let requests = 0;
  const counted = (...request) => {
    requests++;
    return fetch(...request);
  };
  const client = createClient({ url, key, fetch: counted });
  const name = 'browser.example';
  await client.domains.create({ domain: name });
  const domains = await collect(client.domains.list());

  const create = Array.from({ length: 1200 }, (_, i) => ({
    type: 'A',
    name: `r${i}`,
    data: '192.0.2.1',
    ttl: 300,
  }));
  const ifMatch = await client.domains.revision(name);
  const written = await client.records.change(name, { create }, { ifMatch, note: 'Größe geändert' });
  const stale = await client.records.change(name, { create: [] }, { ifMatch }).catch((error) => error.status);

  requests = 0;
  const records = await collect(client.records.list(name));
  const pages = requests;

  await client.records.delete(name, records.at(-1).id);
  const left = await collect(client.records.list(name));
  const gone = await client.records.get(name, records.at(-1).id).catch((error) => error.code);
  const { text } = await client.zoneFiles.get(name);
  const noted = (await collect(client.domains.changes(name))).find(
    ({ new: record }) => record?.name === 'r1',
  );
  const { value: domain, serial } = await client.domains.create({ domain: name });
  return {
    domains: domains.map(({ domain }) => domain),
    records: records.length,
    pages,
    deleted: [left.length, gone],
    serials: [Number.isInteger(written.serial), serial >= written.serial && domain.domain === name],
    precondition: stale,
    zoneFile: text.includes('r1198') && !text.includes('r1199'),
    note: noted.note,
  };
}

async function collect(list) {
  const rows = [];
  for await (const row of list) rows.push(row);
  return rows;
}
