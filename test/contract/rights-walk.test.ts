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
  listNameservers: 'operate',
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
  ...{
    listRecords: 'read',
    exportRecords: 'read',
    searchRecords: 'account',
    getRecord: 'read',
    createRecord: 'write',
  },
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
/** An account with an object of each kind. */
interface Tenant {
  readonly account: Account;
  readonly domain: string;
  /** By the part of a path that comes before them. */
  readonly ids: Readonly<Record<string, string>>;
}

let own: Tenant;
let foreign: Tenant;

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

async function newTenant(): Promise<Tenant> {
  const account = await createAccount(service);
  const domain = await createDomain(account);
  const { id: record } = await createRecord(account, domain, {});
  const { browser, id: user } = await newUser(account, { role: 'owner' });
  const [key, invitation, sessions] = [
    await browser.send('POST', '/v2/keys', { scope: 'read' }),
    await browser.send('POST', '/v2/invitations', { role: 'viewer' }),
    await browser.send('GET', '/v2/sessions'),
  ].map(({ json }) => json as unknown as Record<string, { id: string } & { id: string }[]>);
  const ids = { records: record, accounts: account.id, keys: key['key'].id, users: user };
  const others = { invitations: invitation['invitation'].id, sessions: sessions['sessions'][0].id };
  return { account, domain, ids: { ...ids, ...others } };
}

async function newUser({ id: account }: Pick<Account, 'id'>, rights: object) {
  const send = (...sent: [method: string, path: string, body?: unknown]) => service.http.request(...sent);
  return join(service, await invite(send, { account, ...rights }));
}

async function newMember(rights: object): Promise<Walker> {
  const { browser, id } = await newUser(own.account, rights);
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

/** Bodies for routes that would refuse the payload as malformed before they look for the object. */
const bodies: Partial<Record<KeyRoute, object>> = {
  noteDsSeen: { ds: [] },
  addZoneKey: { dnskey: `257 3 15 ${Buffer.alloc(32, 1).toString('base64')}` },
  announceZoneKey: { announced: false },
  replaceZone: { records: [] },
  mergeZone: { records: [] },
  revertRecords: { to: 1 },
  updateMember: { role: 'viewer' },
};

/** Sub-objects of a domain are looked for in it; that of the domain is enough. */
function urlOf(path: string, { domain, ids }: Tenant): string {
  const [, kind = ''] = /([a-z_]+)\/\{id\}/.exec(path) ?? [];
  return path.replace('{domain}', domain).replace('{id}', ids[kind] ?? ids['records']);
}

/** Everything that an account shows, to compare it before and after. */
async function stateOf({ account, domain }: Tenant): Promise<object> {
  const texts = ['/v2/domains', `/v2/domains/${domain}`, `/v2/domains/${domain}/soa`, '/v2/account/limits'];
  const replies = await Promise.all(texts.map((path) => account.http.get(path)));
  const shown = replies.map(({ text }) =>
    text.replaceAll(/"(?:cost_per_minute|trail_octets)":\{[^}]*\}/g, ''),
  );
  const records = await listRecords(account, domain);
  const managed = ['keys', 'users', 'invitations'].map((list) => `/v2/${list}?account=${account.id}`);
  const lists = await Promise.all(managed.map((path) => service.http.get(path)));
  // The time of the last use is no change.
  return { shown, records, lists: lists.map(({ text }) => text.replaceAll(/"date_used":[^}]*/g, '')) };
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

function cellOf(endpoint: Cell['endpoint'], target: Tenant): Cell {
  const url = urlOf(endpoint.path, target);
  const { domain, ids } = target;
  return { endpoint, url, object: [domain, ...Object.values(ids)].find((id) => url.includes(id)) ?? '' };
}

