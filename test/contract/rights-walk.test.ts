import { beforeAll, expect, test } from 'vitest';
import { isPersonal } from '../../src/contract/endpoint.ts';
import { endpoints, type EndpointId } from '../../src/contract/endpoints.ts';
import type { TrailEntryJson } from '../../src/contract/trail-shape.ts';
import type { TrailAction } from '../../src/model/trail-entry.ts';
import { MAX_REFUSALS_PER_ACTOR } from '../../src/operations/trail-buffer.ts';
import { createAccount, createDomain, createRecord, listRecords, type Account } from '../harness/fixtures.ts';
import type { HttpReply } from '../harness/http-client.ts';
import { invite, join, newOwner, type Browser } from '../harness/people.ts';
import { startForFile } from '../harness/service.ts';

/*
 * Rules 54, 75, 77, 78, 81 and 82: every route, with every kind of caller, on its own objects and on those of another account. The
 * table below says who may do what, a second time and on purpose: a new route does not compile without a row here.
 */

/**
 * A level is a kind of routes: `glance`: domains, `read` and `write`: single records, `see` and `edit`: all records of a domain,
 * `account` and `host`: what is read and changed in all domains of the account, `keys`: its keys, `own`: changes of keys,
 * `operate`: all accounts, `people`: users and invitations, `user`: the user itself, `look`: the access of operators.
 */
type Level =
  | 'glance'
  | 'read'
  | 'write'
  | 'see'
  | 'edit'
  | 'host'
  | 'account'
  | 'keys'
  | 'own'
  | 'operate'
  | 'people'
  | 'user'
  | 'look';

type KeyRoute = Exclude<EndpointId, Extract<(typeof endpoints)[number], { needs: 'anyone' }>['id']>;

const levels: Readonly<Record<KeyRoute, Level>> = {
  ...{
    getAccount: 'account',
    getLimits: 'account',
    getAccountLimits: 'operate',
    setAccountLimits: 'operate',
  },
  ...{ listAccounts: 'operate', createAccount: 'operate' },
  ...{ getClaim: 'glance', checkClaim: 'edit', getAccountNameservers: 'account', verifyDomain: 'operate' },
  ...{ getDelegation: 'glance', explainAnswer: 'see' },
  ...{ getStanding: 'account', exportAccount: 'own', deleteOwnAccount: 'own', getAnyAccount: 'operate' },
  ...{ suspendAccount: 'operate', resumeAccount: 'operate' },
  ...{ deleteAccount: 'operate', restoreAccount: 'operate' },
  ...{ listKeys: 'keys', createKey: 'own', rotateKey: 'own', revokeKey: 'own' },
  ...{ listDomains: 'glance', createDomain: 'host', getDomain: 'glance', deleteDomain: 'host' },
  ...{ updateDomain: 'edit', patchDomain: 'edit', getSoa: 'glance', updateSoa: 'edit' },
  ...{ listDnssec: 'glance', getSigningStatus: 'glance', changeDnssec: 'edit', noteDsSeen: 'edit' },
  ...{ startRollover: 'edit', cancelRollover: 'edit', getPropagation: 'glance', setNameservers: 'host' },
  ...{ listZoneKeys: 'glance', addZoneKey: 'edit', announceZoneKey: 'edit', removeZoneKey: 'edit' },
  ...{ listChanges: 'see', revertRecords: 'edit', listDeletedDomains: 'account', restoreDomain: 'host' },
  ...{ listRecords: 'read', searchRecords: 'account', getRecord: 'read', createRecord: 'write' },
  ...{ updateRecord: 'write', deleteRecord: 'write', changeRecords: 'write' },
  ...{ exportZone: 'see', replaceZone: 'edit', mergeZone: 'edit', checkDomain: 'see' },
  ...{ getSession: 'user', signOut: 'user', confirmSession: 'user', listSessions: 'user' },
  ...{ endSessions: 'user', endSession: 'user', updateUser: 'user' },
  ...{ startProviderConfirmation: 'user', startProviderLink: 'user', listIdentities: 'user' },
  ...{ unlinkIdentity: 'user' },
  ...{ getFactors: 'user', startAddingPasskey: 'user', addPasskey: 'user', renamePasskey: 'user' },
  ...{ removePasskey: 'user', startOneTimeCodes: 'user', confirmOneTimeCodes: 'user' },
  ...{ removeOneTimeCodes: 'user', replaceRecoveryCodes: 'user', removePassword: 'user' },
  ...{ listUsers: 'people', updateMember: 'people', removeUser: 'people', recoverUser: 'operate' },
  ...{ createAccess: 'look', endAccess: 'look', listOwnAccesses: 'look', listAccesses: 'people' },
  ...{ listTrail: 'people', exportTrail: 'people' },
  ...{ listInvitations: 'people', createInvitation: 'people', revokeInvitation: 'people' },
};

const viewing = ['glance', 'read', 'see'] as const;
const editing = [...viewing, 'write', 'edit'] as const;

