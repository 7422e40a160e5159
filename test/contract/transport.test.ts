import { connect } from 'node:net';
import { expect, test } from 'vitest';
import {
  createDomain,
  createRecord,
  expectError,
  expectUnchanged,
  freshDomainName,
  listRecords,
} from '../harness/fixtures.ts';
import { startForFile } from '../harness/service.ts';

const service = await startForFile();
const { http } = service;

test('rule 1: one trailing slash is tolerated on every route, and nothing redirects', async () => {
  const name = freshDomainName();
  expect((await http.post('/v2/domains/', { domain: name })).status).toBe(201);
  const record = { type: 'A', name: 'www', data: '192.0.2.1', ttl: 300 };
  const created = await http.post(`/v2/domains/${name}/records/`, record);
  expect(created.status).toBe(201);
  const { id } = created.json.record!;
  const gets = [
    '',
    `/${name}`,
    `/${name}/soa`,
    `/${name}/dnssec`,
    `/${name}/records`,
    `/${name}/records/${id}`,
  ];
  for (const path of gets) {
    const plain = await http.get(`/v2/domains${path}`);
    const slashed = await http.get(`/v2/domains${path}/`);
    expect([plain.status, slashed.status], path).toEqual([200, 200]);
    expect(slashed.text).toBe(plain.text);
  }
  expect((await http.get('/v2/account/')).status).toBe(200);
  expect((await http.get('/v2/domains/?per_page=1')).status).toBe(200);
  expect((await http.patch(`/v2/domains/${name}/records/${id}/`, { ttl: 60 })).status).toBe(204);
  expect((await http.delete(`/v2/domains/${name}/records/${id}/`)).status).toBe(204);
  expect((await http.delete(`/v2/domains/${name}/`)).status).toBe(204);
});

test('rule 1: the Host header does not matter', async () => {
  expect((await http.get('/v2/domains', { headers: { host: 'dns.example.com' } })).status).toBe(200);
});

test.each([
  ['application/json'],
  ['application/json; charset=utf-8'],
  ['application/x-www-form-urlencoded'],
  ['text/plain'],
  ['multipart/form-data; boundary=x'],
  ['application/xml'],
  ['nonsense'],
  [undefined],
])('rule 2: a body is JSON, whatever its Content-Type: %s', async (type) => {
  const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type };
  const name = freshDomainName();
  const created = await http.post('/v2/domains', JSON.stringify({ domain: name }), { headers });
  expect(created.status, created.text).toBe(201);
  const record = JSON.stringify({ type: 'TXT', name: '', data: 'grüße', ttl: 300 });
  const reply = await http.post(`/v2/domains/${name}/records`, record, { headers });
  expect(reply.json.record?.data, reply.text).toBe('"grüße"');
  const patch = JSON.stringify({ ttl: 60 });
  expect(
    (await http.patch(`/v2/domains/${name}/records/${reply.json.record!.id}`, patch, { headers })).status,
  ).toBe(204);
});

test('rule 2: GET and DELETE with a JSON Content-Type and no body are accepted', async () => {
  const headers = { 'content-type': 'application/json' };
  const domain = await createDomain(service);
  const { id } = await createRecord(service, domain, {});
  expect((await http.get(`/v2/domains/${domain}/records`, { headers })).status).toBe(200);
  const empty = { ...headers, 'content-length': '0' };
  expect((await http.get(`/v2/domains/${domain}/records/${id}`, { headers: empty })).status).toBe(200);
  expect((await http.delete(`/v2/domains/${domain}/records/${id}`, { headers })).status).toBe(204);
  expect((await http.delete(`/v2/domains/${domain}`, { headers: empty })).status).toBe(204);
});

test.each([
  ['nothing', ''],
  ['white space', '  \n'],
  ['an unfinished object', '{"domain":"x.example"'],
  ['something behind the object', '{"domain":"x.example"} {}'],
  ['single quotes', "{'domain':'x.example'}"],
  ['a form', 'domain=x.example'],
  ['an array', '[{"domain":"x.example"}]'],
  ['a string', '"x.example"'],
  ['a number', '1'],
  ['true', 'true'],
  ['null', 'null'],
  ['bytes that are no UTF-8', Buffer.from('{"domain":"\xff\xfe.example","dns_sec":null}', 'latin1')],
  ['deep nesting', '['.repeat(50_000)],
  ['deep nesting in a member', `{"domain":"x.example","x":${'['.repeat(10_000)}`],
])('rule 2: a body that is not a JSON object is 400: %s', async (_, body) => {
  const domain = await createDomain(service);
  const { id } = await createRecord(service, domain, {});
  await expectUnchanged(service, domain, async () => {
    expectError(await http.post('/v2/domains', body), 400);
    expectError(await http.put(`/v2/domains/${domain}`, body), 400);
    expectError(await http.patch(`/v2/domains/${domain}`, body), 400);
    expectError(await http.patch(`/v2/domains/${domain}/soa`, body), 400);
    expectError(await http.post(`/v2/domains/${domain}/records`, body), 400);
    expectError(await http.patch(`/v2/domains/${domain}/records/${id}`, body), 400);
  });
  expect((await http.get('/v2/domains/x.example')).status).toBe(404);
});