function cellsOf(endpoint: Cell['endpoint']): readonly Cell[] {
  // A route without an object is the same for both.
  const targets = endpoint.path.includes('{') ? [own, foreign] : [own];
  return targets.map((target) => cellOf(endpoint, target));
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

async function trailOf(
  { actor }: Walker,
  action: string,
  account = own.account.id,
): Promise<readonly TrailEntryJson[]> {
  const query = `account=${account}&action=${action}&actor=${actor}&per_page=500`;
  const { json } = await service.http.get(`/v2/trail?${query}`);
  return (json as unknown as { trail: readonly TrailEntryJson[] }).trail;
}

const showRefusal = ({ detail, object, count }: TrailEntryJson) =>
  `${detail?.['request']} ${object} ${count}`;

/** The refusals of a caller as its own trail has them: request, object and count. */
async function refusalsOf(walker: Walker): Promise<readonly string[]> {
  return (await trailOf(walker, 'request.refuse')).map(showRefusal).sort();
}

/** Those that were answered as if there were nothing, as the trail has them that only operators see. */
async function hiddenRefusalsOf(walker: Walker, { id }: Account): Promise<readonly string[]> {
  const all = await trailOf(walker, 'request.refuse', 'all');
  const hidden = all.filter(({ account, detail }) => account === null && detail?.['account'] === id);
  return hidden.map(showRefusal).sort();
}

const lineOf = ({ endpoint, object }: Cell) => `${endpoint.id} ${object} 1`;

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
      // The account that operators ask for and do not find is the object, if there is no other.
      const lines = cells.map((cell) => lineOf({ ...cell, object: cell.object || unnamed(kind) })).sort();
      const [shown, hidden] = kind === 'operator' ? [[], lines] : [lines, []];
      await expect.poll(() => refusalsOf(walker)).toEqual(shown);
      await expect.poll(() => hiddenRefusalsOf(walker, own.account)).toEqual(hidden);
    }
  },
);

const unnamed = (kind: Kind) => (kind === 'operator' ? own.account.id : '');

/** Those who manage all accounts find all of them, with their keys and users. */
function isForeign(kind: Kind, { endpoint, url }: Cell): boolean {
  if (!endpoint.path.includes('{') || ownFactors.has(endpoint.id)) return false;
  const isManaged = endpoint.path.includes('{id}') && !url.includes('/domains/') && !isPersonal(endpoint);
  if (isManaged && (kind === 'adminKey' || kind === 'operator')) return false;
  return levels[endpoint.id] !== 'operate' && levels[endpoint.id] !== 'look';
}

/** Nobody but their user knows the ids of passkeys, and the trail does not look for them. */
const ownFactors: ReadonlySet<KeyRoute> = new Set(['renamePasskey', 'removePasskey']);

/** Sends a request about an object of another account; returns its status. */
async function sendForeign(kind: Kind, { send }: Walker, { endpoint, url }: Cell): Promise<number> {
  const { method, id } = endpoint;
  const body = bodies[id] ?? payload;
  const reply = await send(method, url, method === 'GET' ? {} : { body });
  const shown = `${kind} ${id} ${reply.status} ${reply.text.slice(0, 200)}`;
  expect(limitedKinds.has(kind) ? [403, 404] : [404], shown).toContain(reply.status);
  return reply.status;
}

test.each(Object.keys(kinds) as Kind[])(
  'rules 54, 75, 78 and 82: %s is let through where the table lets it, finds nothing of another account, and operators find a line of each',
  async (kind) => {
    const walker = await makers[kind]();
    const before = [await stateOf(own), await stateOf(foreign)];
    const lines: Record<number, string[]> = { 403: [], 404: [] };
    for (const endpoint of routes.filter(({ id }) => may(kind, id))) {
      const { method, path, id } = endpoint;
      // The malformed parameter is refused after the rights, so that nothing changes.
      const url = `${urlOf(path, own)}${method === 'GET' ? '' : '?dry_run=perhaps'}`;
      const allowed = await walker.send(method, url);
      expect(allowed.status, `${kind} ${id} ${allowed.text.slice(0, 200)}`).not.toBe(403);
      const cell = cellOf(endpoint, foreign);
      if (isForeign(kind, cell)) lines[await sendForeign(kind, walker, cell)].push(lineOf(cell));
    }
    expect([await stateOf(own), await stateOf(foreign)]).toEqual(before);
    await expect.poll(() => refusalsOf(walker)).toEqual(lines[403].sort());
    await expect.poll(() => hiddenRefusalsOf(walker, foreign.account)).toEqual(lines[404].sort());
    for (const [id, action] of noted) {
      const isThere = may(kind, id) && kind !== 'operator';
      const lines = async () => (await trailOf(walker, action)).map(({ object, count }) => [object, count]);
      const object = id === 'exportZone' ? own.domain : own.account.id;
      await expect.poll(lines).toEqual(isThere ? [[object, 1]] : []);
    }
  },
);