/** Levels of each kind of caller in its own account. */
const kinds = {
  owner: [...editing, 'host', 'account', 'keys', 'own', 'people', 'user'],
  editor: [...editing, 'host', 'account', 'keys', 'user'],
  viewer: [...viewing, 'account', 'user'],
  domainEditor: [...editing, 'user'],
  domainViewer: [...viewing, 'user'],
  operator: ['operate', 'people', 'user', 'look'],
  readKey: [...viewing, 'account'],
  // Scopes are older than roles: only administrators' keys see and change keys (rule 54).
  fullKey: [...editing, 'host', 'account'],
  adminKey: [...editing, 'host', 'account', 'keys', 'own', 'operate', 'people'],
  certificateKey: ['glance', 'read', 'write'],
  addressKey: ['glance', 'read', 'write'],
  metricsKey: [],
} as const satisfies Record<string, readonly Level[]>;

type Kind = keyof typeof kinds;

/** They are limited to domains, and refused in all others, whether those exist or not. */
const limitedKinds: ReadonlySet<Kind> = new Set([
  'domainEditor',
  'domainViewer',
  'certificateKey',
  'addressKey',
]);

interface Sent {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

type Send = (method: string, path: string, sent?: Sent) => Promise<HttpReply>;

/** A caller of some kind, as the trail names it. */
interface Walker {
  readonly send: Send;
  readonly actor: string;
}

const service = await startForFile();
let own: { readonly account: Account; readonly domain: string; readonly record: string };
let foreign: typeof own;

beforeAll(async () => {
  own = await newTenant();
  foreign = await newTenant();
});

const inDomain = (role: string) => ({ grants: [{ role, domains: [own.domain] }] });
const host = () => `www.${own.domain}`;

/** Each of them makes a new caller. */
const makers: Readonly<Record<Kind, () => Promise<Walker>>> = {
  owner: () => newMember({ role: 'owner' }),
  editor: () => newMember({ role: 'editor' }),
  viewer: () => newMember({ role: 'viewer' }),
  domainEditor: () => newMember(inDomain('editor')),
  domainViewer: () => newMember(inDomain('viewer')),
  operator: newOperator,
  readKey: () => newKey({ scope: 'read' }),
  fullKey: () => newKey({ scope: 'full' }),
  adminKey: () => newKey({ scope: 'admin' }),
  certificateKey: () => newKey({ template: 'certificates', host: host() }),
  addressKey: () => newKey({ template: 'address', host: host() }),
  metricsKey: () => newKey({ template: 'metrics' }),
};

async function newTenant(): Promise<typeof own> {
  const account = await createAccount(service);
  const domain = await createDomain(account);
  const { id: record } = await createRecord(account, domain, {});
  return { account, domain, record };
}

async function newMember(rights: object): Promise<Walker> {
  const token = await invite((...sent) => service.http.request(...sent), {
    account: own.account.id,
    ...rights,
  });
  const { browser, id } = await join(service, token);
  return { send: sendAs(browser), actor: `user:${id}` };
}

async function newOperator(): Promise<Walker> {
  const { browser } = await newOwner(service);
  const session = await browser.send('GET', '/v2/session');
  browser.account = own.account.id;
  const { id } = (session.json as unknown as { user: { id: string } }).user;
  return { send: sendAs(browser), actor: `user:${id}` };
}

function sendAs(browser: Browser): Send {
  return (method, path, { body, headers } = {}) => browser.send(method, path, body, headers);
}

async function newKey(rights: object): Promise<Walker> {
  const created = await service.http.post('/v2/keys', { ...rights, account: own.account.id });
  expect(created.status, created.text).toBe(201);
  const { key, id } = created.json.key!;
  const send: Send = (method, path, { body, headers } = {}) =>
    service.http.request(method, path, body, { key, ...(headers && { headers }) });
  return { send, actor: id };
}

function may(kind: Kind, id: KeyRoute): boolean {
  return (kinds[kind] as readonly Level[]).includes(levels[id]);
}

/** Values that the requests below would change, if they were let through. */
const payload = { ...{ type: 'A', name: 'walked', data: '192.0.2.9', ttl: 60 }, domain: 'walked.example' };

function urlOf(path: string, { domain, record, account }: typeof own): string {
  const id = path.includes('/accounts/') ? account.id : record;
  return path.replace('{domain}', domain).replace('{id}', id);
}

/** Everything that an account shows, to compare it before and after. */
async function stateOf({ account, domain }: typeof own): Promise<object> {
  const texts = ['/v2/domains', `/v2/domains/${domain}`, `/v2/domains/${domain}/soa`, '/v2/account/limits'];
  const replies = await Promise.all(texts.map((path) => account.http.get(path)));
  const shown = replies.map(({ text }) =>
    text.replaceAll(/"(?:cost_per_minute|trail_octets)":\{[^}]*\}/g, ''),
  );
  const { text: keys } = await service.http.get(`/v2/keys?account=${account.id}`);
  const records = await listRecords(account, domain);
  // The time of the last use is no change.
  return { shown, records, keys: keys.replaceAll(/"date_used":[^}]*/g, '') };
}

const routes = endpoints.filter(
  (endpoint): endpoint is Extract<(typeof endpoints)[number], { id: KeyRoute }> =>
    endpoint.needs !== 'anyone',
);

