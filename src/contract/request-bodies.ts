// The bodies of requests. Unknown members are ignored, because some clients repeat path parameters in the body.
import { Type } from './schema.ts';
import {
  bodyShape,
  optionalFlag,
  optionalInteger,
  optionalList,
  optionalText,
  optionalTexts,
  optionalWord,
} from './body-shape.ts';
import type { LimitName } from '../model/account-limits.ts';
import { MAX_CHANGES, MAX_ZONE_RECORDS } from '../model/write-limits.ts';

const TTL = 'Seconds, 1 to 2147483647. Required unless the operator configured a default TTL';
const PRIORITY = 'Preference (MX) or priority (SRV), 0 to 65535. Stored, but without meaning for other types';
const RECORD_NAME = 'Owner name, relative to the domain or fully qualified; "" or "@" for the domain itself';
const RECORD_DATA =
  'Data in presentation format (RFC 1035 section 5). TXT may be bare or quoted; MX and SRV without the priority';
const DNS_SEC =
  'Whether the domain is to be signed (DNSSEC). After disabled, it stays signed until its DS records are gone';

export const createDomainBody = bodyShape(
  Type.Object(
    {
      domain: Type.String({ description: 'The domain name', examples: ['example.com'] }),
      ip: optionalText('IPv4 or IPv6 address of the domain; creates an A or AAAA record', ['192.0.2.1']),
      dns_sec: optionalWord(['enabled', 'disabled'], DNS_SEC),
    },
    { examples: [{ domain: 'example.com', ip: '192.0.2.1' }] },
  ),
);

export const updateDomainBody = bodyShape(
  Type.Object(
    { dns_sec: optionalWord(['enabled', 'disabled'], DNS_SEC) },
    { examples: [{ dns_sec: 'enabled' }] },
  ),
);

export const changeDnssecBody = bodyShape(
  Type.Object(
    {
      denial: optionalWord(
        ['nsec', 'nsec3'],
        'How a signed domain proves that a name does not exist (RFC 4034 section 4, RFC 5155)',
      ),
      hold: optionalFlag('Whether a rollover or a withdrawal in progress is held: no step follows by itself'),
    },
    { examples: [{ denial: 'nsec3' }] },
  ),
);

export const dsSeenBody = bodyShape(
  Type.Object(
    {
      ds: optionalTexts('Data of all DS records of the domain that the parent zone has; [] if it has none', [
        ['27933 13 2 E2D3C916F6DEEAC73294E8268FB5885044A833FC5459588F4A9184CFC41A5766'],
      ]),
      ttl: optionalInteger('TTL of these records, or of those that are gone; 86400 if absent', [3600]),
    },
    { examples: [{ ds: [], ttl: 3600 }] },
  ),
);

export const startRolloverBody = bodyShape(
  Type.Object(
    {
      algorithm: optionalInteger(
        'Of the new key. 13: ECDSA P-256; 15: Ed25519; if absent, that of the present key',
        [13],
      ),
    },
    { examples: [{ algorithm: 13 }] },
  ),
);

export const updateSoaBody = bodyShape(
  Type.Object(
    {
      nsprimary: optionalText('Host name of the primary nameserver', ['ns1.example.net']),
      email: optionalText('Mail address of the person responsible for the domain', [
        'hostmaster@example.com',
      ]),
    },
    { examples: [{ nsprimary: 'ns1.example.net', email: 'hostmaster@example.com' }] },
  ),
);

const newHosts = ['ns1.example.net'];

export const nameserversBody = bodyShape(
  Type.Object(
    {
      from: optionalTexts(
        'Former nameservers, besides the placeholder of an unset setting; * for every name',
        [['ns1.old-provider.example']],
      ),
      to: optionalTexts('The nameservers that replace them; if absent, those of the service', [newHosts]),
      domains: optionalTexts('At most 100 domains; if absent, all domains of the account', [['example.com']]),
    },
    { examples: [{ from: ['ns1.old-provider.example'], to: newHosts }] },
  ),
);

export const createRecordBody = bodyShape(
  Type.Object(
    {
      type: Type.String({ description: 'Record type, e.g. A or TYPE65280', examples: ['A'] }),
      name: Type.String({ description: RECORD_NAME, examples: ['www'] }),
      data: Type.String({ description: RECORD_DATA, examples: ['192.0.2.1'] }),
      ttl: optionalInteger(TTL, [300]),
      priority: optionalInteger(PRIORITY, [10]),
    },
    { examples: [{ type: 'A', name: 'www', data: '192.0.2.1', ttl: 300 }] },
  ),
);

