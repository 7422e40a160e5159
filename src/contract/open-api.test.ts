import { Compile } from 'typebox/compile';
import { expect, test } from 'vitest';
import type { Account, ApiKey } from '../model/account.ts';
import type { AccountStanding } from '../model/account-standing.ts';
import type { Domain, ZoneName } from '../model/domain.ts';
import { isPersonal } from './endpoint.ts';
import { endpoints } from './endpoints.ts';
import {
  formatAccount,
  formatAccountPlan,
  formatKey,
  formatKeyPlan,
  formatNewKeyReply,
  formatOwnAccountReply,
} from './format-account.ts';
import { formatDnssecReply, formatDomainReply, formatSoaReply } from './format-domain.ts';
import { formatPropagationReply } from './format-propagation.ts';
import { formatRecordReply } from './format-record.ts';
import { formatRolloverReply, formatSigningStatusReply } from './format-signing-status.ts';
import { accountChangePlan, accountDeletionPlan, accountShape, standingReply } from './account-shape.ts';
import { formatAccountChangePlan, formatDeletionPlan, formatStandingReply } from './format-standing.ts';
import { keyShape } from './key-shape.ts';
import { openApiDocument } from './open-api.ts';
import * as shapes from './response-shapes.ts';
import { formatZoneKeyReply, formatZoneKeysReply } from './format-zone-key.ts';
import { rolloverReply, signingStatusReply } from './signing-status-shape.ts';
import { zoneKeyReply, zoneKeysReply } from './zone-key-shape.ts';

const id = '0193489f-8a3b-7abc-8def-0123456789ab';
const account: Account = { id, name: 'A "B"', email: 'a@example.com', createdAtSeconds: 1_795_165_411 };
const activeText = '"state":"active","suspension":null,"deletion":null,"progress":null';
const suspended: AccountStanding = {
  suspension: { reason: 'Call "us"', answers: 'stop', atMs: 1_795_165_411_999 },
  deletion: null,
  sweep: { after: 'a.example', done: 9, total: 7 },
};
const suspendedText =
  '"state":"suspended","suspension":{"reason":"Call \\"us\\"","answers":"stop","date_suspended":"2026-11-20T09:03:31+00:00"},"deletion":null,"progress":{"done":7,"total":7}';
const deleted: AccountStanding = {
  suspension: null,
  deletion: { atMs: 1_795_165_411_000, heldUntilMs: 1_797_757_411_000, slices: 1, emptiedAtMs: null },
  sweep: null,
};
const key: ApiKey = { id, accountId: id, hash: 'x', scope: 'read', label: '', createdAtSeconds: 0 };
const domain: Domain = {
  id: 1,
  accountId: id,
  name: 'example.com' as ZoneName,
  createdAtSeconds: 1_795_165_411,
  serial: 1,
  soaPrimary: null,
  soaEmail: null,
  recordCount: 0,
  octets: 0,
  denial: null,
  renewAtSeconds: null,
  withdrawnAtSeconds: null,
  awaitsDsSinceSeconds: null,
  presignedUntilSeconds: null,
  revisedSerial: 1,
  signingWork: null,
  withheld: [],
  withheldSeq: null,
  claim: null,
};
const nameserver = { id, nameserver: 'ns\n1', seenAtMs: 999 };
const rollover = {
  ...{ id, kind: 'key' as const, step: 'published' as const },
  createdAtSeconds: 1_795_165_411,
  sinceSeconds: 1_795_165_412,
  untilSeconds: null,
};
const rolloverText = `{"id":"${id}","kind":"key","step":"published","date_created":"2026-11-20T09:03:31+00:00","date_step":"2026-11-20T09:03:32+00:00","date_next":null,"held":false}`;
const zoneKey = {
  ...{ id, tag: 1, algorithm: 13, flags: 257, origin: 'imported' as const, sealed: 'never shown' },
  ...{ dnskey: '257 3 13 AB==', ds: '1 13 2 AB', isAnnounced: true, createdAtSeconds: 1_795_165_411 },
};
const zoneKeyText = `{"id":"${id}","tag":1,"algorithm":13,"flags":257,"origin":"imported","dnskey":"257 3 13 AB==","ds":"1 13 2 AB","announced":true,"date_created":"2026-11-20T09:03:31+00:00"}`;
const record = { id, type: 16, name: 'é', data: '"a\\b"', priority: -1, ttl: 300 };