/** A route with an object of its own or of another account. */
interface Cell {
  readonly endpoint: (typeof routes)[number];
  readonly url: string;
  /** As the trail names it. */
  readonly object: string;
}

function cellsOf(endpoint: Cell['endpoint']): readonly Cell[] {
  const { path } = endpoint;
  const cells = [own, foreign].map((target) => {
    const [part] = ['{domain}', '/accounts/{id}', '{id}', ''].filter((place) => path.includes(place));
    const object = urlOf(part, target).replace('/accounts/', '');
    return { endpoint, url: urlOf(path, target), object };
  });
  // A route without an object is the same for both.
  return path.includes('{') ? cells : cells.slice(0, 1);
}

/** The requests of the second walk that leave a line, if they are let through and find something. */
const noted = [
  ['exportZone', 'domain.export'],
  ['exportTrail', 'trail.export'],
] as const satisfies readonly (readonly [KeyRoute, TrailAction])[];

/** Sends a request that the caller has no right to. */
async function sendRefused(kind: Kind, { send }: Walker, { endpoint, url }: Cell): Promise<void> {
  const { method, id } = endpoint;
  const reply = await send(method, url, method === 'GET' ? {} : { body: payload });
  const shown = `${kind} ${id} ${reply.status} ${reply.text.slice(0, 200)}`;
  // Operators belong to no account but their own, and find none.
  const refused = kind === 'operator' ? [404, 'unknown_account'] : [403, 'forbidden'];
  expect([reply.status, reply.json.code], shown).toEqual(refused);
}

async function trailOf({ actor }: Walker, action: string): Promise<readonly TrailEntryJson[]> {
  const query = `account=${own.account.id}&action=${action}&actor=${actor}&per_page=500`;
  const { json } = await service.http.get(`/v2/trail?${query}`);
  return (json as unknown as { trail: readonly TrailEntryJson[] }).trail;
}

/** The refusals of a caller as the trail has them: request, object and count. */
async function refusalsOf(walker: Walker): Promise<readonly string[]> {
  const refusals = await trailOf(walker, 'request.refuse');
  return refusals.map(({ detail, object, count }) => `${detail?.['request']} ${object} ${count}`).sort();
}

test.each(Object.keys(kinds) as Kind[])(
  'rules 54, 75, 78 and 82: %s is refused where the table does not let it, nothing changes, and the trail has a line of each',
  async (kind) => {
    const cells = routes.filter(({ id }) => !may(kind, id)).flatMap(cellsOf);
    const walks: { readonly walker: Walker; readonly cells: readonly Cell[] }[] = [];
    // Beyond so many in a minute, the trail only counts the refusals of a caller.
    for (let at = 0; at < cells.length; at += MAX_REFUSALS_PER_ACTOR)
      walks.push({ walker: await makers[kind](), cells: cells.slice(at, at + MAX_REFUSALS_PER_ACTOR) });
    const before = [await stateOf(own), await stateOf(foreign)];
    for (const { walker, cells } of walks) for (const cell of cells) await sendRefused(kind, walker, cell);
    expect([await stateOf(own), await stateOf(foreign)]).toEqual(before);
    for (const { walker, cells } of walks) {
      const lines = cells.map(({ endpoint, object }) => `${endpoint.id} ${object} 1`).sort();
      const expected = kind === 'operator' ? [] : lines;
      await expect.poll(() => refusalsOf(walker)).toEqual(expected);
    }
  },
);

test.each(Object.keys(kinds) as Kind[])(
  'rules 54, 75, 78 and 82: %s is let through where the table lets it, and finds nothing of another account',
  async (kind) => {
    const walker = await makers[kind]();
    const { send } = walker;
    const before = [await stateOf(own), await stateOf(foreign)];
    for (const endpoint of routes.filter(({ id }) => may(kind, id))) {
      const { method, path, id } = endpoint;
      // The malformed parameter is refused after the rights, so that nothing changes.
      const allowed = await send(method, `${urlOf(path, own)}${method === 'GET' ? '' : '?dry_run=perhaps'}`);
      expect(allowed.status, `${kind} ${id} ${allowed.text.slice(0, 200)}`).not.toBe(403);
      if (
        levels[id] === 'operate' ||
        kind === 'adminKey' ||
        kind === 'operator' ||
        isPersonal(endpoint) ||
        !path.includes('{')
      )
        continue;
      const sent = method === 'GET' ? {} : { body: payload };
      const reply = await send(method, urlOf(path, foreign), sent);
      const shown = `${kind} ${id} ${reply.status} ${reply.text.slice(0, 200)}`;
      expect(limitedKinds.has(kind) ? [400, 403, 404] : [400, 404], shown).toContain(reply.status);
    }
    expect([await stateOf(own), await stateOf(foreign)]).toEqual(before);
    for (const [id, action] of noted) {
      const isThere = may(kind, id) && kind !== 'operator';
      const lines = async () => (await trailOf(walker, action)).map(({ object, count }) => [object, count]);
      const object = id === 'exportZone' ? own.domain : own.account.id;
      await expect.poll(lines).toEqual(isThere ? [[object, 1]] : []);
    }
  },
);
