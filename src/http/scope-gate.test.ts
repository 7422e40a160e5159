import { afterAll, expect, test } from 'vitest';
import { isPersonal } from '../contract/endpoint.ts';
import { endpoints } from '../contract/endpoints.ts';
import type { KeyScope } from '../model/account.ts';
import { createKey } from '../operations/create-key.ts';
import type { Store } from '../store/store.ts';
import type { Command } from '../writes/command.ts';
import { createTestApp, openTestService, withStore } from './http-service.test-support.ts';

const service = await openTestService(true);
const keys = { read: await keyOf('read'), full: await keyOf('full'), admin: service.key };

async function keyOf(scope: KeyScope): Promise<string> {
  const created = await createKey(service.context, service.caller, { scope });
  if (!created.ok) throw new Error(created.refusal.message);
  return created.value.keyText;
}

const written: Command[] = [];
const write: Store['write'] = (command) => {
  written.push(command);
  return service.context.store.write(command);
};
const app = createTestApp(withStore(service, { write }));
afterAll(() => app.close());

const managing = [
  ...['listAccounts', 'createAccount', 'getAccountLimits', 'setAccountLimits'],
  ...['exportAccount', 'deleteOwnAccount', 'getAnyAccount', 'suspendAccount', 'resumeAccount'],
  ...['deleteAccount', 'restoreAccount'],
  ...['listKeys', 'createKey', 'rotateKey', 'revokeKey'],
  ...['listUsers', 'updateMember', 'removeUser', 'recoverUser'],
  ...['listInvitations', 'createInvitation', 'revokeInvitation', 'listAccesses'],
  ...['listTrail', 'exportTrail', 'verifyDomain', 'listNameservers'],
];

/** Reading needs scope read, writing scope full, and accounts and keys need scope admin (rule 54). */
function leastScope({
  id,
  method,
}: {
  readonly id: string;
  readonly method: string;
}): 'read' | 'full' | 'admin' {
  return managing.includes(id) ? 'admin' : method === 'GET' ? 'read' : 'full';
}

const www = { type: 'A', name: 'www', data: '192.0.2.1', ttl: 60 };
/** RFC 6605 section 6.1. */
const dnskey =
  '257 3 13 GojIhhXUN/u4v54ZQqGSnyhWJwaubCvTmeexv7bR6edbkrSqQpF64cYbcB7wNcP+e+MAnLr+Wi9xMWyQLc8NAA==';
const payloads: Readonly<Partial<Record<string, object>>> = {
  createDomain: { domain: 'new.example' },
  updateDomain: { dns_sec: 'disabled' },
  patchDomain: { dns_sec: 'disabled' },
  updateSoa: { email: 'other@example.net' },
  setNameservers: { from: ['ns1.example.net'], to: ['ns3.example.net'], domains: ['tried.example'] },
  createRecord: { ...www, name: 'mail' },
  updateRecord: { ...www, ttl: 120 },
  replaceZone: { records: [www] },
  mergeZone: { records: [www] },
  changeRecords: { create: [{ ...www, name: 'mail' }] },
  addZoneKey: { dnskey },
  changeDnssec: { denial: 'nsec3' },
  announceZoneKey: { announced: false },
  noteDsSeen: { ds: [] },
};

/** The domains of requests that need another one than most. */
const domains: Readonly<Partial<Record<string, string>>> = {
  restoreDomain: 'gone.example',
  changeDnssec: 'signed.example',
  startRollover: 'signed.example',
  cancelRollover: 'rolling.example',
  noteDsSeen: 'withdrawn.example',
  addZoneKey: 'signed.example',
  announceZoneKey: 'shared.example',
  removeZoneKey: 'shared.example',
};

/** The domain is not signed, and nobody has to show control of it. */
const writesNothing = ['updateDomain', 'patchDomain', 'checkClaim'];

const allowed = {
  read: ['read', 'full', 'admin'],
  full: ['full', 'admin'],
  admin: ['admin'],
} as const satisfies Partial<Record<KeyScope, readonly KeyScope[]>>;

/** Those that keys can use. */
const forKeys = endpoints.filter((endpoint) => !isPersonal(endpoint));

