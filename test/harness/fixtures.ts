import { expect } from 'vitest';
import type { DomainBody, HttpClient, HttpReply, RecordBody } from './http-client.ts';
import type { Service } from './service.ts';

/*
 * Fixtures for most tests: a domain of their own, a record in it, an account of their own; and a check that nothing has
 * changed.
 */

/** A client that acts for an account. */
export interface Owner {
  readonly http: HttpClient;
}

export interface NewRecord {
  readonly type?: unknown;
  readonly name?: unknown;
  readonly data?: unknown;
  readonly ttl?: unknown;
  readonly priority?: unknown;
}

let counter = 0;

/** A name that no other test uses. */
export function freshDomainName(prefix = 'd'): string {
  counter++;
  return `${prefix}${counter}-${process.pid.toString(36)}.example`;
}

export async function createDomain(owner: Owner, name = freshDomainName(), ip?: string): Promise<string> {
  const reply = await owner.http.post(
    '/v2/domains',
    ip === undefined ? { domain: name } : { domain: name, ip },
  );
  expect(reply.status, reply.text).toBe(201);
  return name;
}

/** Creates an `A` record with TTL 300, unless the members override this. */
export async function createRecord(owner: Owner, domain: string, members: NewRecord): Promise<RecordBody> {
  const reply = await postRecord(owner, domain, members);
  expect(reply.status, reply.text).toBe(201);
  return reply.json.record!;
}

export function postRecord(owner: Owner, domain: string, members: NewRecord): Promise<HttpReply> {
  const record = { type: 'A', name: 'www', data: '192.0.2.1', ttl: 300, ...members };
  return owner.http.post(`/v2/domains/${domain}/records`, record);
}

export async function readRecord(owner: Owner, domain: string, id: string): Promise<RecordBody> {
  const reply = await owner.http.get(`/v2/domains/${domain}/records/${id}`);
  expect(reply.status, reply.text).toBe(200);
  return reply.json.record!;
}

/** All records of a domain, page by page. */
export async function listRecords(owner: Owner, domain: string): Promise<RecordBody[]> {
  const records: RecordBody[] = [];
  let cursor = '';
  do {
    const reply = await owner.http.get(
      `/v2/domains/${domain}/records?per_page=500${cursor && `&cursor=${cursor}`}`,
    );
    expect(reply.status, reply.text).toBe(200);
    records.push(...reply.json.records!);
    cursor = reply.json.meta!.links.next;
  } while (cursor !== '');
  return records;
}

/** The records except the service's own apex NS. */
export async function listOwnRecords(owner: Owner, domain: string): Promise<RecordBody[]> {
  return (await listRecords(owner, domain)).filter((record) => record.type !== 'NS' || record.name !== '');
}

export async function listDomains(owner: Owner): Promise<DomainBody[]> {
  const reply = await owner.http.get('/v2/domains?per_page=500');
  expect(reply.status, reply.text).toBe(200);
  return [...reply.json.domains!];
}

export interface Account extends Owner {
  readonly id: string;
}

/** Creates a second customer: an account with a full-scope key. */
export async function createAccount(service: Owner, name = `account ${++counter}`): Promise<Account> {
  const reply = await service.http.post('/v2/accounts', { name, email: 'someone@example.com' });
  expect(reply.status, reply.text).toBe(201);
  return { id: reply.json.account!.id, http: service.http.withKey(reply.json.key!.key) };
}

/** Everything that the HTTP interface and DNS report about a domain. */
export async function domainState(service: Service, domain: string): Promise<object> {
  const [head, soa, records, serial] = await Promise.all([
    service.http.get(`/v2/domains/${domain}`),
    service.http.get(`/v2/domains/${domain}/soa`),
    listRecords(service, domain),
    service.dns.serial(domain),
  ]);
  return { head: head.text, soa: soa.text, records, serial };
}

/** Runs the action and expects the domain list, SOA settings and serial to stay unchanged. */
export async function expectUnchanged(
  service: Service,
  domain: string,
  action: () => Promise<void>,
): Promise<void> {
  const before = await domainState(service, domain);
  await action();
  expect(await domainState(service, domain)).toEqual(before);
}

/** Expects an error in the form of rule 7: members in order, one sentence, under 512 bytes. */
export function expectError(
  reply: HttpReply,
  status: number | readonly number[],
  text?: string | RegExp,
): void {
  const expected = typeof status === 'number' ? [status] : status;
  expect(expected, `${reply.status} ${reply.text}`).toContain(reply.status);
  expect(reply.headers['content-type'], reply.text).toBe('application/json');
  expect(Buffer.byteLength(reply.text), reply.text).toBeLessThan(512);
  const members = Object.keys(reply.json);
  expect(members.slice(0, 2), reply.text).toEqual(['error', 'status']);
  const optional = members.slice(2);
  expect(
    ['code', 'field', 'index'].filter((member) => optional.includes(member)),
    reply.text,
  ).toEqual(optional);
  expect(reply.json.status).toBe(reply.status);
  expect(reply.json.error, reply.text).toMatch(/^[^\n\r]{5,}$/);
  if (reply.json.code !== undefined) expect(reply.json.code).toMatch(/^[a-z]+(_[a-z]+)*$/);
  if (typeof text === 'string') expect(reply.json.error).toContain(text);
  else if (text !== undefined) expect(reply.json.error).toMatch(text);
}

/** The same with the error's code. */
export function expectCode(reply: HttpReply, status: number, code: string): void {
  expectError(reply, status);
  expect(reply.json.code, reply.text).toBe(code);
}