test.each([
  [
    formatRecordReply(record),
    shapes.recordReply,
    `{"record":{"id":"${id}","type":"TXT","name":"é","data":"\\"a\\\\b\\"","priority":-1,"ttl":300}}`,
  ],
  [
    formatDomainReply(domain),
    shapes.domainReply,
    '{"domain":{"domain":"example.com","date_created":"2026-11-20T09:03:31+00:00","dns_sec":"disabled"}}',
  ],
  [
    formatDomainReply({ ...domain, denial: 'nsec' }),
    shapes.domainReply,
    '{"domain":{"domain":"example.com","date_created":"2026-11-20T09:03:31+00:00","dns_sec":"enabled"}}',
  ],
  [
    formatSoaReply({ primary: 'ns1.example.net', email: 'hostmaster@example.com' }),
    shapes.soaReply,
    '{"dns_soa":{"nsprimary":"ns1.example.net","email":"hostmaster@example.com"}}',
  ],
  [formatDnssecReply([]), shapes.dnssecReply, '{"dns_sec":[]}'],
  [
    formatPropagationReply({
      domain: 'example.com',
      serial: 4_294_967_295,
      isCurrent: false,
      nameservers: [
        { ...nameserver, serial: 7, takenAtMs: 1_795_165_411_999, isLive: true, isCurrent: false },
        { ...nameserver, serial: null, takenAtMs: null, isLive: false, isCurrent: false },
      ],
    }),
    shapes.propagationReply,
    '{"propagation":{"domain":"example.com","serial":4294967295,"current":false,"nameservers":[' +
      `{"id":"${id}","name":"ns\\n1","serial":7,"date_taken":"2026-11-20T09:03:31+00:00",` +
      '"date_seen":"1970-01-01T00:00:00+00:00","live":true,"current":false},' +
      `{"id":"${id}","name":"ns\\n1","serial":null,"date_taken":null,` +
      '"date_seen":"1970-01-01T00:00:00+00:00","live":false,"current":false}]}}',
  ],
  [
    formatOwnAccountReply(account),
    shapes.ownAccountReply,
    '{"account":{"name":"A \\"B\\"","email":"a@example.com","acls":["dns"],"balance":0,"pending_charges":0,"last_payment_date":"","last_payment_amount":0}}',
  ],
  [
    formatAccount(account),
    accountShape,
    `{"id":"${id}","name":"A \\"B\\"","email":"a@example.com","date_created":"2026-11-20T09:03:31+00:00",${activeText}}`,
  ],
  [formatStandingReply(account), standingReply, `{"standing":{${activeText}}}`],
  [
    formatStandingReply({ ...account, standing: suspended }),
    standingReply,
    `{"standing":{${suspendedText}}}`,
  ],
  [
    formatStandingReply({ ...account, standing: deleted }),
    standingReply,
    `{"standing":{"state":"deleted","suspension":null,"deletion":{"date_deleted":"2026-11-20T09:03:31+00:00","date_removed":"2026-12-20T09:03:31+00:00","restorable":false},"progress":null}}`,
  ],
  [
    formatAccountChangePlan(formatAccount({ ...account, standing: suspended })),
    accountChangePlan,
    `{"dry_run":true,"account":{"id":"${id}","name":"A \\"B\\"","email":"a@example.com","date_created":"2026-11-20T09:03:31+00:00",${suspendedText}}}`,
  ],
  [
    formatDeletionPlan(formatAccount(account), { domains: 1, records: 2, keys: 3, users: 4, invitations: 5 }),
    accountDeletionPlan,
    `{"dry_run":true,"account":{"id":"${id}","name":"A \\"B\\"","email":"a@example.com","date_created":"2026-11-20T09:03:31+00:00",${activeText}},"removes":{"domains":1,"records":2,"keys":3,"users":4,"invitations":5}}`,
  ],
  [
    formatKey(key),
    keyShape,
    `{"id":"${id}","scope":"read","label":"","date_created":"1970-01-01T00:00:00+00:00","rights":null,"summary":"May read records, see domains, export domains and read their history and see the account","networks":null,"date_expires":null,"date_used":null}`,
  ],
  [
    formatNewKeyReply({ key, keyText: 'zw_x' }),
    shapes.newKeyReply,
    `{"key":{"id":"${id}","key":"zw_x","scope":"read","label":"","date_created":"1970-01-01T00:00:00+00:00","rights":null,"summary":"May read records, see domains, export domains and read their history and see the account","networks":null,"date_expires":null,"date_used":null}}`,
  ],
  [
    formatKeyPlan(key),
    shapes.keyPlanReply,
    `{"dry_run":true,"key":{"id":"${id}","scope":"read","label":"","date_created":"1970-01-01T00:00:00+00:00","rights":null,"summary":"May read records, see domains, export domains and read their history and see the account","networks":null,"date_expires":null,"date_used":null}}`,
  ],
  [
    formatAccountPlan({ account, key }),
    shapes.accountPlanReply,
    `{"dry_run":true,"account":${formatAccount(account)},"key":${formatKey(key)}}`,
  ],
  [formatZoneKeyReply(zoneKey), zoneKeyReply, `{"key":${zoneKeyText}}`],
  [
    formatZoneKeysReply([{ ...zoneKey, ds: null }]),
    zoneKeysReply,
    `{"keys":[${zoneKeyText.replace('"1 13 2 AB"', 'null')}]}`,
  ],
  [formatRolloverReply(rollover), rolloverReply, `{"rollover":${rolloverText}}`],
  [
    formatRolloverReply({ ...rollover, untilSeconds: 1_795_165_413 }),
    rolloverReply,
    `{"rollover":${rolloverText.replace('null', '"2026-11-20T09:03:33+00:00"')}}`,
  ],
  [
    formatSigningStatusReply({
      ...{ state: 'rolling', nextStep: 'Wait', denial: 'nsec', rollover },
      keys: [
        { ...zoneKey, algorithm: 15, state: 'publishing', origin: 'made' },
        { ...zoneKey, state: 'active', origin: 'foreign' },
        { ...zoneKey, flags: 256, state: 'active', origin: 'foreign' },
      ],
      wanted: ['1 13 2 AB'],
      seen: [
        { server: 'a', address: '192.0.2.1', ds: [] },
        { server: 'b', address: null, problem: 'no' },
      ],
      ...{ checkedAtMs: 1_795_165_411_999, earliestExpirySeconds: null, progress: null },
    }),
    signingStatusReply,
    '{"dnssec":{"state":"rolling","next_step":"Wait","denial":"nsec","keys":[' +
      `{"id":"${id}","tag":1,"algorithm":15,"role":"csk","state":"publishing","origin":"made","date_created":"2026-11-20T09:03:31+00:00"},` +
      `{"id":"${id}","tag":1,"algorithm":13,"role":"ksk","state":"active","origin":"foreign","date_created":"2026-11-20T09:03:31+00:00"},` +
      `{"id":"${id}","tag":1,"algorithm":13,"role":"zsk","state":"active","origin":"foreign","date_created":"2026-11-20T09:03:31+00:00"}],` +
      '"ds":{"wanted":["1 13 2 AB"],"seen":[{"server":"a","address":"192.0.2.1","ds":[],"problem":null},' +
      '{"server":"b","address":null,"ds":null,"problem":"no"}],"date_checked":"2026-11-20T09:03:31+00:00"},' +
      `"rollover":${rolloverText},"earliest_expiry":null,"progress":null}}`,
  ],
])('%s has the described members, order and types', (text, shape, expected) => {
  expect(text).toBe(expected);
  const value: unknown = JSON.parse(text);
  expect(Compile(shape).Check(value)).toBe(true);
  expect(JSON.stringify(value)).toBe(text);
});