test.each(forKeys.map((endpoint) => [endpoint.id, endpoint] as const))(
  '%s refuses keys of too small a scope, whatever else is wrong with the request',
  async (_, endpoint) => {
    const { method, path, needs } = endpoint;
    const scope = leastScope(endpoint);
    const permission = typeof needs === 'string' ? needs : needs[0];
    const url = path.replace('{domain}', 'unknown.example').replace('{id}', 'x');
    for (const keyScope of ['read', 'full', 'admin'] as const) {
      const reply = await app.inject({
        method,
        url: `${url}?dry_run=perhaps&per_page=x`,
        headers: { authorization: `Bearer ${keys[keyScope]}`, 'if-match': 'x' },
        ...(method === 'GET' ? {} : { payload: '{' }),
      });
      // An export is not one text of JSON.
      const isRefused = reply.statusCode >= 400;
      const answer = isRefused ? reply.json<{ error: string; code?: string }>() : { error: '' };
      if (new Set<KeyScope>(allowed[scope]).has(keyScope))
        expect(answer).not.toMatchObject({ code: 'forbidden' });
      else {
        expect(answer).toMatchObject({ status: 403, code: 'forbidden' });
        expect(answer.error).toContain(`This API key lacks the permission ${permission}`);
        expect(answer.error).toContain(`keys of scope ${allowed[scope].join(' or ')} have it`);
        expect(reply.statusCode).toBe(403);
      }
    }
    expect(written).toEqual([]);
  },
);

const tried = await createTried();

/** Gives every kind of request something to change. */
async function createTried() {
  const headers = { authorization: `Bearer ${service.key}` };
  const send = async (method: 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object) => {
    const reply = await app.inject({ method, url, headers, ...(payload && { payload }) });
    expect(reply.statusCode, reply.body).toBeLessThan(300);
    return reply;
  };
  await send('POST', '/v2/domains', { domain: 'gone.example' });
  await send('DELETE', '/v2/domains/gone.example');
  for (const domain of ['signed.example', 'rolling.example', 'shared.example', 'withdrawn.example'])
    await send('POST', '/v2/domains', { domain, dns_sec: 'enabled' });
  await send('PATCH', '/v2/domains/withdrawn.example', { dns_sec: 'disabled' });
  const begun = await send('POST', '/v2/domains/rolling.example/dnssec/rollovers');
  const shared = await send('POST', '/v2/domains/shared.example/dnssec/keys', { dnskey });
  const domain = await send('POST', '/v2/domains', { domain: 'tried.example' });
  const serial = Number(domain.headers['zone-serial']);
  const created = await send('POST', '/v2/domains/tried.example/records', www);
  written.length = 0;
  return {
    serial,
    recordId: created.json<{ record: { id: string } }>().record.id,
    ids: {
      cancelRollover: begun.json<{ rollover: { id: string } }>().rollover.id,
      announceZoneKey: shared.json<{ key: { id: string } }>().key.id,
      removeZoneKey: shared.json<{ key: { id: string } }>().key.id,
    } as Readonly<Partial<Record<string, string>>>,
  };
}

test.each(
  forKeys
    .filter((endpoint) => leastScope(endpoint) === 'full')
    .map((endpoint) => [endpoint.id, endpoint] as const),
)(
  '%s may be tried by a read key as a dry run, and changes nothing (rules 41, 54)',
  async (id, { method, path }) => {
    const about = tried.ids[id] ?? tried.recordId;
    const url = path.replace('{domain}', domains[id] ?? 'tried.example').replace('{id}', about);
    const headers = { authorization: `Bearer ${keys.read}` };
    const payload = id === 'revertRecords' ? { to: tried.serial } : payloads[id];
    written.length = 0;
    const request = { method, headers, ...(payload !== undefined && { payload }) };
    const reply = await app.inject({ ...request, url: `${url}?dry_run=true` });
    expect(reply.statusCode, reply.body).toBe(200);
    const reached = writesNothing.includes(id) ? [] : [true];
    expect(written.map(({ dryRun }) => dryRun)).toEqual(reached);
    const real = await app.inject({ ...request, url: `${url}?dry_run=false` });
    expect(real.json()).toMatchObject({ code: 'forbidden' });
    expect(written).toHaveLength(reached.length);
  },
);