test('rule 2: unknown members are ignored, whatever they are called', async () => {
  const name = freshDomainName();
  const extra = '"comment":{"a":[1]},"__proto__":{"ttl":1},"constructor":{"prototype":{"x":1}},"toString":1';
  const domain = await http.post('/v2/domains', `{"domain":"${name}",${extra}}`);
  expect(domain.status, domain.text).toBe(201);
  const record = `{"type":"A","name":"www","data":"192.0.2.1","ttl":300,${extra}}`;
  const created = await http.post(`/v2/domains/${name}/records`, record);
  expect(created.status, created.text).toBe(201);
  expect(Object.keys(created.json.record!)).toEqual(['id', 'type', 'name', 'data', 'priority', 'ttl']);
  const patched = await http.patch(`/v2/domains/${name}/records/${created.json.record!.id}`, `{${extra}}`);
  expect(patched.status, patched.text).toBe(204);
});

test('rule 2: null means absent', async () => {
  const name = freshDomainName();
  const created = await http.post('/v2/domains', { domain: name, ip: null, dns_sec: null });
  expect(created.status, created.text).toBe(201);
  await expectUnchanged(service, name, async () => {
    for (const member of ['type', 'name', 'data', 'ttl']) {
      const record = { type: 'A', name: 'www', data: '192.0.2.1', ttl: 300, [member]: null };
      expectError(await http.post(`/v2/domains/${name}/records`, record), 400);
    }
    expectError(await http.post('/v2/domains', { domain: null }), 400);
    expect((await http.patch(`/v2/domains/${name}/soa`, { nsprimary: null, email: null })).status).toBe(204);
  });
  const { id } = await createRecord(service, name, { priority: 5 });
  await expectUnchanged(service, name, async () => {
    const nothing = { type: null, name: null, data: null, ttl: null, priority: null };
    const reply = await http.patch(`/v2/domains/${name}/records/${id}`, nothing);
    expect(reply.status, reply.text).toBe(204);
  });
});

const wrongTypes: unknown[] = [true, false, {}, [], ['192.0.2.1']];
test.each([
  ['type', [...wrongTypes, 1]],
  ['name', [...wrongTypes, 1]],
  ['data', [...wrongTypes, 1]],
  ['ttl', [...wrongTypes, 1.5]],
  ['priority', [...wrongTypes, 1.5, 'x']],
])('rule 2: no member of a record is coerced silently: %s', async (member, values) => {
  const domain = await createDomain(service);
  const { id } = await createRecord(service, domain, { type: 'TXT', data: 'x' });
  await expectUnchanged(service, domain, async () => {
    for (const value of values) {
      const record = { type: 'TXT', name: 'x', data: 'text', ttl: 300, [member]: value };
      expectError(await http.post(`/v2/domains/${domain}/records`, record), 400);
      if (member === 'type') continue;
      expectError(await http.patch(`/v2/domains/${domain}/records/${id}`, { [member]: value }), 400);
    }
  });
});

test('rule 2: no member of a domain is coerced silently', async () => {
  const domain = await createDomain(service);
  await expectUnchanged(service, domain, async () => {
    for (const value of [...wrongTypes, 1]) {
      const fresh = freshDomainName();
      expectError(await http.post('/v2/domains', { domain: value }), 400);
      expectError(await http.post('/v2/domains', { domain: fresh, ip: value }), 400);
      expectError(await http.post('/v2/domains', { domain: fresh, dns_sec: value }), 400);
      expectError(await http.get(`/v2/domains/${fresh}`), 404);
      expectError(await http.put(`/v2/domains/${domain}`, { dns_sec: value }), 400);
      expectError(await http.patch(`/v2/domains/${domain}/soa`, { nsprimary: value }), 400);
      expectError(await http.patch(`/v2/domains/${domain}/soa`, { email: value }), 400);
    }
  });
});