export const updateRecordBody = bodyShape(
  Type.Object(
    {
      type: optionalText('Can be sent, but not changed', ['A']),
      name: optionalText(RECORD_NAME, ['www']),
      data: optionalText(RECORD_DATA, ['192.0.2.2']),
      ttl: optionalInteger(TTL, [300]),
      priority: optionalInteger(PRIORITY, [10]),
    },
    { examples: [{ data: '192.0.2.2' }] },
  ),
);

const updateSchema = Type.Object({
  id: Type.String({ format: 'uuid', description: 'The record’s id' }),
  ...updateRecordBody.schema.properties,
});

/** One update in a batch: the body of a single update, plus the record's id. */
export const batchUpdate = bodyShape(
  Type.Object({ ...updateRecordBody.schema.properties, id: Type.String({ description: 'The record’s id' }) }),
);

/** The items of the lists are checked one by one later, so that all problems can be reported at once. */
export const batchBody = {
  schema: Type.Object(
    {
      delete: Type.Optional(
        Type.Array(Type.String({ format: 'uuid' }), { description: 'Ids of records to delete first' }),
      ),
      update: Type.Optional(Type.Array(updateSchema, { description: 'Updates, made after the deletions' })),
      create: Type.Optional(Type.Array(createRecordBody.schema, { description: 'Records to create last' })),
    },
    {
      description: `At most ${MAX_CHANGES} changes in total`,
      examples: [{ create: [{ type: 'A', name: 'www', data: '192.0.2.1', ttl: 300 }] }],
    },
  ),
  check: bodyShape(Type.Object({ delete: optionalList(), update: optionalList(), create: optionalList() }))
    .check,
};

export const zoneBody = {
  schema: Type.Object(
    { records: Type.Array(createRecordBody.schema) },
    {
      description: `At most ${MAX_ZONE_RECORDS} records`,
      examples: [{ records: [{ type: 'A', name: 'www', data: '192.0.2.1', ttl: 300 }] }],
    },
  ),
  check: bodyShape(Type.Object({ records: Type.Array(Type.Unknown()) })).check,
};

export const revertBody = bodyShape(
  Type.Object(
    {
      to: Type.Integer({
        description: 'An earlier serial of the domain',
        minimum: 0,
        examples: [1763650001],
      }),
    },
    { examples: [{ to: 1763650001 }] },
  ),
);

export const restoreBody = bodyShape(
  Type.Object(
    {
      id: optionalText('Id from deleted_domains; if absent, the most recently deleted domain of that name', [
        '17',
      ]),
    },
    { examples: [{ id: '17' }] },
  ),
);

export const createAccountBody = bodyShape(
  Type.Object(
    {
      name: Type.String({ description: 'The account’s name', examples: ['Example Ltd'] }),
      email: Type.String({ description: 'The account’s mail address', examples: ['dns@example.com'] }),
      owner: optionalText(
        'The e-mail address of the first owner, who is invited; the account then has no first key that you would see',
        ['anna@example.com'],
      ),
    },
    { examples: [{ name: 'Example Ltd', email: 'dns@example.com', owner: 'anna@example.com' }] },
  ),
);

const limit = (description: string) =>
  optionalInteger(`${description}; absent or null: the service’s default`);

/** Members of the body by the limit that they set. */
export const limitMembers = {
  domains: 'domains',
  records: 'records',
  recordsPerDomain: 'records_per_domain',
  octets: 'octets',
  historyOctets: 'history_octets',
  outcomeOctets: 'outcome_octets',
  trailOctets: 'trail_octets',
  keys: 'keys',
  costPerMinute: 'cost_per_minute',
} as const satisfies Record<LimitName, string>;

export const limitsBody = bodyShape(
  Type.Object(
    {
      domains: limit('Most domains'),
      records: limit('Most records in all domains'),
      records_per_domain: limit('Most records in one domain'),
      octets: limit('Most octets of records'),
      history_octets: limit('Most octets of history'),
      outcome_octets: limit('Most octets of kept outcomes'),
      trail_octets: limit('Most octets of the trail'),
      keys: limit('Most API keys'),
      cost_per_minute: limit('Most work for expensive requests in a minute'),
    },
    { examples: [{ domains: 10, records: 100000 }] },
  ),
);