test('the OpenAPI document describes every endpoint with its permission, and all its references resolve', () => {
  const text = JSON.stringify(openApiDocument());
  const document = JSON.parse(text) as {
    openapi: string;
    paths: Record<string, Record<string, { operationId: string; responses: object }>>;
    components: Record<string, Record<string, unknown>>;
  };
  expect(document.openapi).toBe('3.1.0');
  for (const { path, method, id, needs, answers } of endpoints) {
    const operation = document.paths[path][method.toLowerCase()];
    const needed = typeof needs === 'string' ? [needs] : needs;
    const byNeed = { anyone: [], user: [{ session: [] }], operator: [{ session: [] }] };
    const security = isPersonal({ needs })
      ? byNeed[needs as keyof typeof byNeed]
      : [{ key: needed }, { session: needed }];
    expect(operation).toMatchObject({ operationId: id, security });
    expect(Object.keys(operation.responses)).toEqual(
      expect.arrayContaining([...Object.keys(answers), '400', '403', '429', '500', '503']),
    );
  }
  for (const [, group, name] of text.matchAll(/"#\/components\/(\w+)\/([\w-]+)"/g)) {
    expect(document.components[group]).toHaveProperty(name);
  }
});

test('the description of every write includes its dry run', () => {
  const document = JSON.parse(JSON.stringify(openApiDocument())) as {
    paths: Record<
      string,
      Record<string, { parameters: { name: string }[]; responses: Record<string, object> }>
    >;
  };
  for (const { path, method, needs } of endpoints) {
    const { parameters, responses } = document.paths[path][method.toLowerCase()];
    const isWrite = method !== 'GET' && !isPersonal({ needs });
    expect(
      parameters.some(({ name }) => name === 'dry_run'),
      `${method} ${path}`,
    ).toBe(isWrite);
    if (isWrite) expect(JSON.stringify(responses[200]), `${method} ${path}`).toContain('"dry_run"');
  }
});