test('rule 3: JSON has exactly the type application/json and is one compact line', async () => {
  const domain = await createDomain(service);
  const record = await createRecord(service, domain, { type: 'TXT', data: 'a "b" \\ ü' });
  const replies = [
    await http.get('/v2/account'),
    await http.get('/v2/domains'),
    await http.get(`/v2/domains/${domain}`),
    await http.get(`/v2/domains/${domain}/soa`),
    await http.get(`/v2/domains/${domain}/dnssec`),
    await http.get(`/v2/domains/${domain}/records`),
    await http.get(`/v2/domains/${domain}/records/${record.id}`),
    await http.get('/v2/keys'),
    await http.get('/v2/accounts'),
    await http.post('/v2/domains', { domain: freshDomainName() }),
    await http.post('/v2/domains', { domain }),
    await http.post('/v2/domains', { domain: '..' }),
    await http.post('/v2/domains', '{'),
    await http.get('/v2/nowhere'),
    await http.get('/v2/domains', { key: null }),
  ];
  for (const reply of replies) {
    expect(reply.headers['content-type'], reply.text).toBe('application/json');
    expect(reply.text).toBe(JSON.stringify(JSON.parse(reply.text)));
  }
});

test('rule 4: 204 has no body and a type that is not JSON', async () => {
  const domain = await createDomain(service);
  const { id } = await createRecord(service, domain, {});
  const key = await http.post('/v2/keys', { label: 'short' });
  const replies = [
    await http.patch(`/v2/domains/${domain}/records/${id}`, { ttl: 60 }),
    await http.patch(`/v2/domains/${domain}/records/${id}`, {}),
    await http.patch(`/v2/domains/${domain}/soa`, {}),
    await http.put(`/v2/domains/${domain}`, { dns_sec: 'disabled' }),
    await http.delete(`/v2/domains/${domain}/records/${id}`),
    await http.delete(`/v2/domains/${domain}`),
    await http.delete(`/v2/keys/${key.json.key!.id}`),
  ];
  for (const reply of replies) {
    expect(reply.status, reply.text).toBe(204);
    expect(reply.text).toBe('');
    expect(reply.headers['content-type']).toBe('text/html; charset=UTF-8');
    expect(reply.headers['transfer-encoding']).toBeUndefined();
    // RFC 9110 section 8.6
    expect(reply.headers['content-length']).toBeUndefined();
  }
});

test('rule 5: successful bodies have only the members of the contract, in its order', async () => {
  const name = freshDomainName();
  const created = await http.post('/v2/domains', { domain: name, ip: '192.0.2.7' });
  const date = created.json.domain!.date_created;
  const domainText = `{"domain":"${name}","date_created":"${date}","dns_sec":"disabled"}`;
  expect(created.text).toBe(`{"domain":${domainText}}`);
  expect((await http.get(`/v2/domains/${name}`)).text).toBe(`{"domain":${domainText}}`);

  const record = await http.post(`/v2/domains/${name}/records`, {
    ttl: 60,
    data: 'x',
    name: 'a',
    type: 'TXT',
  });
  const { id } = record.json.record!;
  const recordText = `{"id":"${id}","type":"TXT","name":"a","data":"\\"x\\"","priority":-1,"ttl":60}`;
  expect(record.text).toBe(`{"record":${recordText}}`);
  expect((await http.get(`/v2/domains/${name}/records/${id}`)).text).toBe(`{"record":${recordText}}`);

  const all = await listRecords(service, name);
  const meta = `"meta":{"total":${all.length},"links":{"next":"","prev":""}}`;
  const list = await http.get(`/v2/domains/${name}/records`);
  expect(list.text).toBe(`{"records":${JSON.stringify(all)},${meta}}`);
  expect(list.text).toContain(recordText);
  const domains = await http.get('/v2/domains');
  expect(Object.keys(domains.json)).toEqual(['domains', 'meta']);
  expect(domains.text).toContain(domainText);
});

test('rule 6: one connection serves several requests, also pipelined', async () => {
  const get = `GET /v2/domains?per_page=1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.key}\r\n\r\n`;
  const answers = await exchange(get + get + get.replace('Host: x', 'Host: x\r\nConnection: close'));
  expect(answers.text.match(/HTTP\/1\.1 200 /g)).toHaveLength(3);
  expect(answers.ended).toBe(true);
});

test('rule 6: Connection: close closes the connection after the answer', async () => {
  const get = `GET /v2/domains HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.key}\r\nConnection: close\r\n\r\n`;
  const { text, ended } = await exchange(get);
  expect(text).toMatch(/^HTTP\/1\.1 200 /);
  expect(text.toLowerCase()).toContain('\r\nconnection: close\r\n');
  expect(ended).toBe(true);
});

/** Sends bytes on a new connection and reads until the server closes it. */
function exchange(bytes: string): Promise<{ text: string; ended: boolean }> {
  const [host, port] = service.httpAddress.split(':');
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(Number(port), host);
    socket.setTimeout(5_000, () => {
      socket.destroy();
      resolve({ text, ended: false });
    });
    socket.on('data', (chunk) => (text += chunk.toString()));
    socket.on('error', () => undefined);
    socket.on('end', () => resolve({ text, ended: true }));
    socket.write(bytes);
  });
}