test('Zone-Serial is described for reads of a domain and for writes after which it exists', () => {
  const document = openApiDocument() as {
    paths: Record<string, Record<string, { responses: Record<string, { headers?: object }> }>>;
  };
  const telling = endpoints.filter(({ path, method, answers }) => {
    const [status] = Object.keys(answers);
    return 'Zone-Serial' in document.paths[path][method.toLowerCase()].responses[status].headers!;
  });
  expect(telling.map(({ id: name }) => name)).toEqual([
    'createDomain',
    'getDomain',
    'updateDomain',
    'patchDomain',
    'getSoa',
    'updateSoa',
    'changeDnssec',
    'noteDsSeen',
    'startRollover',
    'cancelRollover',
    'addZoneKey',
    'announceZoneKey',
    'removeZoneKey',
    'exportRecords',
    'createRecord',
    'updateRecord',
    'deleteRecord',
    'exportZone',
    'replaceZone',
    'mergeZone',
    'changeRecords',
    'checkDomain',
    'revertRecords',
    'restoreDomain',
  ]);
});

test('every endpoint has a unique name', () => {
  expect(new Set(endpoints.map(({ id }) => id)).size).toBe(endpoints.length);
});

test.each([
  ['createDomain', 200, 'It existed already; nothing was changed, or a dry run'],
  ['createRecord', 201, 'Created'],
  ['getDomain', 200, 'Found'],
  ['replaceZone', 200, 'Done, or a dry run'],
  ['mergeZone', 200, 'Done, or a dry run'],
  ['changeRecords', 200, 'Done, or a dry run'],
  ['revertRecords', 200, 'Done, or a dry run'],
  ['restoreDomain', 200, 'Done, or a dry run'],
  ['deleteRecord', 204, 'Done'],
  ['deleteRecord', 200, 'A dry run'],
])('the description of %s explains %i', (operation, status, meaning) => {
  const { paths } = openApiDocument() as {
    paths: Record<
      string,
      Record<string, { operationId: string; responses: Record<string, { description: string }> }>
    >;
  };
  const described = Object.values(paths).flatMap((path) => Object.values(path));
  const { responses } = described.find(({ operationId }) => operationId === operation)!;
  expect(responses[status].description).toBe(meaning);
});

test('History-Start is described for the history of a domain', () => {
  const document = openApiDocument() as {
    paths: Record<string, Record<string, { responses: Record<string, { headers?: object }> }>>;
    components: { headers: object };
  };
  const answer = document.paths['/v2/domains/{domain}/changes'].get.responses['200'];
  expect(answer.headers).toHaveProperty('History-Start');
  expect(document.components.headers).toHaveProperty('History-Start');
});
